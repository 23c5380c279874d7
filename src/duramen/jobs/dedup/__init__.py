"""Duplicates in a stream of texts: the first occurrence stays, later ones are marked with what they repeat."""

from duramen.jobs.dedup.fingerprint import NEAR, Dedup, Fingerprint, fingerprint
from duramen.jobs.dedup.parts import ROW_NAME, join_marked
from duramen.jobs.dedup.seen import Duplicate, Seen, mark

__all__ = ["NEAR", "ROW_NAME", "Dedup", "Duplicate", "Fingerprint", "Seen", "fingerprint", "join_marked", "mark"]
