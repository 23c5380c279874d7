"""ECON in the order of its steps: units.py, joint_para.py, the climb in algorithm.py; posts.py, trace.py beside it."""

from duramen.algorithms.econ.algorithm import Econ
from duramen.algorithms.econ.units import BIG, BLOCK, UNREAD

__all__ = ["BIG", "BLOCK", "UNREAD", "Econ"]
