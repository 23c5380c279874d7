"""Words and names as hashes: equal where the text is equal, wherever it stands."""

from __future__ import annotations

import numpy as np
import pytest

from duramen.algorithms.learned.hashing import Words, hash_names, names_of, words_of


def cut(text: str) -> tuple[list[str], Words]:
    data = text.encode()
    found = words_of(np.frombuffer(data, dtype=np.uint8))
    return [data[a:b].decode() for a, b in zip(found.start.tolist(), found.end.tolist())], found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("Hello, wide world 12", ["Hello", "wide", "world", "12"]),
        ("naïve “quoted”—dash", ["naïve", "quoted", "dash"]),
        ("你好世界。再见", ["你好", "好世", "世界", "界", "再见", "见"]),  # pairs of neighbours
        ("abc你", ["abc", "你"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert cut(text)[0] == expected


def test_equal_words_have_equal_hashes_and_others_do_not() -> None:
    words, found = cut("Storm at the coast: the storm " + " ".join(f"w{k}" for k in range(5000)))
    assert found.hash[0] == found.hash[words.index("storm")]
    assert len(set(found.hash.tolist())) == len({word.lower() for word in words})


def test_names_are_whole_and_in_parts() -> None:
    value = b"entry-content postId_17 navMain"
    fresh = np.zeros(len(value), dtype=np.bool_)
    fresh[0] = True
    found = names_of(np.frombuffer(value, dtype=np.uint8), fresh)
    parts = [value[a:b].decode() for a, b in zip(found.start.tolist(), found.end.tolist())]
    expected = ["entry-content", "entry", "content", "postId_17", "post", "Id", "navMain", "nav", "Main"]
    assert sorted(parts) == sorted(expected)
    assert found.hash[parts.index("content")] == hash_names("content")[0]


def test_numbers_in_names_do_not_matter() -> None:
    assert hash_names("post-17")[0] == hash_names("post-93")[0] != hash_names("post-177")[0]
