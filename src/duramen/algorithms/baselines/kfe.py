"""KFE: K-FeatureExtractor (Debnath, Mitra, Pal & Giles 2005).

The page is cut into blocks, the blocks are clustered by what they hold, and the cluster that has most of the desired
feature, mostly text, is the content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.baselines.cluster import kmeans
from duramen.algorithms.baselines.partition import FEATURES, partition
from duramen.page import FloatArray, Page, Reason, Selection

Feature = Literal["text", "links", "images", "lists", "tables", "forms", "objects", "scripts"]


@dataclass(frozen=True, slots=True)
class Kfe:
    """K-FeatureExtractor: the cluster of blocks that has most of the desired feature."""

    paper: ClassVar[str] = (
        "Sandip Debnath, Prasenjit Mitra, Nirmal Pal, C. Lee Giles: Automatic Identification of Informative Sections "
        "of Web Pages. IEEE TKDE 17(9), 2005"
    )

    desired: Feature = "text"  # the feature that is looked for
    clusters: int = 3
    passes: Literal[1, 2] = 1  # 2: cluster what is left once more, and take its best as well if it is good enough
    second_share: float = 0.5  # … with at least this share of the first winner's desired feature
    spans: bool = False  # cut the page at `<span>` as well

    def __post_init__(self) -> None:
        if self.desired not in FEATURES:
            raise ValueError(f"desired is one of {', '.join(FEATURES)}; not {self.desired!r}")
        if self.clusters < 2:
            raise ValueError(f"clusters is 2 or more, not {self.clusters}")
        if self.passes not in (1, 2):
            raise ValueError(f"passes is 1 or 2, not {self.passes}")
        if not 0.0 <= self.second_share <= 1.0:
            raise ValueError(f"second_share lies between 0 and 1, not {self.second_share}")

    def select(self, page: Page) -> Selection:
        """The rows of the blocks of the winning cluster; a block's score is its cluster's mean desired feature."""
        cut = partition(page, spans=self.spans)
        axis = FEATURES.index(self.desired)
        label = np.zeros(len(cut), dtype=np.intp)
        score = np.zeros(len(cut))
        chosen = np.zeros(len(cut), dtype=np.bool_)
        trace: dict[str, Any] = {"blocks": len(cut), "clusters": []}
        if cut.share[:, axis].any():
            label, centroid = _cluster(cut.share, axis, self.clusters)
            winner = int(np.argmax(centroid[:, axis]))
            chosen, score = label == winner, centroid[label, axis]
            trace |= {"winner_cluster": winner, "clusters": _told(label, centroid)}
            if self.passes == 2 and not chosen.all():
                left = np.flatnonzero(~chosen)
                again, means = _cluster(cut.share[left], axis, self.clusters - 1)
                second = int(np.argmax(means[:, axis]))
                added = means[second, axis] >= self.second_share * centroid[winner, axis]
                trace |= {"second_pass": _told(again, means), "second_cluster": second, "second_added": bool(added)}
                if added:
                    chosen[left[again == second]] = True
        kept = cut.rows_of(chosen)
        reason = None
        if not page.chars[kept].any():
            reason = Reason.NO_CONTENT if len(cut.with_text) else Reason.NO_TEXT
        columns = {**dict(zip(FEATURES, cut.counts[cut.with_text].T)), "cluster": label[cut.with_text]}
        return Selection(kept, score[cut.with_text], columns, trace, blocks=cut.texts, reason=reason)


def _cluster(share: FloatArray, axis: int, clusters: int) -> tuple[NDArray[np.intp], FloatArray]:
    """The cluster of each block and the centroids; the first seed is the block with most of the desired feature."""
    used = np.flatnonzero(share.any(axis=0))  # features that no block has tell nothing apart
    points = share[:, used]
    found = kmeans(points, points[int(np.argmax(share[:, axis]))], clusters)
    centroid = np.zeros((len(found.centroid), share.shape[1]))
    centroid[:, used] = found.centroid
    return found.label, centroid


def _told(label: NDArray[np.intp], centroid: FloatArray) -> list[dict[str, Any]]:
    """Clusters for the trace: how many blocks they have, and their centroids."""
    size = np.bincount(label, minlength=len(centroid)).tolist()
    means = centroid.round(6).tolist()
    return [{"size": count, **dict(zip(FEATURES, mean))} for count, mean in zip(size, means)]
