"""Why an algorithm kept what it kept: as data, as text for a terminal, and as the page itself, shaded."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, cast

from duramen.algorithms import Algorithm, algorithm_name
from duramen.algorithms import algorithm as configured
from duramen.decode import decode
from duramen.explain.explanation import Explanation
from duramen.extract import HiddenMode, select
from duramen.shell import empty_reason

__all__ = ["Explanation", "explain"]


def explain(
    source: str | bytes,
    *,
    url: str | None = None,
    charset: str | None = None,
    algorithm: str | Algorithm = "default",
    options: Mapping[str, object] | None = None,
    comments: bool | None = None,
    hidden: HiddenMode | None = None,
) -> Explanation:
    """Every decision of an algorithm about a page. The arguments are those of `duramen.extract`."""
    chosen = configured(algorithm, options)
    decoded = decode(source, charset=charset)
    page, selection = select(decoded, chosen, url=url, comments=comments, hidden=hidden)
    return Explanation(
        page=page,
        selection=selection,
        algorithm=algorithm_name(chosen),
        settings=dataclasses.asdict(cast(Any, chosen)) if hasattr(chosen, "__dataclass_fields__") else {},
        reason=empty_reason(decoded, page, selection),
        url=url,
    )
