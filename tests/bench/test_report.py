"""Standings, the report page, speed, the gate and the labelling helper, on made-up pages."""

from __future__ import annotations

import json
import re
import threading
import urllib.error
import urllib.parse
import urllib.request
from itertools import pairwise, permutations
from pathlib import Path

import pytest

from duramen.algorithms import ALGORITHMS
from duramen.bench.datasets import load
from duramen.bench.extractors import Function, extractors
from duramen.bench.gate import check, pin
from duramen.bench.labelling import choices, gold_text, serve
from duramen.bench.leaderboard import leaderboard, other_figures, standings
from duramen.bench.report import write_report
from duramen.bench.report.differences import word_diff
from duramen.bench.runs import Run, Settings, measure
from duramen.bench.speed import OUR_PARSE, REFERENCE, interleaved, made_up_page, measure_speed, peak_memory
from duramen.errors import InputError, OptionError
from tests.bench.corpora import article, english, sentences


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("run")
    data = load(english(folder))
    snippets = [
        {"id": "s1", "html": article("Bees", sentences("bees", 3)), "with": ["bees are said"], "without": ["imprint"]}
    ]
    path = folder / "snippets.jsonl"
    path.write_text("\n".join(map(json.dumps, snippets)))
    return measure(folder / "run", extractors(["econ", "fe", "everything"]), [data, load(path)], Settings(workers=1))


def test_standings_rank_and_bound(run: Run) -> None:
    found = standings(run, resamples=200)
    names = [each.name for each in found.standings]
    assert names[0] == "econ"
    assert found.datasets == ("l3s-gn1", "snippets")
    assert found.pages == {"l3s-gn1": 12, "snippets": 1}
    for each in found.standings:
        assert each.macro.low <= each.macro.value + 1e-9
        assert each.macro.value <= each.macro.high + 1e-9
    assert found.leader().behind is None
    behind = next(each.behind for each in found.standings if each.name == "everything")
    assert behind is not None
    assert behind.value < 0
    assert behind.excludes_zero()  # it is worse on every single page
    assert found.by_kind["article"].keys() == set(names)
    assert "| econ |" in leaderboard(found).markdown()
    assert other_figures(found).rows[0][0] == "econ"


def test_the_report_is_one_file_that_needs_nothing(run: Run, tmp_path: Path) -> None:
    path = write_report(run, tmp_path / "report.html", worst=3, explain=1, pages=2)
    text = path.read_text("utf-8")
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", text)
    assert "econ leads with a macro F1 of" in text
    for section in ("leaderboard", "speed", "sets", "types", "metrics", "worst", "diff", "about"):
        assert f'<section id="{section}">' in text
    assert run.datasets["l3s-gn1"].sha256[:16] in text
    links = re.findall(r'href="(report-explanations/[^"]+)"', text)
    assert len(links) == 3
    for link in links:
        assert "<!DOCTYPE html>" in (tmp_path / link).read_text("utf-8")


def test_the_report_takes_any_pair(run: Run, tmp_path: Path) -> None:
    text = write_report(run, tmp_path / "r.html", explain=0, diff=("everything", "fe"), pages=1).read_text("utf-8")
    assert "everything and fe differ most" in text
    assert "<del>" in text.partition('id="diff"')[2]
    with pytest.raises(OptionError, match="not in the run"):
        write_report(run, tmp_path / "r.html", diff=("econ", "zzz"))
    with pytest.raises(InputError, match="no scores"):
        write_report(Run(tmp_path / "empty"), tmp_path / "r.html")


def test_word_differences_are_marked_shortened_and_escaped() -> None:
    same = " ".join(f"w{at}" for at in range(40))
    assert word_diff(f"Menu {same} <b>", f"{same} end") == (
        "<del>Menu</del> w0 w1 w2 w3 [32 words] w36 w37 w38 w39 <ins>end</ins> <del>&lt;b&gt;</del>"
    )
    long = word_diff(" ".join(f"a{at}" for at in range(5000)), "")
    assert long.count("a") < 600
    assert word_diff("same", "same") == "same"


