"""Learning page types from a made-up corpus."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from duramen.algorithms.learned.page_type import TYPES, page_type
from duramen.cli.train import train
from duramen.errors import InputError
from duramen.train.page_type import cross_validate, read_cases, site_of
from tests.support import page_of

PAGES = 8  # of each type


def made(kind: str, number: int) -> str:
    chance = random.Random(f"{kind}{number}")
    names = " ".join(f"{kind}-{first}{second}" for first in "abcdefgh" for second in "abcdefgh")
    body = "".join(
        f"<p class='{kind}-part {names}'>Some words on {kind} here.</p>" for _ in range(chance.randint(2, 9))
    )
    return f"<html><body class='{kind}'><div class=main>{body}</div></body></html>"


def write_corpus(path: Path, kinds: tuple[str, ...] = TYPES) -> Path:
    rows = [
        {
            "id": f"{kind}{number}",
            "url": f"https://{kind}{number}.example/a",
            "html": made(kind, number),
            "page_type": kind,
        }
        for kind in kinds
        for number in range(PAGES)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(train, ["page-type", *map(str, arguments)], catch_exceptions=False)


def test_training_and_using_a_model(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "typed.jsonl")
    done = run(corpus, "--output", tmp_path / "one.json")
    assert done.exit_code == 0
    assert done.stdout.startswith("accuracy ")
    assert float(done.stdout.split()[1].rstrip(",")) > 0.9
    training = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))["training"]
    assert (training["pages"], training["corpora"]) == (PAGES * len(TYPES), ["typed.jsonl"])
    for kind in TYPES:
        assert page_type(page_of(made(kind, 99)), None, str(tmp_path / "one.json")) == kind


def test_the_same_command_gives_the_same_file(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "typed.jsonl")
    for name in ("one", "two"):
        assert run(corpus, "--no-evaluate", "-q", "--seed", "3", "--output", tmp_path / f"{name}.json").exit_code == 0
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_confusion_counts_every_page(tmp_path: Path) -> None:
    judged = cross_validate(read_cases([write_corpus(tmp_path / "typed.jsonl")])[0])
    assert judged.confusion().sum(axis=1).tolist() == [PAGES] * len(TYPES)
    assert np.trace(judged.confusion(known=False)) / (PAGES * len(TYPES)) == pytest.approx(judged.accuracy(known=False))


def test_every_type_is_needed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="product"):
        read_cases([write_corpus(tmp_path / "typed.jsonl", TYPES[:-1])])


@pytest.mark.parametrize("text", ["no json\n", '{"page_type": "article"}\n'])
def test_a_corpus_that_cannot_be_read(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.jsonl"):
        read_cases([path])
    with pytest.raises(InputError, match="missing"):
        read_cases([tmp_path / "missing.jsonl"])


def test_pages_of_one_site_stay_together() -> None:
    assert site_of("https://docs.a.example/x") == site_of("https://a.example") == "a.example"
    assert site_of(None) == ""
