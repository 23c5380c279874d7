from __future__ import annotations

import random
import subprocess
import sys

import pytest

from duramen.errors import OptionError
from duramen.jobs.dedup import NEAR, Dedup, Duplicate, Seen, fingerprint, mark
from duramen.jobs.dedup.fingerprint import BATCH, shingle_hashes, words


def prose(seed: int, length: int = 300) -> list[str]:
    """Words of a made-up text; texts of different seeds share hardly a shingle."""
    draw = random.Random(seed)
    return [f"w{draw.randrange(5_000)}" for _ in range(length)]


def edited(text: list[str], changes: int, seed: int = 9) -> list[str]:
    """The text with some words replaced by new ones."""
    draw = random.Random(seed)
    copy = list(text)
    for at in draw.sample(range(len(text)), changes):
        copy[at] = f"new{at}"
    return copy


def marks(texts: list[str], dedup: Dedup = NEAR) -> list[Duplicate | None]:
    names = [f"t{number}" for number in range(len(texts))]
    return [found for _, found in mark(zip(names, texts), lambda pair: pair[0], lambda pair: pair[1], dedup)]


def jaccard(one: list[str], other: list[str], size: int = 5) -> float:
    first, second = set(shingle_hashes(one, size).tolist()), set(shingle_hashes(other, size).tolist())
    return len(first & second) / len(first | second)


@pytest.mark.parametrize("near", [True, False])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rain is coming.", "rain  is\ncoming"),
        ("ﬁve ﬁsh", "five fish"),  # ligatures
        ("Ｃａｆé １２", "cafe\u0301 12"),  # full width; composed and decomposed accents
        ("今天下雨。", "今天 下雨"),
    ],
)
def test_equal_texts_are_equal_whatever_their_dress(one: str, other: str, near: bool) -> None:
    assert marks([one, other], Dedup(near=near)) == [None, Duplicate("t0", 1.0)]


def test_different_texts_are_not_duplicates() -> None:
    assert marks([" ".join(prose(seed)) for seed in range(50)]) == [None] * 50


def test_texts_without_words_are_never_duplicates() -> None:
    assert marks(["", " ", "…", "", "—"]) == [None] * 5


def test_the_first_occurrence_stays_and_later_ones_name_it() -> None:
    text = prose(1)
    found = marks([" ".join(each) for each in (text, prose(2), edited(text, 3), text, edited(text, 4))])
    assert [None if each is None else each.of for each in found] == [None, None, "t0", "t0", "t0"]


def test_near_duplicates_are_above_the_threshold_only() -> None:
    """The estimate of 128 permutations is good to ± 0.1 (three standard errors at 0.8)."""
    for changes in (2, 5, 20, 60):
        text = prose(changes)
        other = edited(text, changes)
        (_, found) = marks([" ".join(text), " ".join(other)])
        true = jaccard(text, other)
        assert (found is not None) == (true >= 0.8), (changes, true)
        if found is not None:
            assert abs(found.similarity - true) < 0.1


def test_exact_mode_ignores_near_duplicates() -> None:
    text = prose(3)
    assert marks([" ".join(text), " ".join(edited(text, 1))], Dedup(near=False)) == [None, None]


def test_short_texts_are_compared_exactly() -> None:
    assert marks(["one two three four five six", "one two three four five seven"]) == [None, None]


def test_a_text_like_several_repeats_the_earliest() -> None:
    text = prose(4, 400)
    halves = [" ".join(edited(text, 12, seed)) for seed in (1, 2)]
    found = marks([*halves, " ".join(text)], Dedup(threshold=0.7))
    assert found[1] is None  # the two variants are apart …
    assert found[2] is not None  # … and the original is near both
    assert found[2].of == "t0"


def test_memory_is_bounded_and_the_oldest_is_forgotten_first() -> None:
    texts = [" ".join(prose(seed)) for seed in range(6)]
    seen = Seen(Dedup(most=3))
    for number, text in enumerate(texts):
        assert seen.place(str(number), fingerprint(text)) is None
        assert len(seen) <= 3
    near = " ".join(edited(prose(5), 2))
    found = seen.place("near", fingerprint(near))
    assert found is not None
    assert found.of == "5"
    assert seen.place("again", fingerprint(texts[0])) is None  # forgotten, so it is new


def test_a_long_text_is_sketched_in_pieces() -> None:
    text = [f"x{number}" for number in range(2 * BATCH + 10)]
    pieces = fingerprint(" ".join(text)).sketch
    assert pieces is not None
    found = marks([" ".join(text), " ".join(edited(text, 100))])[1]
    assert found is not None
    assert abs(found.similarity - jaccard(text, edited(text, 100))) < 0.1


def test_lone_surrogates_do_no_harm() -> None:
    assert marks(["a \ud800 b " * 20] * 2)[1] == Duplicate("t0", 1.0)


def test_every_process_makes_the_same_fingerprint() -> None:
    """Python's own hashes differ from process to process; these must not."""
    code = (
        "from duramen.jobs.dedup import fingerprint as f;"
        "p = f(' '.join(map(str, range(99)))); print(p.digest.hex(), p.sketch.hex())"
    )
    runs = {subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout for _ in range(2)}
    here = fingerprint(" ".join(map(str, range(99))))
    assert here.sketch is not None
    assert runs == {f"{here.digest.hex()} {here.sketch.hex()}\n"}


def test_words_of_chinese_are_its_characters() -> None:
    assert words("天气，Rain_y 2") == ["天", "气", "rain", "y", "2"]


@pytest.mark.parametrize(
    "settings", [{"threshold": 0.0}, {"threshold": 1.5}, {"permutations": 2}, {"most": 0}, {"shingle": 0}]
)
def test_settings_that_cannot_work_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(OptionError, match="dedup"):
        Dedup(**settings)  # type: ignore[arg-type]
