"""The learned default: what blocks look like, what their elements are called and what they say, judged by a network."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.choose import Choice, choose, take_heading
from duramen.algorithms.learned.comments import comment_sections
from duramen.algorithms.learned.counts import mark_rows
from duramen.algorithms.learned.features import FEATURES, Context, Table, feature_table, scorer_of
from duramen.algorithms.learned.hidden import given_orders, hidden_around
from duramen.algorithms.learned.network import contributions, probabilities
from duramen.algorithms.learned.page_type import page_types
from duramen.algorithms.learned.raw import MOST_BLOCKS, Raw, read
from duramen.measure import Deferred, any_text
from duramen.models.default import DefaultModel, load_default
from duramen.page import BoolArray, FloatArray, Page, Reason, Selection
from duramen.tags import TAG_IDS

Favor = Literal["balance", "precision", "recall"]
Hidden = Literal["drop", "flag", "keep"]

# The threshold is kept between the first two, whatever is expected (swept on wcxb dev); the third weighs recall. Where
# no block is as likely as the last, nothing is taken: such pages are errors, log-ins and shells (swept on wcxb dev).
BOUNDS: Mapping[Favor, tuple[float, float, float, float]] = {
    "balance": (0.15, 0.8, 1.0, 0.2),
    "precision": (0.5, 0.85, 0.5, 0.5),
    "recall": (0.05, 0.3, 2.0, 0.0),
}
# From these on comments are content: the probability that the page is a forum, and the mean probability of their words.
# See docs/decisions/0006.
FORUM = 0.3
POSTS = 0.5
# On a page that is a forum beyond doubt the second may be lower.
SURELY_FORUM = 0.8
SOME_POSTS = 0.3
SHOWN = 0.1  # where less of the words taken than this can be seen, a script shows the others when the page has loaded
TITLE = 0.2  # the main heading above the content is kept from this probability on
SAID = 0.03  # comments that are asked for are kept from this probability on: below are buttons and forms
LOW_CONFIDENCE = 0.6  # expected F1 below which the selection is flagged
REASONS_SHOWN = 3  # features that an explanation names for each block
_H1 = TAG_IDS["h1"]


class Taken(NamedTuple):
    """What is kept of a page."""

    choice: Choice  # by probabilities alone
    blocks: BoolArray  # without copies, invisible ones and comments
    rows: BoolArray  # what can be seen of these blocks
    repeated: int  # how many blocks were copies
    levelled: FloatArray  # what was chosen by: probabilities, those of short cells and items as their like have them
    added: Mapping[str, int]  # how many were taken in spite of their probability
    dropped: Mapping[str, BoolArray | None]  # what else was left out
    flags: list[str]


@dataclass(frozen=True, slots=True)
class Learned:
    """Blocks judged by a network on 148 features; the set of the highest expected F1 is kept."""

    paper: ClassVar[str] = "duramen's own: blocks, lexicons and a network trained on labelled pages"

    favor: Favor = "balance"
    comments: bool = False  # leave readers' comments on an article in its text; a forum's are content either way
    hidden: Hidden = "drop"  # what to do with text that stays invisible; accordions and tabs open, and are content
    page_type: str = ""  # what kind of page it is, where that is known: a forum's comments are content
    model: str = "pages"  # a shipped model, or the path of a .json file of `duramen train default`

    def __post_init__(self) -> None:
        for name, kind in (("favor", Favor), ("hidden", Hidden)):
            if getattr(self, name) not in get_args(kind):
                raise ValueError(f"{name} is one of {', '.join(get_args(kind))}; not {getattr(self, name)!r}")

    def select(self, page: Page) -> Selection:
        """The blocks that are content, with a probability for each."""
        model = load_default(self.model)
        raw = read(page) if len(page) else None
        if raw is None or not len(raw):
            return Selection(kept=np.zeros(len(page), dtype=np.bool_), reason=Reason.NO_TEXT)
        shared, features = feature_table(raw, scorer_of(model))
        probability = probabilities(model, features, shared)
        taken = self.take(shared, probability)
        flags = taken.flags
        confidence = calibrated(model, taken.choice.expected)
        if confidence < LOW_CONFIDENCE:
            flags.append("low_confidence")
        if len(raw) >= MOST_BLOCKS:
            flags.append("cut_short")
        return Selection(
            kept=taken.rows,
            score=probability,
            columns=Evidence(model, features, shared),
            trace=Deferred(partial(self._trace, model, raw, probability, taken, confidence)),
            blocks=raw.blocks,
            flags=tuple(flags),
            reason=None if any_text(page, taken.rows) else Reason.NO_CONTENT,
            confidence=confidence,
        )

    def take(self, shared: Context, probability: FloatArray) -> Taken:
        """The blocks to keep, by the probability of each."""
        raw, probability = shared.raw, probability.copy()
        shared.measures.level(probability)
        choice = choose(probability, shared.words, *BOUNDS[self.favor])
        taken = choice.taken
        headed = self.favor != "precision" and take_heading(raw.page, raw.blocks, _H1, probability, TITLE, taken)
        added = {"heading": int(headed), "comments": 0}
        sections = comment_sections(raw.page, raw.sight)
        inside = None if sections is None else sections[raw.first]
        if self.comments and inside is not None:
            asked = inside & (probability >= SAID) & ~taken
            added["comments"] = int(asked.sum())
            taken |= asked
        repeated = drop_repeated(shared, taken)
        kept, flags = rows_of(raw, taken), list[str]()
        unseen, hidden = self._invisible(raw, kept, flags), None
        if unseen is not None:
            kept &= ~unseen
            shown = np.logical_or.reduceat(kept[raw.blocks.rows], raw.blocks.at[:-1])
            hidden, taken = taken & ~shown, taken & shown
        said = None if self.comments or inside is None else self._comments(shared, taken, inside & taken, probability)
        if said is not None:
            kept &= ~rows_of(raw, said)
            taken = taken & ~said
        dropped = {"invisible": hidden, "comments": said}
        return Taken(choice, taken, kept, repeated, probability, added, dropped, flags)

    def _invisible(self, raw: Raw, kept: BoolArray, flags: list[str]) -> BoolArray | None:
        """Rows among those `kept` to leave out because nobody can see them."""
        page = raw.page
        found = None if self.hidden == "keep" else hidden_around(page, kept, raw.sight)
        if found is None:
            return None
        rows = found.lost()
        lost: BoolArray = rows & kept
        unseen, words = int(page.words[lost].sum()), int(page.words[kept].sum())
        if words - unseen < SHOWN * words:
            orders = lost & given_orders(page, rows)
            lost &= found.never
            lost = orders if (lost == kept).all() else lost | orders  # all of it cannot be meant for nobody
        if not lost.any():
            return None
        if self.hidden == "flag":
            flags.append("hidden_text")
            return None
        return lost

    def _comments(
        self, shared: Context, taken: BoolArray, inside: BoolArray, probability: FloatArray
    ) -> BoolArray | None:
        """Blocks of readers' comments among those taken, `inside`, where these are not what the page is for."""
        if not inside.any() or int(inside.sum()) == int(taken.sum()):
            return None
        if self.page_type:
            return None if self.page_type == "forum" else inside
        words = shared.words[inside]
        likely, most = float(probability[inside] @ words), float(words.sum())
        # Telling the type costs as much as the rest, and is done only where it may matter.
        if likely < SOME_POSTS * most:
            return inside
        forum = page_types(shared.raw.page).get("forum", 0.0)
        return None if forum >= (FORUM if likely >= POSTS * most else SURELY_FORUM) else inside

    def _trace(self, model: DefaultModel, raw: Raw, own: FloatArray, taken: Taken, confidence: float) -> dict[str, Any]:
        threshold = taken.choice.threshold
        levelled = (taken.levelled >= threshold) != (own >= threshold)  # they were judged against themselves
        lost = {name: 0 if blocks is None else int(blocks.sum()) for name, blocks in taken.dropped.items()}
        return {
            "model": self.model,
            "favor": self.favor,
            "blocks": len(raw),
            "threshold": round(threshold, 4),
            "taken": int(taken.blocks.sum()),
            "levelled": int(levelled.sum()),
            "added": dict(taken.added),
            "dropped": {"repeated": taken.repeated, **lost},
            "expected_f1": round(taken.choice.expected, 4),
            "confidence": round(confidence, 4),
            "trained": dict(model.training),
        }


