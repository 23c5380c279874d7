"""Figures that cost time to tell, and that few ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Deferred(Mapping[str, Value], Generic[Value]):
    """A mapping that is made when somebody looks into it, once. `make` has to be pure."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Mapping[str, Value]]) -> None:
        self._make = make
        self._made: Mapping[str, Value] | None = None

    def _all(self) -> Mapping[str, Value]:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __getitem__(self, name: str) -> Value:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return repr(self._all())
