"""The metrics, by family; docs/bench.md says which paper uses which."""

from duramen.bench.metrics.bags import (
    agreement,
    bag_scores,
    shingle_shares,
    shingles,
    similarity,
    snippet_counts,
)
from duramen.bench.metrics.bootstrap import Interval, interval, paired_bootstrap, resampled_means
from duramen.bench.metrics.lcs import LcsScores, aligned, lcs_length, lcs_scores
from duramen.bench.metrics.nodes import (
    PartRecall,
    answer_of_copy,
    answer_of_text,
    block_scores,
    extracted_nodes,
    node_scores,
    part_recall,
    part_words,
    text_scores,
)
from duramen.bench.metrics.pools import aeb_scores, snippet_scores
from duramen.bench.metrics.scores import (
    Means,
    Scores,
    by_source,
    harmonic,
    means,
    outliers,
    over_sources,
    pooled,
    scores,
)
from duramen.bench.metrics.verdicts import Verdict, lenient_scores, shares, verdict
from duramen.bench.metrics.words import TOKENISERS, chars, marked_words, normalise, terms, words

__all__ = [
    "TOKENISERS",
    "Interval",
    "LcsScores",
    "Means",
    "PartRecall",
    "Scores",
    "Verdict",
    "aeb_scores",
    "agreement",
    "aligned",
    "answer_of_copy",
    "answer_of_text",
    "bag_scores",
    "block_scores",
    "by_source",
    "chars",
    "extracted_nodes",
    "harmonic",
    "interval",
    "lcs_length",
    "lcs_scores",
    "lenient_scores",
    "marked_words",
    "means",
    "node_scores",
    "normalise",
    "outliers",
    "over_sources",
    "paired_bootstrap",
    "part_recall",
    "part_words",
    "pooled",
    "resampled_means",
    "scores",
    "shares",
    "shingle_shares",
    "shingles",
    "similarity",
    "snippet_counts",
    "snippet_scores",
    "terms",
    "text_scores",
    "verdict",
    "words",
]
