"""The files that compile to C: both forms tell the same, and what each of them finds is what plain Python finds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

import duramen
from duramen.algorithms.learned.hidden import hidden_rows
from duramen.algorithms.learned.needles import Needles
from duramen.algorithms.learned.sheets import hiding_rules
from duramen.algorithms.learned.type_marks import count_marks
from duramen.algorithms.learned.type_signals import known_signals, signals
from duramen.models.page_type import page_type_model
from tests.algorithms.learned.judged import TEXTS, judged, made_page
from tests.support import page_of
from tests.test_hot_path import UNCOMPILED

WORDS = (b"comment", b"reply", b"red", "评论".encode())


def test_compiled_and_uncompiled_tell_the_same() -> None:
    root = Path(__file__).parents[3]
    path = os.pathsep.join((str(root), str(Path(duramen.__file__).parent.parent)))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
    script = UNCOMPILED.split("from tests.forms")[0] + (
        "from tests.algorithms.learned.judged import judged\nsys.stdout.write('\\n'.join(judged()))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, env=environment, check=False)
    assert run.returncode == 0, run.stderr.decode()
    assert run.stdout.decode().split("\n") == list(judged())


def test_words_are_found_wherever_they_stand() -> None:
    needles = Needles({word: 1 << number for number, word in enumerate(WORDS)})
    random = Random(2)
    for _ in range(500):
        parts = random.choices(
            (*WORDS, b"comm", b"re", b"RED", b"Comment", b" ", b"x", b"\xe8\xaf"), k=random.randrange(6)
        )
        data = b"".join(parts)
        expected = sum(1 << number for number, word in enumerate(WORDS) if word in data.lower())
        assert needles.found_in(data) == expected, data


def test_a_word_is_no_single_letter() -> None:
    with pytest.raises(ValueError, match="two bytes"):
        Needles({b"comment": 1, b"x": 1})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (0, 0, 0)),
        ("$30.00 or €25, £ 3, USD 4, rs. 5, 12 kr, 7zł, 100円, 20 руб", (9, 0, 0)),
        ("$ x, a12€, 12 krx, 30 dollars, USDx 3", (0, 0, 0)),
        ("2024-05-12, 12.5.24, 1/2/2024, May 12, Sept. 3, 12 June, two years ago, 5月1日", (0, 8, 0)),
        ("2024-05, 112.5.24, mayor 12x, agony, 12.5.245, 1924.13.111", (0, 0, 0)),
        ("Who? 谁？ why?!", (0, 0, 3)),
        ("1.1.1." * 50, (0, 0, 0)),
    ],
)
def test_prices_dates_and_questions(text: str, expected: tuple[int, int, int]) -> None:
    assert count_marks(text.encode()) == expected


def test_dates_are_those_of_a_regular_expression() -> None:
    month = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    pattern = re.compile(
        rf"\b(?:19|20)\d\d[-/.]\d{{1,2}}[-/.]\d{{1,2}}\b|\b\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:19|20)?\d\d\b"
        rf"|\b{month}[a-z]*\.? \d{{1,2}}\b|\b\d{{1,2}} {month}|\bago\b|\d月\d",
        re.IGNORECASE,
    )
    random = Random(4)
    pieces = ("1", "12", "2024", "19", ".", "-", "/", " ", "May", "Sept", "ago", "月", "_", "x", "é", "“")
    for _ in range(3000):
        text = "".join(random.choices(pieces, k=random.randrange(12)))
        assert count_marks(text.encode())[1] == len(pattern.findall(text)), text


def test_known_signals_are_those_of_all_that_a_model_knows() -> None:
    model, random = page_type_model("wcxb"), Random(6)
    for _ in range(10):
        page = page_of(made_page(random))
        every, known = signals(page, "https://a.example/b"), known_signals(page, "https://a.example/b", model.index)
        assert np.array_equal(known.known, model.known(every.hashes))
        assert np.array_equal(known.counts, every.counts)


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        (b"", []),
        (b".a{display:none}", [b".a"]),
        (b".a{color:red}.b{Display : NONE;visibility:hidden}", [b".b"]),
        (b"@media x{.a{display:none}}.b{display:none}", [b".b"]),
        (b"/* .a{display:none} */.b{visibility:hidden}", [b"/* .a{display:none} */.b"]),
        (b"/* never closed .a{display:none}", [b"/* never closed .a"]),
        (b".a{display:none", [b".a"]),
        (b"display:none}.a{}", []),
    ],
)
def test_rules_that_hide(sheet: bytes, expected: list[bytes]) -> None:
    assert [sheet[begin:end] for begin, end in hiding_rules(sheet, 9)] == expected


@pytest.mark.parametrize(
    "sheet",
    ["/* " * 20000, ".x{display/*" * 9000, "{" * 60000 + "display:none", ".x{" + "display:none;" * 9000, ".x{" * 40000],
)
def test_no_style_sheet_is_too_much(sheet: str) -> None:
    page = page_of(f"<style>{sheet}</style><div class=x>{TEXTS[0]}</div><p>{TEXTS[0] * 20}</p>")
    assert hidden_rows(page).invisible.shape == (len(page),)


@pytest.mark.parametrize("rule", [b"display:none", b"DisPlay : None", b"visibility:hidden", b"VISIBILITY: hidden"])
def test_a_rule_is_found_wherever_it_stands(rule: bytes) -> None:
    for shift in range(40):
        before = (b"disc;visit;display-x;" * 3)[:shift]
        sheet = before + b"a{}.x{" + rule
        assert hiding_rules(sheet, 9) == [(shift + 3, shift + 5)]
        assert hiding_rules(sheet + b"}" + b"." * shift, 9) == [(shift + 3, shift + 5)]
        assert hiding_rules(sheet[:-1], 9) == []
