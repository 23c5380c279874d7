"""Words and names as hashes: equal where the text is equal, wherever it stands."""

from __future__ import annotations

import pytest

from duramen.algorithms.learned.raw import Raw, read
from duramen.algorithms.learned.vocabulary import hash_names
from tests.support import page_of


def raw_of(html: str) -> Raw:
    return read(page_of(html))


def word_hashes(text: str) -> list[int]:
    found: list[int] = raw_of(f"<p>{text}</p>").word_hash.tolist()
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, wide world 12", ["Hello", "wide", "world", "12"]),
        ("naïve “quoted”—dash", ["naïve", "quoted", "dash"]),
        ("你好世界。再见", ["你好", "好世", "世界", "界", "再见", "见"]),  # pairs of neighbours
        ("abc你", ["abc", "你"]),
        ("a©b ®", ["a", "b"]),  # signs of Latin-1 end a word, at the end of the text too
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    # A word alone has its own hash first; of a pair of ideographs the second follows as a word of its own.
    assert word_hashes(text) == [word_hashes(word)[0] for word in expected]


def test_equal_words_have_equal_hashes_and_others_do_not() -> None:
    words = ["Storm", "at", "the", "coast", "the", "storm", *(f"w{k}" for k in range(5000))]
    found = word_hashes(" ".join(words))
    assert found[0] == found[5]
    assert len(set(found)) == len({word.lower() for word in words})


def test_names_are_whole_and_in_parts() -> None:
    raw = raw_of('<p class="entry-content postId_17 navMain">x</p>')
    expected = "entry-content entry content postId_17 post Id navMain nav Main"
    assert raw.names()[1].tolist() == hash_names(expected)


def test_equal_values_are_read_once() -> None:
    raw = raw_of('<p class="lead big">a</p><p class="lead big" id=one>b</p><p title="lead big">c</p>')
    assert raw.named[1].tolist() == [0, 0, 1]
    assert len(raw.name_at) == 3
    assert raw.names()[0].tolist() == [*[raw.named[0, 0]] * 2, *[raw.named[0, 1]] * 2, raw.named[0, 2]]


def test_many_values_stay_apart() -> None:
    raw = raw_of("".join(f"<p class=c{chr(97 + k % 26) * (k // 26 + 1)}>x</p>" for k in range(2000)))
    assert len(raw.name_at) - 1 == 2000
    assert len(set(raw.names()[1].tolist())) == 2000


def test_numbers_in_names_do_not_matter() -> None:
    assert hash_names("post-17") == hash_names("post-93") != hash_names("post-177")


def test_what_a_block_says_has_one_hash_whatever_the_order() -> None:
    raw = raw_of("<p>one two three</p><p>three <b>two</b> one</p><p>one two two</p>")
    assert raw.said[0] == raw.said[1] != raw.said[2]


def test_the_title_is_read_in_words() -> None:
    assert raw_of("<title>Storm &amp; coast</title><p>x</p>").title.tolist() == sorted(word_hashes("storm coast"))
    assert raw_of("<title></title><p>x</p>").title.tolist() == []
    assert raw_of("<p>x</p>").title.tolist() == []
