"""The scores of one extraction, as they are kept of every page."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from duramen.bench.gold import GoldPage
from duramen.bench.metrics import bag_scores, lcs_scores, shingle_shares, similarity, snippet_counts
from duramen.bench.metrics.words import TOKENISERS, Tokens

_AEB_WORD = re.compile(r"\w+")  # as the article extraction benchmark cuts text: case kept, CJK runs whole
DIGITS = 6


def score(page: GoldPage, text: str, tokens: Tokens = "terms") -> dict[str, Any]:
    """Every score of a page's extraction.

    `p r f1` bag of words, `lcs_p lcs_r lcs_f1 ce` longest common subsequence and CleanEval score, `sim` cosine times
    length ratio, `aeb` shares of right, wrong and missed 4-grams, `snip` counts of snippets.
    """
    found: dict[str, Any] = {}
    if page.text is not None:
        extracted, gold = TOKENISERS[tokens](text), _gold_words(page.text, tokens)
        bag, lcs = bag_scores(extracted, gold), lcs_scores(extracted, gold)
        found |= {"p": bag.precision, "r": bag.recall, "f1": bag.f1}
        found |= {
            "lcs_p": lcs.scores.precision,
            "lcs_r": lcs.scores.recall,
            "lcs_f1": lcs.scores.f1,
            "ce": lcs.cleaneval,
        }
        found |= {"sim": similarity(text, page.text), "n_pred": len(extracted), "n_gold": len(gold)}
        shares = shingle_shares(_AEB_WORD.findall(text), _aeb_words(page.text))
        found["aeb"] = [round(share, DIGITS) for share in shares]
    if page.required or page.forbidden:
        found["snip"] = list(snippet_counts(text, page.required, page.forbidden))
    if "n_pred" not in found:
        found["n_pred"] = len(TOKENISERS[tokens](text))
    return {key: round(value, DIGITS) if isinstance(value, float) else value for key, value in found.items()}


# All extractors of a page are scored one after the other: its gold text is cut once.
@lru_cache(maxsize=2)
def _gold_words(text: str, tokens: Tokens) -> list[str]:
    return TOKENISERS[tokens](text)


@lru_cache(maxsize=2)
def _aeb_words(text: str) -> list[str]:
    return _AEB_WORD.findall(text)
