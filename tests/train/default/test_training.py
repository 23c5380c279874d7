"""`duramen train default`, on pages made up for the tests."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from duramen.algorithms.learned import Learned
from duramen.algorithms.learned.features import context, lexicon_scores, scorer
from duramen.algorithms.learned.lexicon import pair_slots
from duramen.algorithms.learned.raw import read
from duramen.cli.train import train
from duramen.errors import InputError
from duramen.models.default import LEXICONS, lexicon
from duramen.train.default.corpus import Corpus, fold_of, site_of
from duramen.train.default.judge import Judged, calibration, judge, table
from duramen.train.default.lexicons import BITS, MOST_WORDS, word_sample
from duramen.train.default.network import Layers, Lesson, Training, _slopes, noisy, predict, taught
from duramen.train.default.network import train as teach
from duramen.train.default.pools import joined, pool
from tests.support import kept_text, page_of
from tests.train.made import made_page, write_corpus


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(train, ["default", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "made.jsonl.xz"
    pages = [replace(made_page(k, "de" if k % 3 == 2 else "en"), source=f"site{k}") for k in range(24)]
    write_corpus(path, pages)
    return path


def test_a_model_from_a_corpus(corpus: Path, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.json", "two.json")]
    for workers, path in enumerate(paths, 1):  # the number of workers makes no difference
        size = ("--folds", "2", "--epochs", "60", "--teachers", "1", "--workers", str(workers))
        done = run(corpus, "-o", path, *size, "--plots", tmp_path / "plots", "-q")
        assert done.exit_code == 0
    assert done.stdout.splitlines()[0].split() == ["cross-validated", "pages", "F1", "P", "R"]
    assert paths[0].read_bytes() == paths[1].read_bytes()  # the same command gives the same file
    assert (tmp_path / "plots" / "reliability.svg").stat().st_size > 1000
    training = json.loads(paths[0].read_text(encoding="utf-8"))["training"]
    assert (training["pages"], training["corpora"], training["files"]) == (24, {"made": 24}, ["made.jsonl.xz"])
    made = made_page(50)
    page = page_of(made.html)
    text = kept_text(page, Learned(model=str(paths[0])).select(page))
    assert made.gold.split("\n")[0] in text
    assert "Copyright" not in text


def test_too_few_pages_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl.xz"
    write_corpus(path, [made_page(1)])
    with pytest.raises(InputError, match="too few labelled pages: 1"):
        run(path)


def test_pages_of_one_site_cannot_be_cross_validated(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl.xz"
    write_corpus(path, [replace(made_page(k), source="site") for k in range(12)])
    with pytest.raises(InputError, match="too few sites"):
        run(path, "-q")


@pytest.mark.parametrize("text", ["{}", "no json"])
def test_a_broken_corpus_is_named_with_its_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1: no labelled page"):
        list(Corpus([path]))


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.example.com/a", "example.com"),
        ("https://news.example.co.uk/a", "example.co.uk"),
        ("http://example.de", "example.de"),
        ("made/17", "made/17"),
    ],
)
def test_sites(url: str, site: str) -> None:
    assert site_of(url) == site
    assert fold_of(site, 5) == fold_of(site, 5) < 5


def lessons(pages: int, blocks: int, chance: np.random.Generator) -> list[Lesson]:
    """Pages of two features; a block is content where both have the same sign."""
    made = []
    for _ in range(pages):
        inputs = chance.uniform(-1, 1, (blocks, 2)).astype(np.float32)
        group = chance.integers(0, 5, blocks, dtype=np.int32)
        target = (inputs[:, 0] * inputs[:, 1] > 0).astype(np.float32)
        ones = np.ones(blocks)
        pools = (pool(np.zeros(blocks, dtype=np.int32), ones), pool(group, ones))
        made.append(Lesson(inputs, target, ones.astype(np.float32), ones.astype(np.float32), pools))
    return made


def right(layers: Layers, pages: list[Lesson]) -> float:
    """The share of blocks on the right side of one half."""
    hits = [(predict(layers, page.inputs, page.pools) > 0.5) == (page.target > 0.5) for page in pages]
    return float(np.concatenate(hits).mean())


def test_a_network_learns_what_no_line_can_part() -> None:
    pages = lessons(40, 100, np.random.default_rng(0))
    training = Training(hidden=(16, 8), epochs=30, batch=128, rate=0.01, dropout=0.0, teachers=0)
    assert right(teach(pages, training), pages) > 0.95


def test_a_network_learns_from_the_rest_of_a_group() -> None:
    chance = np.random.default_rng(0)
    pages = []
    for page in lessons(60, 50, chance):
        group = page.pools[1]
        first = np.maximum(page.inputs[:, :1], 0)
        # Nothing in a block itself tells whether its group is above the page.
        target = (group.means(first) > page.pools[0].means(first))[:, 0].astype(np.float32)
        pages.append(page._replace(target=target))
    training = Training(hidden=(16, 8), epochs=40, batch=200, rate=0.01, dropout=0.0, teachers=0)
    alone = [page._replace(pools=()) for page in pages]
    assert right(teach(pages[:40], training), pages[40:]) > 0.9
    assert right(teach(alone[:40], training), alone[40:]) < 0.8


def test_slopes_are_those_of_the_loss() -> None:
    chance = np.random.default_rng(3)
    page = lessons(1, 30, chance)[0]
    wide = [(2, 4), (4,), (12, 3), (3,), (3, 1), (1,)]  # two pools: the second layer takes three times four
    parts = [(0.4 * chance.standard_normal(shape)).astype(np.float32) for shape in wide]
    masks = [np.ones((30, 4), dtype=np.float32), np.ones((30, 3), dtype=np.float32)]
    slopes = _slopes(parts, page, page.weight, masks)

    def loss() -> float:
        chances = predict(tuple(zip(parts[::2], parts[1::2])), page.inputs, page.pools).astype(np.float64)
        return float(-np.log(np.where(page.target > 0, chances, 1 - chances)).sum())

    for part, slope in zip(parts, slopes):
        part.flat[0] += 1e-2
        above = loss()
        part.flat[0] -= 2e-2
        below = loss()
        part.flat[0] += 1e-2
        assert slope.flat[0] == pytest.approx((above - below) / 2e-2, rel=0.03, abs=0.03)


def test_teachers_are_believed_beside_the_labels_and_alone_where_there_is_noise() -> None:
    pages = lessons(4, 30, np.random.default_rng(2))
    training = Training(hidden=(4, 3), epochs=2, batch=30, teachers=0, believed=0.5)
    teachers = [teach(pages, replace(training, seed=seed)) for seed in (0, 1)]
    page = pages[0]._replace(weight=np.where(np.arange(30) < 20, pages[0].weight, 0))
    chances = [predict(teacher, page.inputs, page.pools) for teacher in teachers]
    odds = np.mean([np.log(chance / (1 - chance)) for chance in chances], axis=0)
    thought = 1 / (1 + np.exp(-odds))
    one, chance = np.zeros(30, dtype=np.intp), np.random.default_rng(0)
    found = taught(page, one, teachers, replace(training, disturbed=0.0), chance)
    assert found.target[:20] == pytest.approx((page.target[:20] + thought[:20]) / 2, abs=1e-6)
    assert found.target[20:] == pytest.approx(thought[20:], abs=1e-6)  # where nobody knows
    assert found.weight.tolist() == [1.0] * 30
    other = taught(page, one, teachers[:1], replace(training, disturbed=1.0), chance)
    assert (other.inputs != page.inputs).all()
    assert other.target == pytest.approx(predict(teachers[0], other.inputs, page.pools), abs=1e-6)


def test_noise_leaves_features_out_of_whole_pages() -> None:
    inputs, page = np.ones((6, 200), dtype=np.float32), np.repeat([0, 1], 3)
    training = Training(noise=0.1, blanked=0.3)
    found = noisy(inputs, page, training, np.random.default_rng(0))
    left_out = found == 0
    assert (left_out[:3] == left_out[0]).all() and (left_out[3:] == left_out[3]).all()
    assert (left_out[0] != left_out[3]).any()
    assert 0.2 < float(left_out.mean()) < 0.4
    assert float(np.abs(found[~left_out] - 1).mean()) == pytest.approx(0.08, abs=0.01)


def test_pupils_of_several_teachers_suffer_less_from_wrong_labels() -> None:
    chance = np.random.default_rng(0)
    pages = lessons(60, 50, chance)
    wrong = [page._replace(target=np.abs(page.target - (chance.random(50) < 0.3)).astype(np.float32)) for page in pages]
    training = Training(hidden=(16, 8), epochs=40, batch=200, rate=0.01, dropout=0.0, teachers=0)
    alone = [right(teach(wrong[:30], replace(training, seed=seed)), pages[30:]) for seed in range(2)]
    pupils = [
        right(teach(wrong[:30], replace(training, seed=seed, teachers=4, pupil_epochs=40)), pages[30:])
        for seed in range(2)
    ]
    assert np.mean(pupils) > np.mean(alone)


def test_means_of_joined_pages_are_those_of_each() -> None:
    pages = lessons(3, 20, np.random.default_rng(4))
    values = [page.inputs for page in pages]
    each = np.concatenate([page.pools[1].means(value) for page, value in zip(pages, values)])
    assert joined([page.pools[1] for page in pages]).means(np.concatenate(values)) == pytest.approx(each, abs=1e-6)


def test_calibration_rises() -> None:
    chance = np.random.default_rng(1)
    pages = [
        Judged(str(k), "made", "", float(expected), float(expected**2), 0, 0)
        for k, expected in enumerate(chance.random(300))
    ]
    expected, actual = calibration(pages)
    assert (np.diff(expected) > 0).all()
    assert (np.diff(actual) >= 0).all()
    assert np.interp(0.5, expected, actual) == pytest.approx(0.25, abs=0.05)
    empty = [Judged(f"empty {k}", "made", "", 0.0, 1.0, 1.0, 1.0) for k in range(100)]  # rightly: no content
    assert all(map(np.array_equal, calibration(pages + empty), (expected, actual)))


def test_what_teaches_the_words_is_what_is_looked_up() -> None:
    """Words and pairs of a sample, times their weights, are the score of a block; a block cut short has no end."""
    long = " ".join(f"w{k}" for k in range(MOST_WORDS + 2))
    raw = read(page_of(f"<p>one two three two one</p><p>go</p><p>$$$</p><p>{long}</p>"))
    sample = word_sample(raw, np.arange(len(raw)), np.zeros(len(raw)), np.ones(len(raw)), pairs=True)
    assert np.diff(sample.at).tolist() == [5 + 6, 1 + 2, 0, MOST_WORDS + MOST_WORDS + 1]
    weights = np.random.default_rng(0).integers(-127, 128, 2 << BITS).astype(np.float32)
    weights[[0, 1 << BITS]] = 127  # so that a step is one
    assert sample.value is not None
    taught = np.add.reduceat(np.append(sample.value * weights[sample.slot], 0), sample.at[:-1])
    tables = {name: lexicon(np.zeros(1 << BITS, dtype=np.float32)) for name in LEXICONS}
    tables |= {"words": lexicon(weights[: 1 << BITS]), "pairs": lexicon(weights[1 << BITS :])}
    found = lexicon_scores(context(raw), scorer(tables))[2]
    assert found[:2].tolist() == pytest.approx(taught[:2].tolist(), rel=1e-5)
    assert found[2] == 0
    ends = pair_slots(raw.word_hash[-1:], np.zeros(1, dtype=np.uint32), 1 << BITS) + (1 << BITS)
    assert ends[0] not in sample.slot


def test_pages_with_snippets_only_are_judged_by_these(tmp_path: Path) -> None:
    path = tmp_path / "snippets.jsonl"
    html = "<nav><p>Home News Sports</p></nav><p>The storm reached the coast.</p><p>Nobody was hurt.</p>"
    required, forbidden = ["storm reached the", "Nobody was hurt"], ["News Sports", "Contact"]
    row = {"id": "one", "dataset": "made", "html": html, "with": required, "without": forbidden}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    (example,) = Corpus([path])
    first, second = (judge(example, np.array(chances)) for chances in ([0.9, 0.9, 0.01], [0.01, 0.9, 0.9]))
    assert (first.f1, first.snippets, second.snippets) == (None, (1, 1, 1), (2, 0, 0))
    assert table([first, second]) == [("made snippets", 2, 6 / 8, 3 / 4, 3 / 4)]
