"""PSO: text blocks judged by linguistic and structural features, with bounds that a particle swarm has learned
(Ziegler & Skubacz 2007).

Everything is counted over all blocks at once. The bounds come from a model; `duramen.train.pso` learns them.
Section numbers are the paper's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.pso.linguistic import LANGUAGES, count_stop_words, sentence_ends, stop_word_ratios, stop_words
from duramen.algorithms.pso.speech import CLASSES, Tagger, share_classes, tag_by_endings
from duramen.algorithms.pso.textblocks import PRUNE, REMOVE, REMOVE_WITH_BLANK, TextBlocks, text_blocks, text_nodes
from duramen.errors import ModelError
from duramen.models.pso import MAX, MIN, PsoModel, load_pso
from duramen.page import BoolArray, FloatArray, Page, Reason, Selection
from duramen.tags import RAW_TEXT, TAG_IDS

Strategy = Literal["FE", "PR", "TB"]
Classifier = Literal["thresholds", "tree"]
Fallback = Literal["none", "best"]
Names = None | tuple[str, ...]  # None first: settings are read as the first type that fits, and any text is a list
Counted = NDArray[np.int64]


class Feature(NamedTuple):
    """A figure of a block, and on which side of its bound content lies."""

    name: str
    direction: str  # MIN: content has at least as much as the bound, MAX: at most
    scale: float  # a particle at 1 stands for this bound


FEATURES: tuple[Feature, ...] = (
    Feature("sentence_length", MIN, 50.0),  # words a sentence
    Feature("sentences", MIN, 20.0),
    Feature("alphanumerics", MIN, 1.0),
    Feature("stop_words", MIN, 1.0),
    Feature("anchors", MAX, 1.0),
    Feature("formatting", MIN, 1.0),
    Feature("lists", MAX, 1.0),
    Feature("structuring", MIN, 1.0),
)
"""§3.3 and §3.4, in the paper's order and with its hypotheses."""
SPEECH_FEATURES: tuple[Feature, ...] = (
    Feature("nouns", MAX, 1.0),
    Feature("verbs", MIN, 0.1),
    Feature("adjectives", MIN, 0.1),
    Feature("function_words", MIN, 0.3),
)
"""An outlook of §4.4. Directions and scales are ours: with scales of 1 no particle that is drawn accepts any block."""
BOUNDS: tuple[str, ...] = tuple(f"{feature.direction}_{feature.name}" for feature in FEATURES)
"""The setting that stands for the bound of each feature."""

FORMATTING = "b i u s em strong strike small big font tt sub sup abbr acronym cite code q dfn kbd samp var ins del"
LISTS = "ul ol li dl dt dd menu dir"
STRUCTURING = "h1 h2 h3 h4 h5 h6 p br center left right blockquote pre"
FEW_WORDS = 20  # fewer do not tell which language a page is in
UNLISTED_RATIO = 0.15  # stop words for each other word: pages in the languages have more, Chinese ones next to none
UNLISTED_HINT = (
    "hardly a stop word of the languages known here: set min_stop_words=0 to do without, "
    "or name the page's language in languages"
)


