"""The learned default: what blocks look like, what their elements are called and what they say, judged by a network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.choose import Choice, choose
from duramen.algorithms.learned.comments import comment_rows, comments_of
from duramen.algorithms.learned.features import FEATURES, Context, Table, feature_table
from duramen.algorithms.learned.hidden import hidden_rows
from duramen.algorithms.learned.network import contributions, probabilities
from duramen.algorithms.learned.page_type import page_types
from duramen.algorithms.learned.raw import MOST_BLOCKS, Raw, read
from duramen.models.default import DefaultModel, load_default
from duramen.page import BoolArray, Page, Reason, Selection

Favor = Literal["balance", "precision", "recall"]
Hidden = Literal["drop", "flag", "keep"]

# The threshold is kept between these, whatever is expected (swept on wcxb dev), and `beta` weighs recall.
BOUNDS: Mapping[Favor, tuple[float, float, float]] = {
    "balance": (0.15, 0.6, 1.0),
    "precision": (0.5, 0.85, 0.5),
    "recall": (0.05, 0.3, 2.0),
}
FORUM = 0.6  # from this probability on a page is a forum, and its comments are content: tried .5-.95 on Dragnet, wcxb
LOW_CONFIDENCE = 0.6  # expected F1 below which the selection is flagged
REASONS_SHOWN = 3  # features that an explanation names for each block


@dataclass(frozen=True, slots=True)
class Learned:
    """Blocks judged by a network on 145 features; the set of the highest expected F1 is kept."""

    paper: ClassVar[str] = "duramen's own: blocks, lexicons and a network trained on labelled pages"

    favor: Favor = "balance"
    comments: bool = False  # list readers' comments in the trace; only a forum's are part of the text
    hidden: Hidden = "drop"  # what to do with text that stays invisible; accordions and tabs open, and are content
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
        shared, features = feature_table(raw, model.lexicons)
        probability = probabilities(model, features, shared)
        choice = choose(probability, shared.words, *BOUNDS[self.favor])
        flags: list[str] = []
        dropped = {
            "repeated": repeated(shared, choice.taken),
            "invisible": self._invisible(raw, choice.taken, flags),
            "comments": self._comments(raw),
        }
        taken = choice.taken & ~np.logical_or.reduce(list(dropped.values()))
        kept = np.zeros(len(page), dtype=np.bool_)
        kept[raw.blocks.rows[np.repeat(taken, np.diff(raw.blocks.at))]] = True
        confidence = float(np.interp(choice.expected, model.expected, model.actual))
        if confidence < LOW_CONFIDENCE:
            flags.append("low_confidence")
        if len(raw) >= MOST_BLOCKS:
            flags.append("cut_short")
        counts = {name: int((choice.taken & rows).sum()) for name, rows in dropped.items()}
        return Selection(
            kept=kept,
            score=probability,
            columns=Evidence(model, features, shared),
            trace=self._trace(model, raw, choice, taken, confidence, counts) | self._told(page, dropped["comments"]),
            blocks=raw.blocks,
            flags=tuple(flags),
            reason=None if taken.any() else Reason.NO_CONTENT,
            confidence=confidence,
        )

    def _told(self, page: Page, inside: BoolArray) -> dict[str, Any]:
        """The comments themselves, where they are wanted."""
        if not self.comments:
            return {}
        found = comments_of(page) if inside.any() else ()
        return {"comments": [{"text": each.text, "author": each.author, "date": each.date} for each in found]}

    def _invisible(self, raw: Raw, taken: BoolArray, flags: list[str]) -> BoolArray:
        """Blocks to leave out because nobody can see them."""
        nothing = np.zeros(len(raw), dtype=np.bool_)
        if self.hidden == "keep":
            return nothing
        lost: BoolArray = hidden_rows(raw.page).lost()[raw.first]
        if (taken & lost).all():  # all of it is hidden until a script shows it
            return nothing
        if self.hidden == "flag":
            if (taken & lost).any():
                flags.append("hidden_text")
            return nothing
        return lost

    def _comments(self, raw: Raw) -> BoolArray:
        """Blocks of readers' comments, where these are not what the page is for."""
        inside: BoolArray = comment_rows(raw.page)[raw.first]
        # Telling the type costs more than the rest, and matters only here.
        if not inside.any() or inside.all() or page_types(raw.page).get("forum", 0.0) >= FORUM:
            return np.zeros(len(raw), dtype=np.bool_)
        return inside

    def _trace(
        self,
        model: DefaultModel,
        raw: Raw,
        choice: Choice,
        taken: BoolArray,
        confidence: float,
        dropped: Mapping[str, int],
    ) -> dict[str, Any]:
        return {
            "model": self.model,
            "favor": self.favor,
            "blocks": len(raw),
            "threshold": round(choice.threshold, 4),
            "taken": int(taken.sum()),
            "dropped": dict(dropped),
            "expected_f1": round(choice.expected, 4),
            "confidence": round(confidence, 4),
            "trained": dict(model.training),
        }


def repeated(shared: Context, taken: BoolArray) -> BoolArray:
    """Blocks that say again, elsewhere, what an earlier one that is taken says."""
    again = np.empty(len(taken), dtype=np.bool_)
    shared.measures.mark_repeated(taken.view(np.uint8), again.view(np.uint8))
    return again


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
