"""From the arrays of a page to its text: compiled and uncompiled files do the same, and nothing is lost on the way."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

import duramen
from duramen.algorithms import algorithm
from duramen.decode import decode
from duramen.decode.utf8 import HAS_NUL, HAS_RETURN, NOT_ASCII, NOT_UTF8, held_by, share_of_faults
from duramen.measure import Deferred
from duramen.page import Selection
from duramen.parse import parse_html5
from duramen.render import to_text
from tests.forms import digests, written_page

# Runs the .py files though compiled ones stand beside them, as where Cython is not installed.
UNCOMPILED = """
import sys, importlib.machinery as machinery
def hook(path):
    if "duramen" not in path.replace(chr(92), "/").split("/src/")[-1].split("/")[:1]:
        raise ImportError
    return machinery.FileFinder(path, (machinery.SourceFileLoader, [".py"]))
sys.path_hooks.insert(0, hook)
sys.modules["cython"] = None
from duramen.render import gaps
assert gaps.__file__.endswith(".py"), gaps.__file__
from tests.forms import digests
sys.stdout.write("\\n".join(digests()))
"""


def test_compiled_and_uncompiled_give_the_same() -> None:
    root = Path(__file__).parent.parent
    path = os.pathsep.join((str(root), str(Path(duramen.__file__).parent.parent)))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
    run = subprocess.run([sys.executable, "-c", UNCOMPILED], capture_output=True, env=environment, check=False)
    assert run.returncode == 0, run.stderr.decode()
    assert run.stdout.decode().split("\n") == list(digests())


@pytest.mark.parametrize("name", ["cetd", "coreex", "econ"])
def test_a_selection_survives_the_way_to_another_process(name: str) -> None:
    """Traces and columns that nobody has looked at yet are no exception."""
    page = parse_html5(written_page(Random(3)))
    fresh, seen = (algorithm(name).select(page) for _ in range(2))
    copy = pickle.loads(pickle.dumps(fresh))
    assert dict(copy.trace) == dict(seen.trace)
    assert list(copy.columns) == list(seen.columns)
    assert to_text(page, copy) == to_text(page, seen)


@pytest.mark.parametrize("name", ["cetd", "coreex", "econ"])
@pytest.mark.parametrize(
    ("field", "row", "value"),
    [("parent", 3, -1), ("parent", 3, 4), ("end", 2, 2), ("end", 2, 10**6), ("end", 0, -1), ("tag", 1, -5)],
)
def test_a_page_that_is_no_tree_is_refused(name: str, field: str, row: int, value: int) -> None:
    """What compiled passes rely on is checked before them."""
    page = parse_html5(b"<body><div><p>one, two.</p><p>three</p></div>")
    selection = algorithm(name).select(page)
    array = getattr(page, field).copy()
    array[row] = value
    broken = replace(page, **{field: array})
    with pytest.raises(IndexError):
        algorithm(name).select(broken)
    with pytest.raises(IndexError):
        to_text(broken, selection)


def test_arrays_that_are_too_short_are_refused() -> None:
    page = parse_html5(b"<body><p>one, two.</p>")
    for name in ("cetd", "coreex", "econ"):
        with pytest.raises(IndexError):
            algorithm(name).select(replace(page, chars=page.chars[:-1]))
    with pytest.raises(IndexError):
        to_text(page, Selection(kept=np.ones(len(page) - 1, dtype=np.bool_)))


def test_a_deferred_mapping_is_made_once_and_only_when_asked() -> None:
    made = []

    def make() -> dict[str, int]:
        made.append(1)
        return {"a": 1, "b": 2}

    told = Deferred(make)
    assert not made
    assert (told["a"], len(told), list(told), told.get("c"), "b" in told) == (1, 2, ["a", "b"], None, True)
    assert told == {"a": 1, "b": 2}
    assert repr(told) == "{'a': 1, 'b': 2}"
    assert len(made) == 1


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"a", b"\x80", b"\xc3", b"\xc3\xa9", b"\xc0\xaf", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xe0\xa0\x80"),
        *(b"\xed\x9f\xbf", b"\xed\xa0\x80", b"\xef\xbf\xbf", b"\xf0\x8f\xbf\xbf", b"\xf0\x90\x80\x80", b"\xe4\xb8"),
        *(b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xff", b"\xe4\xb8\xad\x80", b"\xf0\x9f\x98"),
    ],
)
@pytest.mark.parametrize("before", [0, 1, 15, 16, 127, 128, 4095, 5000])
@pytest.mark.parametrize("after", [0, 1, 7, 200])
def test_validity_is_what_python_says(data: bytes, before: int, after: int) -> None:
    """Around the sizes of the blocks that the check takes at a time."""
    data = b"x" * before + data + b"y" * after
    try:
        data.decode()
        valid = True
    except UnicodeDecodeError:
        valid = False
    assert (held_by(data) != NOT_UTF8) is valid


def test_random_bytes_are_valid_where_python_says_so() -> None:
    random = Random(5)
    alphabet = [
        b"a",
        b"<",
        *(mark.encode() for mark in "é中😀\u07ff\ud7ff\ue000"),
        b"\x80",
        b"\xe4",
        b"\xf0\x9f",
        b"\xc2",
        b"\0",
        b"\r",
    ]
    verdicts = set()
    for _ in range(3000):
        weights = [40, 9, 9, 9, 9, 9, 9, 9, 0.3, 0.3, 0.3, 0.3, 1, 1]
        data = b"".join(random.choices(alphabet, weights, k=random.randrange(60)))
        valid = data.decode("utf-8", "ignore").encode() == data
        assert (held_by(data) != NOT_UTF8) is valid, data
        if valid:
            held = held_by(data)
            assert bool(held & NOT_ASCII) is not data.isascii(), data
            assert (bool(held & HAS_NUL), bool(held & HAS_RETURN)) == (0 in data, 0x0D in data), data
        verdicts.add(valid)
    assert verdicts == {True, False}


def test_faults_of_utf8_are_those_of_the_text_that_python_reads() -> None:
    random = Random(6)
    faults = re.compile("[\x80-\x84\x86-\x9f\ue000-\uf8ff\ufffd]")
    edges = bytes.fromhex("41 7f 80 84 85 86 8f 90 9f a0 a3 a4 bd bf c0 c1 c2 c3 df e0 ed ee ef f0 f1 f4 f5 ff")
    shares = set()
    for _ in range(20_000):
        data = bytes(random.choices(edges, k=random.randrange(10)))
        text = data.decode("utf-8", "replace")
        beyond_ascii = sum(character > "\x7f" for character in text)
        share = len(faults.findall(text)) / max(beyond_ascii, 1)
        assert share_of_faults(data) == share, data
        shares.add(share)
    assert len(shares) > 10


def test_valid_utf8_is_not_copied() -> None:
    source = "<p>naïve 中文 😀</p>".encode()
    assert decode(source).utf8 is source
