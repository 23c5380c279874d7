"""ECON, in the order of its steps: joint_para.py, then the climb in algorithm.py; posts.py and trace.py beside it."""

from duramen.algorithms.econ.algorithm import Econ
from duramen.algorithms.econ.joint_para import BIG, BLOCK, UNREAD

__all__ = ["BIG", "BLOCK", "UNREAD", "Econ"]
