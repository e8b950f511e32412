"""Plots as SVG, drawn by hand: no library, no script, nothing to load."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from parlour.arena.rating import Interval

COLOURS = ("#3b6fb6", "#c8553d", "#3d8b5f", "#8a5aa8", "#b8860b", "#2a9d9d", "#a83264", "#6b6b6b")
WIDTH, LEFT, RIGHT, TOP, LINE = 760, 190, 24, 12, 26


def colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers from low to high, about so many."""
    span = max(high - low, 1e-9)
    size = 10.0 ** math.floor(math.log10(span / about))
    step = next((size * factor for factor in (1, 2, 5) if span / (size * factor) <= about), size * 10)
    first = math.ceil(low / step)
    return [number * step for number in range(first, math.floor(high / step) + 1)]


def whiskers(names: Sequence[str], values: Sequence[Interval], label: str) -> str:
    """One line per bot: a dot for its value, a whisker for its interval."""
    low, high = _range([value.low for value in values] + [value.high for value in values])
    height = TOP + LINE * len(names) + 44
    parts = [_axis(low, high, height - 44, label, height)]
    for place, (name, value) in enumerate(zip(names, values, strict=True)):
        y, tint = TOP + LINE * (place + 0.5), colour(place)
        left, right, middle = (_across(end, low, high) for end in (value.low, value.high, value.value))
        told = f"{name}: {value.value:.0f}, from {value.low:.0f} to {value.high:.0f}"
        parts.append(
            f"<g><title>{escape(told)}</title>"
            f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{_short(name)}</text>'
            f'<line x1="{left:.1f}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}" stroke="{tint}" stroke-width="3"/>'
            f'<circle cx="{middle:.1f}" cy="{y:.1f}" r="5" fill="{tint}"/></g>'
        )
    return _svg(height, parts, label)


def lines(names: Sequence[str], courses: Sequence[Sequence[float]], at: Sequence[int], label: str) -> str:
    """One course per bot over the matches."""
    low, high = _range([value for course in courses for value in course])
    bottom = 260
    height = bottom + 44
    last = max([*at, 1])
    parts = [_axis(0, last, bottom, "matches", height)]
    for tick in ticks(low, high):
        y = bottom - (tick - low) / (high - low) * (bottom - TOP)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>')
        parts.append(f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for place, (name, course) in enumerate(zip(names, courses, strict=True)):
        points = " ".join(
            f"{_across(x, 0, last):.1f},{bottom - (value - low) / (high - low) * (bottom - TOP):.1f}"
            for x, value in zip(at, course, strict=True)
        )
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour(place)}" stroke-width="2">'
            f"<title>{escape(name)}</title></polyline>"
        )
    return _svg(height, parts, label)


def _svg(height: float, parts: Sequence[str], label: str) -> str:
    head = f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}" '
    return head + 'xmlns="http://www.w3.org/2000/svg">' + "".join(parts) + "</svg>"


def _axis(low: float, high: float, bottom: float, label: str, height: float) -> str:
    parts = []
    for tick in ticks(low, high):
        x = _across(tick, low, high)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}" class="grid"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{tick:g}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{height - 8}" text-anchor="middle">{escape(label)}</text>')
    return "".join(parts)


def _across(value: float, low: float, high: float) -> float:
    return LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=0.0)
    margin = max((high - low) * 0.05, 0.5)
    return low - margin, high + margin


def _short(name: str, longest: int = 24) -> str:
    return escape(name if len(name) <= longest else f"{name[: longest - 1]}…")
