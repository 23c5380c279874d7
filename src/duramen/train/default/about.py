"""What a model file says of its own making."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from duramen.train.default.corpus import Corpus, Example
from duramen.train.default.fit import Settings
from duramen.version import VERSION


def about(places: Sequence[Path], corpus: Corpus, examples: Sequence[Example], settings: Settings) -> dict[str, Any]:
    """Pages, fingerprint, settings and versions."""
    return {
        "corpora": dict(sorted(Counter(example.corpus for example in examples if not example.copy).items())),
        "files": [place.name for place in places],
        "data": corpus.data_hash(),
        "pages": sum(not example.copy for example in examples),
        "copies": sum(example.copy for example in examples),
        "blocks": sum(map(len, examples)),
        "folds": settings.folds,
        "network": asdict(settings.network) | {"hidden": list(settings.network.hidden)},
        "versions": {"duramen": VERSION, "numpy": np.__version__},
    }