@dataclass(frozen=True, slots=True)
class Pso:
    """Text blocks by sentences, stop words, links and markup: eight features, whose learned bounds all have to hold."""

    paper: ClassVar[str] = (
        "Cai-Nicolas Ziegler, Michal Skubacz: Content Extraction from News Pages Using Particle Swarm Optimization on "
        "Linguistic and Structural Features. WI 2007"
    )

    model: str = "news"  # the name of a shipped model, or the path of a .json file
    strategy: Strategy = "FE"  # all of it; PR: every block; TB: every text node, scripts and all
    classifier: Classifier = "thresholds"  # or the decision tree of the model (the paper's future work)
    min_sentence_length: float | None = None  # words a sentence; none: as the model says, here and below
    min_sentences: float | None = None
    min_alphanumerics: float | None = None  # letters and digits of all characters but blanks
    min_stop_words: float | None = None  # stop words for each other word, in the best of the languages
    max_anchors: float | None = None  # words in links for each other word
    min_formatting: float | None = None  # formatting tags a word
    max_lists: float | None = None  # list tags a word
    min_structuring: float | None = None  # headings, paragraphs, line breaks and the like a word
    fallback: Fallback = "none"  # when no block is accepted: nothing, or the one that misses fewest bounds
    languages: tuple[str, ...] = LANGUAGES  # whose stop words are looked for
    prune: Names = None  # elements that go with everything below; none: the usual ones, here and below
    remove_with_blank: Names = None  # elements of which only the tags go, a blank for each
    remove: Names = None  # … and without a blank; all others separate blocks
    pos_features: bool = False  # report parts of speech too; a model that needs them has them anyway
    tagger: Tagger | None = None  # a tagger of one's own; none: a guess by stop words and endings

    def __post_init__(self) -> None:
        for name, kind in (("strategy", Strategy), ("classifier", Classifier), ("fallback", Fallback)):
            if getattr(self, name) not in get_args(kind):
                raise ValueError(f"{name} is one of {', '.join(get_args(kind))}, not {getattr(self, name)!r}")
        for name in BOUNDS:
            if getattr(self, name) is not None and math.isnan(getattr(self, name)):
                raise ValueError(f"{name} is a number, -inf, inf or none")
        if not self.languages:
            raise ValueError("languages are missing: name at least one")
        stop_words(self.languages)
        for name in ("prune", "remove_with_blank", "remove"):
            unknown = [tag for tag in getattr(self, name) or () if tag not in TAG_IDS or tag == "#text"]
            if unknown:
                raise ValueError(f"{name} names no HTML element: {', '.join(unknown)}")
        if self.strategy == "FE":
            self._load()

    @property
    def reads_scripts(self) -> bool:
        """Whether the source of scripts and style sheets is to be text; `extract` sees to that, not `select`."""
        return self.strategy == "TB" or not set(PRUNE if self.prune is None else self.prune) >= RAW_TEXT

    def select(self, page: Page) -> Selection:
        """The blocks that are content, and the features of all."""
        if self.strategy == "TB":
            blocks = text_nodes(page)
        else:
            given = (self.prune, self.remove_with_blank, self.remove)
            usual = (PRUNE, REMOVE_WITH_BLANK, REMOVE)
            blocks = text_blocks(page, *(own if chosen is None else chosen for chosen, own in zip(given, usual)))
        model = self._load() if self.strategy == "FE" else None
        speech = self.pos_features or (model is not None and not _known(FEATURES) >= _used(model, self.classifier))
        measured = measure(blocks, self.languages, speech=speech, tagger=self.tagger or tag_by_endings)
        verdict = self._judge(measured, model)
        accepted = verdict.accepted
        flags = []
        if self.fallback == "best" and verdict.score is not None and len(blocks) and not accepted.any():
            accepted[np.lexsort((-measured.words, -verdict.score))[0]] = True
            flags.append("fallback")
        if measured.unlisted():
            flags.append("unlisted_language")
        trace = {
            "strategy": self.strategy,
            **verdict.trace,
            "blocks": len(blocks),
            "accepted": int(accepted.sum()),
            "language": measured.spoken(accepted),
        }
        if measured.unlisted() and not accepted.any():
            trace["hint"] = UNLISTED_HINT
        columns: dict[str, NDArray[Any]] = {
            "words": measured.words,
            **measured.features,
            "language": np.array([*self.languages, ""])[measured.language],
            **verdict.columns,
        }
        kept = np.append(accepted, False)[blocks.owner]
        reason = None if accepted.any() else Reason.NO_CONTENT if len(blocks) else Reason.NO_TEXT
        return Selection(kept, verdict.score, columns, trace, blocks.blocks, flags=tuple(flags), reason=reason)

    def _judge(self, measured: Measured, model: PsoModel | None) -> _Verdict:
        """Which blocks are content (§3.5): without a model all of them."""
        if model is None:
            return _Verdict(np.ones(len(measured.words), dtype=np.bool_))
        if self.classifier == "tree" and model.tree is not None:
            share = model.tree.shares(measured.matrix(model.tree.features))
            return _Verdict(share > 0.5, share, {"model": self.model, "classifier": "tree"})
        bounds = self._bounds(model)
        held = within_bounds(measured.matrix(model.features), model.directions, bounds)
        missed = np.count_nonzero(~held, axis=1)
        told = [
            {"feature": name, "bound": direction, "value": value if math.isfinite(value) else None, "held": count}
            for name, direction, value, count in zip(
                model.features, model.directions, bounds.tolist(), np.count_nonzero(held, axis=0).tolist()
            )
        ]
        trace = {"model": self.model, "classifier": "thresholds", "bounds": told}
        return _Verdict(missed == 0, 1 - missed / len(bounds), trace, {"missed": missed})

    def _load(self) -> PsoModel:
        """The model, if it has what the settings ask for."""
        model = load_pso(self.model)
        if self.classifier == "tree" and model.tree is None:
            raise ModelError(f"the model {self.model} has no decision tree: train it with one")
        unknown = _used(model, self.classifier) - _known(FEATURES) - _known(SPEECH_FEATURES)
        if unknown:
            raise ModelError(
                f"the model {self.model} has a feature that is not known here: {', '.join(sorted(unknown))}"
            )
        return model

    def _bounds(self, model: PsoModel) -> FloatArray:
        """The bounds in force: those of the settings, else those of the model."""
        given = {feature.name: getattr(self, setting) for feature, setting in zip(FEATURES, BOUNDS)}
        settled = [
            learned if given.get(name) is None else given[name]
            for name, learned in zip(model.features, model.thresholds)
        ]
        return np.array(settled, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Verdict:
    """Which blocks are content, and what of the decision is worth telling."""

    accepted: BoolArray
    score: FloatArray | None = None
    trace: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, NDArray[Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """The features of blocks."""

    features: dict[str, FloatArray]
    words: Counted
    stops: Counted  # stop words, by block and language
    language: Counted  # the best one of each block, as an index into `languages`; -1 where no stop word was found
    languages: tuple[str, ...]

    def matrix(self, names: tuple[str, ...]) -> FloatArray:
        """The named features as columns."""
        if not names:
            return np.zeros((len(self.words), 0))
        return np.stack([self.features[name] for name in names], axis=1)

    def spoken(self, blocks: BoolArray) -> str | None:
        """The language of some of the blocks taken together."""
        ratios = self._ratios(blocks)
        return self.languages[int(ratios.argmax())] if ratios.any() else None

    def unlisted(self) -> bool:
        """Whether the page is in none of the languages."""
        everything = np.ones(len(self.words), dtype=np.bool_)
        return bool(self.words.sum() >= FEW_WORDS and self._ratios(everything).max() < UNLISTED_RATIO)

    def _ratios(self, blocks: BoolArray) -> FloatArray:
        ratios: FloatArray = stop_word_ratios(
            self.stops[blocks].sum(axis=0, keepdims=True), self.words[blocks].sum(keepdims=True)
        )[0]
        return ratios


def measure(
    blocks: TextBlocks,
    languages: tuple[str, ...] = LANGUAGES,
    *,
    lists: Mapping[str, int] | None = None,
    speech: bool = False,
    tagger: Tagger = tag_by_endings,
) -> Measured:
    """The eight features of every block (§3.3, §3.4), with the shares of word classes if asked for.

    `lists` replaces the stop words of the languages (see `linguistic.stop_word_masks`).
    """
    found, count = blocks.words, len(blocks)
    words = blocks.count_words()
    masks = stop_words(languages) if lists is None else lists
    stops = count_stop_words(found, blocks.block, count, masks, len(languages))
    ratios = stop_word_ratios(stops, words)
    best = ratios.max(axis=1, initial=0.0)
    linked = blocks.count_linked()
    letters = np.bincount(blocks.block, found.size, count)
    sentences = _count_sentences(blocks)
    features: dict[str, FloatArray] = {
        "sentence_length": words / np.maximum(sentences, 1),
        "sentences": sentences.astype(np.float64),
        "alphanumerics": letters / np.maximum(blocks.count_visible(), 1),
        "stop_words": best,
        "anchors": linked / np.maximum(words - linked, 1),
        "formatting": blocks.elements(FORMATTING.split()) / np.maximum(words, 1),
        "lists": blocks.elements(LISTS.split()) / np.maximum(words, 1),
        "structuring": blocks.elements(STRUCTURING.split()) / np.maximum(words, 1),
    }
    language = np.where(best > 0, ratios.argmax(axis=1), -1) if count else np.zeros(0, dtype=np.int64)
    if speech:
        shares = share_classes(found, blocks.block, count, language, languages, masks, tagger)
        features |= {name: shares[:, k] for k, name in enumerate(CLASSES)}
    return Measured(features, words, stops, language, languages)


def _count_sentences(blocks: TextBlocks) -> Counted:
    """The sentences of each block: pieces between sentence ends that hold a word."""
    piece = np.searchsorted(sentence_ends(blocks.text, blocks.words), blocks.words.at, side="right")
    begins = np.diff(piece, prepend=-1) != 0
    begins |= np.diff(blocks.block, prepend=-1) != 0
    return np.bincount(blocks.block[begins], minlength=len(blocks))


def within_bounds(features: FloatArray, directions: tuple[str, ...], bounds: FloatArray) -> BoolArray:
    """Which bounds each row of features keeps (§3.5); a value at its bound does."""
    most = np.array([direction == MAX for direction in directions])
    held: BoolArray = np.where(most, features <= bounds, features >= bounds)
    return held


def _known(features: tuple[Feature, ...]) -> set[str]:
    return {feature.name for feature in features}


def _used(model: PsoModel, classifier: Classifier) -> set[str]:
    """The features that a classifier of the model looks at."""
    return set(model.features if classifier == "thresholds" or model.tree is None else model.tree.features)
