"""Every metric on the vectors that its definition was worked out on, and against independent code."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache

import numpy as np
import pytest

from duramen.bench.extras import need
from duramen.bench.metrics import (
    Scores,
    Verdict,
    aeb_scores,
    agreement,
    aligned,
    answer_of_copy,
    answer_of_text,
    bag_scores,
    block_scores,
    by_source,
    chars,
    extracted_nodes,
    lcs_length,
    lcs_scores,
    lenient_scores,
    marked_words,
    means,
    node_scores,
    normalise,
    outliers,
    over_sources,
    paired_bootstrap,
    part_recall,
    part_words,
    pooled,
    resampled_means,
    scores,
    shares,
    shingle_shares,
    similarity,
    snippet_counts,
    snippet_scores,
    terms,
    text_scores,
    verdict,
    words,
)
from duramen.errors import MissingExtra
from duramen.measure import within
from duramen.page import BoolArray, Page
from tests.support import page_of
from tests.support import words as numbered_words


def close(found: Scores, *expected: float) -> bool:
    return (found.precision, found.recall, found.f1) == pytest.approx(expected, abs=5e-5)


# ---- words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat, sat.", ["The", "cat,", "sat."]),
        ("a\u00a0b\u3000c\u200bd", ["a", "b", "cd"]),  # NBSP and ideographic space separate, zero-width vanishes
        ("新华网 Web2.0版", ["新", "华", "网", "Web2.0", "版"]),
        ("カタカナ and ひら", ["カ", "タ", "カ", "ナ", "and", "ひ", "ら"]),
        ("e\u0301", ["é"]),  # NFC
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_words_without_punctuation_and_in_lower_case() -> None:
    assert words("Ha — so IT is!", lower=True, punctuation=False) == ["ha", "so", "it", "is!"]


def test_terms_are_letters_and_digits() -> None:
    assert terms("Don't stop, 新 闻x_1") == ["don", "t", "stop", "新", "闻", "x_1"]


def test_chars_and_normalised_text() -> None:
    assert normalise("  a \n\t b ") == "a b"
    assert chars("a b\u200b c") == ["a", "b", "c"]


def test_marks_are_words_of_the_structural_half() -> None:
    assert marked_words("<H>Title<p>Some text") == ["<h>", "Title", "<p>", "Some", "text"]


# ---- precision and recall


@pytest.mark.parametrize(
    ("common", "extracted", "gold", "expected"),
    [
        (0, 0, 0, (1, 1, 1)),
        (0, 0, 5, (0, 0, 0)),
        (0, 5, 0, (0, 1, 0)),
        (0, 5, 5, (0, 0, 0)),
        (3, 4, 4, (0.75, 0.75, 0.75)),
    ],
)
def test_scores_and_empty_rules(common: int, extracted: int, gold: int, expected: tuple[float, ...]) -> None:
    found = scores(common, extracted, gold)
    assert close(found, *expected)
    assert found.no_gold == (extracted > 0 and gold == 0)


def test_dataset_f1_is_reported_twice() -> None:
    found = means([Scores(1, 0.5, 2 / 3), Scores(0.5, 1, 2 / 3), Scores(0, 0, 0)])
    assert (found.pages, found.precision, found.recall) == (3, 0.5, 0.5)
    assert found.f1_of_means == pytest.approx(0.5)
    assert found.mean_f1 == pytest.approx(4 / 9)
    assert means([]).pages == 0


def test_micro_average_pools_the_counts() -> None:
    assert close(pooled([(1, 1, 10), (9, 99, 10)]), 0.1, 0.5, 2 * 10 / 120)
    assert close(pooled([]), 1, 1, 1)


def test_breakdown_by_source() -> None:
    pages = [("b.org", Scores(1, 1, 1)), ("a.org", Scores(0.5, 0.5, 0.5)), ("a.org", Scores(0.7, 0.7, 0.7))]
    sources = by_source(pages)
    assert list(sources) == ["a.org", "b.org"]
    assert sources["a.org"].pages == 2
    assert sources["a.org"].f1_of_means == pytest.approx(0.6)
    assert outliers(sources) == ["a.org"]
    assert over_sources(list(sources.values())).precision == pytest.approx(0.8)  # sources count the same


# ---- the longest common subsequence

VECTORS = [
    ("home the cat sat on the mat", "the cat sat on the red mat today", 6, (0.8571, 0.75, 0.8), 3, 9, 0.6667),
    ("b a", "a b", 1, (0.5, 0.5, 0.5), 2, 3, 0.3333),
    ("the the the", "the cat", 1, (0.3333, 0.5, 0.4), 3, 4, 0.25),
    ("", "", 0, (1, 1, 1), 0, 0, 1),
    ("", "a", 0, (0, 0, 0), 1, 1, 0),
    ("a", "", 0, (0, 1, 0), 1, 1, 0),
]


@pytest.mark.parametrize(("extracted", "gold", "common", "prf", "distance", "alignment", "score"), VECTORS)
def test_lcs_vectors(
    extracted: str, gold: str, common: int, prf: tuple[float, ...], distance: int, alignment: int, score: float
) -> None:
    found = lcs_scores(words(extracted), words(gold))
    assert (found.common, found.distance, found.alignment) == (common, distance, alignment)
    assert close(found.scores, *prf)
    assert found.cleaneval == pytest.approx(score, abs=5e-5)


def test_a_swapped_pair_is_whole_for_a_bag() -> None:
    assert close(bag_scores(["b", "a"], ["a", "b"]), 1, 1, 1)


def slow_lcs(a: list[str], b: list[str]) -> int:
    @cache
    def length(i: int, j: int) -> int:
        if i == len(a) or j == len(b):
            return 0
        if a[i] == b[j]:
            return 1 + length(i + 1, j + 1)
        return max(length(i + 1, j), length(i, j + 1))

    return length(0, 0)


def test_lcs_equals_the_textbook_recurrence_and_the_identities_hold() -> None:
    chance = random.Random(5)
    for _ in range(60):
        a, b = ([chance.choice("abcde") for _ in range(chance.randrange(1, 25))] for _ in range(2))
        found = lcs_scores(a, b)
        assert found.common == slow_lcs(a, b)
        f1 = found.scores.f1
        assert found.cleaneval == pytest.approx(f1 / (2 - f1))
        assert bag_scores(a, b).f1 >= f1 - 1e-12
        in_a, in_b = aligned(a, b)
        assert [x for x, hit in zip(a, in_a) if hit] == [x for x, hit in zip(b, in_b) if hit]
        assert in_a.sum() == found.common


def test_fifty_thousand_words_take_no_time() -> None:
    chance = random.Random(1)
    a = [str(chance.randrange(5000)) for _ in range(50_000)]
    b = [word for word in a if chance.random() < 0.9]
    assert lcs_length(a, b) == len(b)


# ---- bags, snippets, shingles, similarity


def test_distinct_words() -> None:
    assert close(bag_scores("a a b".split(), "a c".split(), distinct=True), 0.5, 0.5, 0.5)


def test_snippets() -> None:
    text = "The  quick\nfox. Menu"
    assert snippet_counts(text, ["quick fox", "lazy dog"], ["Menu", "Login"]) == (1, 1, 1, 1)
    assert close(snippet_scores([(1, 1, 1, 1), (3, 0, 1, 2)]), 4 / 5, 4 / 6, 8 / 11)
    assert close(snippet_scores([]), 0, 0, 0)


def test_aeb_is_the_f1_of_means_and_leaves_out_what_has_no_precision() -> None:
    assert shingle_shares("a b c d e".split(), "a b c d f".split()) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert shingle_shares(["a"], ["a"]) == (1, 0, 0)  # shorter than a shingle
    assert shingle_shares([], ["a"]) == (0, 0, 1)
    assert close(aeb_scores([(1 / 3, 1 / 3, 1 / 3), (0, 0, 1)]), 0.5, 0.25, 1 / 3)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("the cat sat on the mat", "the cat sat on the mat " * 2, 0.5),
        ("Home News the cat sat.", "the cat sat on a mat", 0.6),
        ("one two", "three four", 0),
        ("", "", 1),
        ("", "word", 0),
    ],
)
def test_cosine_times_length_ratio(one: str, other: str, expected: float) -> None:
    assert similarity(one, other) == pytest.approx(expected)
    assert similarity(other, one) == pytest.approx(expected)


def test_inter_annotator_agreement_is_the_mean_similarity() -> None:
    assert agreement([("the cat", "the cat"), ("one two", "three four")]) == (0.5, 2)


# ---- correctly, wrongly, missed


@pytest.mark.parametrize(
    ("precision", "recall", "expected"),
    [
        (0.97, 1, Verdict.WRONGLY),
        (0.99, 0.985, Verdict.CORRECTLY),
        (0.98, 0.98, Verdict.CORRECTLY),  # the bound itself
        (1, 0.97, Verdict.MISSED),
        (0, 0, Verdict.MISSED),
    ],
)
def test_verdicts(precision: float, recall: float, expected: Verdict) -> None:
    assert verdict(precision, recall) is expected


def test_verdict_without_tolerance() -> None:
    assert verdict(0.99, 1, 0) is Verdict.WRONGLY
    assert verdict(1, 1, 0) is Verdict.CORRECTLY


def test_shares_sum_to_one() -> None:
    found = shares([Verdict.CORRECTLY, Verdict.MISSED, Verdict.MISSED])
    assert found == {Verdict.CORRECTLY: 1 / 3, Verdict.WRONGLY: 0, Verdict.MISSED: 2 / 3}
    assert sum(shares([]).values()) == 0


def test_dont_care_words_count_neither_for_nor_against() -> None:
    gold, title = words("the storm hit the coast"), words("Storm news of today")
    assert close(lenient_scores([*title, *gold], gold, title), 1, 1, 1)
    assert lenient_scores([*title, *gold], gold).precision < 1
    # The title may also be in the gold and not in the extraction.
    assert close(lenient_scores(gold, [*title, *gold], title), 1, 1, 1)


# ---- nodes

HTML = """<body><p id=n1>{n1}</p><p id=n2>{n2}</p><p id=n3>{n3}</p><p id=n4>{n4}</p><p id=n5>{n5}</p></body>"""
SIZES = {"n1": 40, "n2": 30, "n3": 2, "n4": 28, "n5": 7}


def five_nodes() -> Page:
    return page_of(HTML.format(**{name: numbered_words(size, name + "w") for name, size in SIZES.items()}))


def rows_of(page: Page, *names: str) -> BoolArray:
    roots = np.array([bool(page.tag[row]) and page.attribute(row, "id") in names for row in range(len(page))])
    return extracted_nodes(page, within(page, roots))


def test_node_and_text_based_vector() -> None:
    page = five_nodes()
    answer, extracted = rows_of(page, "n1", "n2", "n3", "n4"), rows_of(page, "n1", "n2", "n4", "n5")
    assert close(node_scores(extracted, answer), 0.75, 0.75, 0.75)
    assert close(text_scores(page, extracted, answer), 0.9333, 0.98, 0.9561)


def test_answer_of_a_gold_text_needs_four_fifths_of_a_node() -> None:
    page = page_of("<p>one two three four five</p><p>six seven eight nine ten</p><script>one two</script><p>Menu</p>")
    answer = answer_of_text(page, "one two three four … six seven eight")
    assert [page.text_of(row) for row in np.flatnonzero(answer).tolist()] == ["one two three four five"]


def test_answer_of_a_labelled_copy_follows_order_and_text() -> None:
    page = page_of("<p>Menu</p><p>News</p><div>Text <b>one</b></div><p>News</p>")
    copy = page_of("<p>Menu</p><p data-label=Title>News</p><div data-label=Body>Text <b>one</b></div><p>News</p>")
    labelled = within(copy, np.array([copy.attribute(row, "data-label") is not None for row in range(len(copy))]))
    answer = answer_of_copy(page, copy, labelled)
    assert [page.text_of(row).strip() for row in np.flatnonzero(answer).tolist()] == ["News", "Text", "one"]


def test_block_scores() -> None:
    page = page_of("<p>one two <b>three</b></p><p>four five</p><p>menu link</p>")
    first_two = np.zeros(len(page), dtype=np.bool_)
    first_two[: int(page.end[int(np.flatnonzero(page.named("p"))[0])])] = True
    assert close(block_scores(page, first_two, "one two three four"), 1, 0.5, 2 / 3)  # half of a block is enough
    assert close(block_scores(page_of(""), np.zeros(3, dtype=np.bool_), ""), 1, 1, 1)


def test_recall_by_part() -> None:
    parts = [("Title", "Storm hits coast"), ("Body", numbered_words(10, "b")), ("Date", "Monday")]
    found = part_words(parts, "Storm hits coast " + numbered_words(9, "b"))
    assert found == {"Title": (3, 3), "Body": (9, 10), "Date": (0, 1)}
    recalled = part_recall([found, {"Title": (0, 2)}])
    assert (recalled["Title"].pages, recalled["Title"].recall, recalled["Title"].word_recall) == (2, 0.5, 0.6)
    assert recalled["Body"].recall == 1  # nine of ten words
    assert part_recall([found], share=1)["Body"].recall == 0
    assert recalled["Date"].recall == 0


# ---- resampling


def test_bootstrap_is_seeded_and_finds_a_real_difference() -> None:
    chance = np.random.default_rng(3)
    worse = chance.uniform(0.3, 0.9, 400)
    found = paired_bootstrap(list(worse + 0.05), list(worse), seed=7)
    assert found == paired_bootstrap(list(worse + 0.05), list(worse), seed=7)
    assert found.value == pytest.approx(0.05)
    assert (found.low, found.high) == pytest.approx((0.05, 0.05))
    noise = paired_bootstrap(list(worse + chance.normal(0, 0.1, 400)), list(worse), seed=7)
    assert not noise.excludes_zero()
    assert found.excludes_zero()


def test_bootstrap_has_the_spread_of_the_mean() -> None:
    values = np.random.default_rng(0).normal(0, 1, 500)
    drawn = resampled_means(values, resamples=2000, seed=1)
    assert drawn.std() == pytest.approx(1 / np.sqrt(500), rel=0.1)
    assert drawn.mean() == pytest.approx(values.mean(), abs=0.005)


def test_bootstrap_refuses_scores_of_different_pages() -> None:
    with pytest.raises(ValueError, match="same pages"):
        paired_bootstrap([1.0], [1.0, 2.0])
    assert paired_bootstrap([], []).value == 0


def test_a_missing_package_is_named_with_its_extra() -> None:
    with pytest.raises(MissingExtra, match=r'needs no_such_package: pip install "duramen\[bench\]"'):
        need("no_such_package.part")


# ---- the same figures by other code


def test_figures_equal_those_of_independent_code() -> None:
    """Made-up rows, recomputed here from the definitions without any of the package's functions."""
    chance = random.Random(11)
    vocabulary = ["rain", "sun", "News,", "Menu", "新闻", "天", "a.b", "x"]
    for _ in range(40):
        gold, text = (" ".join(chance.choice(vocabulary) for _ in range(chance.randrange(3, 30))) for _ in range(2))
        a, b = (re.findall(r"\w+", re.sub("([\u4e00-\u9fff])", r" \1 ", each.lower())) for each in (text, gold))
        common = sum((Counter(a) & Counter(b)).values())
        assert close(
            bag_scores(terms(text), terms(gold)), common / len(a), common / len(b), 2 * common / (len(a) + len(b))
        )
        grams = [Counter(tuple(w[i : i + 4]) for i in range(max(1, len(w) - 3))) for w in (text.split(), gold.split())]
        every = [sum(c.values()) for c in (grams[0] & grams[1], grams[0] - grams[1], grams[1] - grams[0])]
        assert shingle_shares(text.split(), gold.split()) == pytest.approx([n / sum(every) for n in every])
