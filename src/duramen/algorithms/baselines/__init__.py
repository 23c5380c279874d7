"""The seven algorithms that the CETD paper compares itself with, and the stages they share.

`scope` (the readable body) → `tokens` (tags and words) → bte, dsc, ccb; → `lines` → cetr; → `partition` (leaf blocks)
→ fe, kfe; lqf works on the tree itself. `smooth` and `cluster` are the numerical parts.
"""

from duramen.algorithms.baselines.bte import Bte
from duramen.algorithms.baselines.ccb import Ccb
from duramen.algorithms.baselines.cetr import Cetr
from duramen.algorithms.baselines.dsc import Dsc
from duramen.algorithms.baselines.fe import Fe
from duramen.algorithms.baselines.kfe import Kfe
from duramen.algorithms.baselines.lqf import Lqf

__all__ = ["Bte", "Ccb", "Cetr", "Dsc", "Fe", "Kfe", "Lqf"]