@pytest.mark.browser
def test_the_report_in_a_browser(run: Run, tmp_path: Path, browser: object) -> None:
    from playwright.sync_api import Browser

    assert isinstance(browser, Browser)
    path = write_report(run, tmp_path / "report.html", explain=0, pages=1)
    heard: list[str] = []
    for width, scheme in ((1280, "light"), (360, "dark")):
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
        page.on("console", lambda message: heard.append(message.text))
        page.on("pageerror", lambda problem: heard.append(str(problem)))
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        first = page.locator("#leaderboard tbody tr th").first
        assert first.inner_text() == "econ"
        page.locator("#leaderboard thead button", has_text="macro F1").click()
        page.locator("#leaderboard thead button", has_text="macro F1").click()  # now the worst first
        assert first.inner_text() == "fe"
        assert heard == []
        page.close()


# ---- speed


def test_speed_is_measured_in_ratios_stages_and_growth(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pages = load(english(tmp_path, count=3)).pages
    found = measure_speed(extractors(["econ", "peer:goose3"]), pages, tmp_path / "out", repeats=1, largest=0.1)
    speed, stages, growth = found.tables
    by_name = {row[0]: row for row in speed.rows}
    assert by_name[REFERENCE][3] == 1
    assert float(by_name[OUR_PARSE][2] or 0) > 0
    ours, reference = (float(by_name[name][2] or 0) for name in ("econ", REFERENCE))
    assert ours > 0 and by_name["econ"][3] == pytest.approx(ours / reference)
    assert stages.rows[0][0] == "econ"
    assert growth.head[1:4] == ("10 KB", "30 KB", "100 KB")
    assert (tmp_path / "out" / "growth.svg").is_file()
    assert "econ" in (tmp_path / "out" / "speed.md").read_text("utf-8")


def test_every_extractor_sees_every_page_as_often() -> None:
    seen: list[tuple[str, bytes]] = []

    def noting(name: str) -> Function:
        def note(html: bytes, url: str | None) -> str:
            seen.append((name, html))
            return ""

        return note

    names, pages = "abcd", [b"%d" % number for number in range(50)]
    times = interleaved({name: noting(name) for name in names}, pages, [None] * 50, 2)
    assert {name: len(each) for name, each in times.items()} == dict.fromkeys(names, 50)
    assert [html for _, html in seen] == [page for page in pages * 2 for _ in names]
    turns = [seen[at : at + 4] for at in range(0, len(seen), 4)]
    assert all(sorted(name for name, _ in turn) == list(names) for turn in turns)
    # Each comes after each other one now and then, and none of them always begins.
    assert {(one, other) for (one, _), (other, _) in pairwise(seen)} >= set(permutations(names, 2))
    assert {turn[0][0] for turn in turns} == set(names)


def test_peak_memory_grows_with_the_page() -> None:
    small, large = (peak_memory("everything", [made_up_page(size)]) for size in (10_000, 3_000_000))
    assert small is not None
    assert large is not None
    assert large > small + 3


@pytest.mark.parametrize("size", [10_000, 300_000])
def test_made_up_pages_have_their_size(size: int) -> None:
    assert size <= len(made_up_page(size)) < size * 1.1


# ---- the gate


def test_the_gate_holds_what_was_reached(tmp_path: Path) -> None:
    floors, corpora = tmp_path / "gate.json", {"l3s-gn1": english(tmp_path, count=2)}
    with pytest.raises(InputError, match="no floors"):
        check(floors, corpora)
    made = pin(floors, corpora, workers=1, sample=2)
    assert not made.failures
    pinned = json.loads(floors.read_text())
    assert pinned["corpora"]["l3s-gn1"]["floors"].keys() == ALGORITHMS.keys()
    opened = check(floors, corpora, workers=1)
    assert not opened.failures
    assert "open" in opened.markdown()

    # As if everything had been better once: the gate closes, and pinning refuses to lower the floor.
    pinned["corpora"]["l3s-gn1"]["floors"] |= {"fe": 1.5, "gone": 0.5}
    floors.write_text(json.dumps(pinned))
    closed = check(floors, corpora, workers=1)
    assert [line.partition(" has")[0] for line in closed.failures][:1] == ["l3s-gn1: fe"]
    assert any("floor for gone" in line for line in closed.failures)
    refused = pin(floors, corpora, workers=1)
    assert len(refused.failures) == 2
    assert json.loads(floors.read_text()) == pinned
    assert not pin(floors, corpora, workers=1, allow_lower=True).failures
    assert json.loads(floors.read_text())["corpora"]["l3s-gn1"]["floors"]["fe"] < 1


def test_floors_belong_to_one_version_of_a_corpus(tmp_path: Path) -> None:
    floors, corpora = tmp_path / "gate.json", {"l3s-gn1": english(tmp_path, count=1)}
    floors.write_text(
        json.dumps(
            {
                "format": 1,
                "sample": 1,
                "seed": 0,
                "tolerance": 0.002,
                "corpora": {"l3s-gn1": {"sha256": "0", "floors": {}}, "away": {"sha256": "0", "floors": {}}},
            }
        )
    )
    assert check(floors, corpora, workers=1).failures == (
        "l3s-gn1: its floors are of another version of the corpus: pin it with --update",
        "away: the corpus is not there",
    )
    floors.write_text("{")
    with pytest.raises(InputError, match="cannot read"):
        check(floors, corpora)


# ---- labelling


def test_blocks_are_ticked_by_an_algorithm() -> None:
    found = choices(article("Bees", sentences("bees", 3)).encode(), "econ")
    ticked = [each.text for each in found if each.ticked]
    assert "Bees" in {each.text for each in found if each.tag == "h1"}
    assert sentences("bees", 3)[0] in ticked
    assert "home" not in ticked
    assert gold_text(found, {0, 2}) == f"{found[0].text}\n{found[2].text}\n"


def test_blanks_between_the_pieces_of_a_block_stay() -> None:
    found = choices(b"<p><b>Accept</b> <i>all</i><u>ways</u></p>", "everything")
    assert [each.text for each in found] == ["Accept allways"]


def ask(address: str, form: bytes | None = None, host: str | None = None) -> tuple[int, str]:
    request = urllib.request.Request(address, data=form, headers={} if host is None else {"Host": host})
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, ""


def test_a_gold_text_is_made_in_the_browser(tmp_path: Path) -> None:
    html = article("Bees &lt;script>", sentences("bees", 3)).encode()
    addresses: list[str] = []
    ready, done = threading.Event(), list[Path | None]()

    def on_ready(address: str) -> None:
        addresses.append(address)
        ready.set()

    def work() -> None:
        done.append(serve(html, None, "site/bees.html", tmp_path, algorithm="econ", on_ready=on_ready))

    server = threading.Thread(target=work)
    server.start()
    assert ready.wait(10)
    address = addresses[0]
    shown = ask(address)[1]
    assert "Bees &lt;script&gt;" in shown
    for wrong in (address.rpartition("/")[0].rpartition("/")[0] + "/other/", address + "x"):
        assert ask(wrong)[0] == 404
    assert ask(address, host="evil.example")[0] == 404  # another name for this machine, as a rebinding page would use
    boxes = re.findall(r'value="(\d+)" checked', shown)
    assert "Saved" in ask(address + "save", urllib.parse.urlencode([("block", box) for box in boxes]).encode())[1]
    server.join(10)
    assert done == [tmp_path / "bees.txt"]
    page = load(tmp_path).pages[0]  # what was saved is a data set
    assert page.html == html
    assert sentences("bees", 3)[0] in (page.text or "")