def rows_of(raw: Raw, blocks: BoolArray) -> BoolArray:
    """The rows of some blocks."""
    marked = np.zeros(len(raw.page), dtype=np.bool_)
    mark_rows(raw.blocks.at, raw.blocks.rows, blocks, marked)
    return marked


def drop_repeated(shared: Context, taken: BoolArray) -> int:
    """Unmark the blocks that say again, elsewhere, what an earlier one that is taken says; returns how many."""
    return shared.measures.drop_repeated(taken)


@lru_cache(maxsize=4)
def _curve(model: DefaultModel) -> tuple[list[float], list[float]]:
    return model.expected.tolist(), model.actual.tolist()


def calibrated(model: DefaultModel, expected: float) -> float:
    """The F1 that was measured where so much was expected: between two points of the model's curve on a line."""
    given, measured = _curve(model)
    at = bisect_right(given, expected) - 1
    if at < 0 or at + 1 == len(given):
        return measured[max(at, 0)]
    slope = (measured[at + 1] - measured[at]) / (given[at + 1] - given[at])
    return slope * (expected - given[at]) + measured[at]


class Evidence(Mapping[str, NDArray[Any]]):
    """The features of each block by name, and which of them decided; these are worked out when they are asked for."""

    def __init__(self, model: DefaultModel, features: Table, shared: Context) -> None:
        self._model, self._features, self._shared = model, features, shared

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name == "because":
            return self._because()
        if name not in self._model.features:
            raise KeyError(name)
        found: NDArray[Any] = self._features[FEATURES.index(name)]
        return found

    def __iter__(self) -> Iterator[str]:
        yield "because"
        yield from self._model.features

    def __len__(self) -> int:
        return len(self._model.features) + 1

    def _because(self) -> NDArray[Any]:
        moved = contributions(self._model, self._features, self._shared)
        strongest = np.argsort(-np.abs(moved), axis=1, kind="stable")[:, :REASONS_SHOWN]
        names = self._model.features
        told = [
            ", ".join(f"{names[at]} {by:+.2f}" for at, by in zip(row, moved[number, row].tolist()))
            for number, row in enumerate(strongest.tolist())
        ]
        return np.array(told, dtype=np.str_)
