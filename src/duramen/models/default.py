"""The model of the learned default: lexicons as tables of small whole numbers, and a dense network."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.models import read_model

VERSION = 1
POOLS = ("page", "group")
LEXICONS = ("path", "near", "words", "heading", "pairs")

Floats = NDArray[np.float32]


class Lexicon(NamedTuple):
    """2^k weights: small whole numbers times a step."""

    weights: NDArray[np.int8]
    step: float


# Models of before there was a lexicon of pairs.
_NO_PAIRS = {"pairs": Lexicon(np.zeros(1, dtype=np.int8), 0.0)}


@dataclass(frozen=True, slots=True, eq=False)
class DefaultModel:
    """What training has found, and how."""

    features: tuple[str, ...]
    lexicons: Mapping[str, Lexicon]
    centre: Floats  # of each feature
    spread: Floats
    layers: tuple[tuple[Floats, Floats], ...]  # weights (inputs × outputs) and biases
    expected: Floats  # calibration: expected F1 as the decoding sees it …
    actual: Floats  # … and as it was measured
    pools: tuple[str, ...] = ()  # what the second layer sees besides a block: means of the first over these
    training: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        width = len(self.features)
        if self.centre.shape != (width,) or self.spread.shape != (width,) or not (self.spread > 0).all():
            raise ValueError("centre and spread do not fit the features")
        if not set(self.pools) <= set(POOLS):
            raise ValueError(f"means are taken over {', '.join(POOLS)}")
        for number, (weights, biases) in enumerate(self.layers):
            width *= 1 + len(self.pools) if number == 1 else 1
            if weights.ndim != 2 or weights.shape[0] != width or biases.shape != (weights.shape[1],):
                raise ValueError("the layers do not fit each other")
            width = weights.shape[1]
        if width != 1 or not self.layers:
            raise ValueError("the last layer has one output")
        if set(self.lexicons) != set(LEXICONS):
            raise ValueError(f"the lexicons are {', '.join(LEXICONS)}")
        if any(not size or size & (size - 1) for size in (len(found.weights) for found in self.lexicons.values())):
            raise ValueError("the size of a lexicon is a power of two")
        if not len(self.expected) or self.expected.shape != self.actual.shape or (np.diff(self.expected) <= 0).any():
            raise ValueError("the calibration is no rising curve")
        steps = np.array([found.step for found in self.lexicons.values()])
        numbers = [self.centre, self.spread, self.expected, self.actual, steps, *chain.from_iterable(self.layers)]
        if not all(np.isfinite(array).all() for array in numbers):
            raise ValueError("the model holds something that is no number")

    def to_dict(self) -> dict[str, Any]:
        """The model for JSON."""
        return {
            "format": "duramen default",
            "version": VERSION,
            "training": dict(self.training),
            "features": list(self.features),
            "lexicons": {name: _packed_table(table) for name, table in self.lexicons.items()},
            "centre": _packed(self.centre),
            "spread": _packed(self.spread),
            "layers": [
                {"shape": list(weights.shape), "weights": _packed(weights), "biases": _packed(biases)}
                for weights, biases in self.layers
            ],
            "pools": list(self.pools),
            "expected": [round(value, 5) for value in self.expected.tolist()],
            "actual": [round(value, 5) for value in self.actual.tolist()],
        }


def lexicon(table: Floats) -> Lexicon:
    """A table of weights in 127 steps to either side."""
    step = np.float32(max(float(np.abs(table).max(initial=0)), 1e-9) / 127)
    return Lexicon(np.rint(table / step).astype(np.int8), float(step))


def model_text(model: DefaultModel) -> str:
    """The model as it is written to a file: JSON, one entry a line."""
    entries = (f"{json.dumps(name)}: {json.dumps(value, allow_nan=False)}" for name, value in model.to_dict().items())
    return "{\n" + ",\n".join(entries) + "\n}\n"


def load_default(name: str) -> DefaultModel:
    """A shipped model, or the one in a file; `ModelError` where there is none that can be used."""
    return read_model("default", VERSION, name, _made)


def _made(found: Mapping[str, Any]) -> DefaultModel:
    return DefaultModel(
        features=tuple(map(str, found["features"])),
        lexicons=MappingProxyType(
            {**_NO_PAIRS, **{name: _unpacked_table(table) for name, table in found["lexicons"].items()}}
        ),
        centre=_unpacked(found["centre"]),
        spread=_unpacked(found["spread"]),
        layers=tuple(
            (_unpacked(layer["weights"]).reshape(layer["shape"]), _unpacked(layer["biases"]))
            for layer in found["layers"]
        ),
        expected=np.array(found["expected"], dtype=np.float32),
        actual=np.array(found["actual"], dtype=np.float32),
        pools=tuple(map(str, found.get("pools", ()))),
        training=MappingProxyType(dict(found.get("training", {}))),
    )


def _packed_table(table: Lexicon) -> dict[str, Any]:
    return {"step": table.step, "weights": base64.b64encode(zlib.compress(table.weights.tobytes(), 9)).decode()}


def _unpacked_table(found: Mapping[str, Any]) -> Lexicon:
    whole = np.frombuffer(zlib.decompress(base64.b64decode(found["weights"])), dtype=np.int8)
    return Lexicon(whole, float(found["step"]))


def _packed(values: Floats) -> str:
    return base64.b64encode(values.astype("<f4").tobytes()).decode()


def _unpacked(found: str) -> Floats:
    return np.frombuffer(base64.b64decode(found), dtype="<f4").astype(np.float32)
