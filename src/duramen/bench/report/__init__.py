"""A run as one HTML page: leaderboard, data sets, page types, speed, worst pages, differences."""

from duramen.bench.report.write import write_report

__all__ = ["write_report"]
