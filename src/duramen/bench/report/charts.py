"""Charts of the report as inline SVG: drawn with attributes and classes only, so that no style needs to be allowed."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

from duramen.bench.leaderboard import Standing
from duramen.bench.metrics import Interval

WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 56, 24, 16, 46
LABEL_HEIGHT = 13


def whisker(found: Interval, low: float, high: float, best: bool) -> str:
    """A bar with its interval, on the scale that all rows of the leaderboard share."""
    span = max(high - low, 1e-9)

    def at(value: float) -> float:
        return round(2 + 176 * min(max((value - low) / span, 0), 1), 1)

    label = f"{found.value:.3f}, between {found.low:.3f} and {found.high:.3f}"
    left, right, kind = at(found.low), at(found.high), "best" if best else "other"
    return (
        f'<svg class="whisker" viewBox="0 0 180 18" width="180" height="18" role="img" aria-label="{label}">'
        f'<rect class="{kind}" x="2" y="5" width="{at(found.value) - 2:.1f}" height="8" rx="2"/>'
        f'<path class="span" d="M{left} 9H{right}M{left} 5v8M{right} 5v8"/></svg>'
    )


def scatter(found: Sequence[Standing]) -> str:
    """Macro F1 over the mean CPU time of a page, its axis logarithmic."""
    times = [max(each.mean_ms, 0.01) for each in found]
    low, high = floor(log10(min(times)) * 2) / 2, ceil(log10(max(times)) * 2) / 2
    high = high if high > low else low + 1
    values = [each.macro.value for each in found]
    bottom, top = floor(min(values) * 10) / 10, min(ceil(max(values) * 20) / 20, 1.0)
    top = top if top > bottom else bottom + 0.1

    def x(ms: float) -> float:
        return LEFT + (log10(max(ms, 0.01)) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (value - bottom) / (top - bottom) * (HEIGHT - TOP - BOTTOM)

    label = "F1 over CPU time of each extractor; the tables have the same figures"
    parts = [f'<svg class="scatter" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">']
    for power in range(ceil(low), floor(high) + 1):
        for factor in (1, 3):
            ms = factor * 10.0**power
            if log10(ms) <= high:
                parts.append(f'<path class="grid" d="M{x(ms):.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
                parts.append(f'<text class="tick" x="{x(ms):.1f}" y="{HEIGHT - BOTTOM + 16}">{ms:g}</text>')
    step = 0.1 if top - bottom > 0.3 else 0.05
    for line_number in range(round((top - bottom) / step) + 1):
        value = bottom + line_number * step
        parts.append(f'<path class="grid" d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text class="tick side" x="{LEFT - 8}" y="{y(value) + 4:.1f}">{value:.2f}</text>')
    parts.append(
        f'<text class="axis" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}">mean CPU time of a page, ms</text>'
    )
    parts.append(
        f'<text class="axis" transform="translate(14 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)">macro F1</text>'
    )
    points = [(each, x(each.mean_ms), y(each.macro.value)) for each in found]
    taken = [(at - 6, at + 6, line) for _, at, line in points]
    for each, at, line in sorted(points, key=lambda point: point[2]):
        span = f'<path class="span" d="M{at:.1f} {y(each.macro.low):.1f}V{y(each.macro.high):.1f}"/>'
        parts.append(_point(each, at, line, span, taken))
    return "".join(parts) + "</svg>"


def _point(each: Standing, at: float, height: float, span: str, taken: list[tuple[float, float, float]]) -> str:
    """A point and its name beside it, at the nearest place where it covers nothing."""
    name = short(each.name)
    left, line = _free(at, height, 6.4 * len(name), taken)
    taken.append((left, left + 6.4 * len(name), line))
    kind = "rival" if ":" in each.name else "ours"
    near = left - 3 if left > at else left + 6.4 * len(name) + 3
    leader = f'<path class="leader" d="M{at:.1f} {height:.1f}L{near:.1f} {line:.1f}"/>' if line != height else ""
    tip = f"{each.name}: F1 {each.macro.value:.3f}, {each.mean_ms:.1f} ms a page"
    return (
        f'<g class="{kind}"><title>{escape(tip)}</title>{leader}{span}'
        f'<circle cx="{at:.1f}" cy="{height:.1f}" r="5"/>'
        f'<text x="{left:.1f}" y="{line + 4:.1f}">{escape(name)}</text></g>'
    )


def _free(at: float, height: float, size: float, taken: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Where a name begins, and its height: right or left of its point, else somewhat above or below."""
    for step in range(14):
        for line in (height + step * LABEL_HEIGHT / 2, height - step * LABEL_HEIGHT / 2):
            for left in (at + 10, at - 10 - size):
                clear = all(
                    abs(line - other) >= LABEL_HEIGHT or left >= stop or first >= left + size
                    for first, stop, other in taken
                )
                if clear and left >= LEFT and left + size <= WIDTH and TOP <= line <= HEIGHT - BOTTOM:
                    return left, line
    return at + 10, height


def short(name: str) -> str:
    """A name that fits into a chart."""
    name = name.removeprefix("peer:")
    return name if len(name) <= 26 else name[:25] + "…"
