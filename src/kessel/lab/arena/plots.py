"""Plots as inline SVG: dots with intervals, and histograms. Drawn by hand, so that the page needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

ROW, LEFT, RIGHT, WIDTH = 26, 210, 70, 760
INK, FAINT, MARK = "#22303c", "#c9d1d9", "#a33327"


def _scale(low: float, high: float) -> tuple[float, float]:
    pad = 0.06 * (high - low) or 1.0
    return low - pad, high + pad


def _frame(height: int, inside: list[str], title: str) -> str:
    head = f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img" aria-label="{escape(title)}"'
    return f'{head} font-family="sans-serif" font-size="12" fill="{INK}">' + "".join(inside) + "</svg>"


def _ticks(low: float, high: float) -> list[float]:
    span = high - low
    for step in (0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000):
        if span / step <= 8:
            first = -(-low // step)
            return [(first + i) * step for i in range(int((high - first * step) / step) + 1)]
    return [low, high]


def intervals(rows: Sequence[tuple[str, float, float, float]], title: str, zero: float | None = 0.0) -> str:
    """One row each: name, value, low, high."""
    values = [x for _, *three in rows for x in three] + ([zero] if zero is not None else [])
    low, high = _scale(min(values), max(values))

    def at(x: float) -> float:
        return LEFT + (x - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    height = ROW * (len(rows) + 2)
    out = [
        f'<line x1="{at(x):.1f}" x2="{at(x):.1f}" y1="8" y2="{height - 34}" stroke="{FAINT}"/>'
        f'<text x="{at(x):.1f}" y="{height - 18}" text-anchor="middle">{x:g}</text>'
        for x in _ticks(low, high)
    ]
    if zero is not None:
        out.append(f'<line x1="{at(zero):.1f}" x2="{at(zero):.1f}" y1="8" y2="{height - 34}" stroke="{INK}"/>')
    for i, (name, value, a, b) in enumerate(rows):
        y = ROW * i + 22
        out.append(f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        out.append(f'<line x1="{at(a):.1f}" x2="{at(b):.1f}" y1="{y}" y2="{y}" stroke="{MARK}" stroke-width="2"/>')
        out.append(f'<circle cx="{at(value):.1f}" cy="{y}" r="4" fill="{MARK}"/>')
        out.append(f'<text x="{WIDTH - RIGHT + 12}" y="{y + 4}">{value:+.0f}</text>')
    return _frame(height, out, title)


def histogram(values: Sequence[float], title: str, bins: int = 24) -> str:
    """How often each value came up; the line is nought."""
    low, high = _scale(min([*values, 0.0]), max([*values, 0.0]))
    counts = [0] * bins
    for v in values:
        counts[min(bins - 1, int((v - low) / (high - low) * bins))] += 1
    height, most, wide = 170, max(counts) or 1, (WIDTH - 60) / bins
    out = []
    for i, n in enumerate(counts):
        tall = 120 * n / most
        box = f'x="{30 + i * wide:.1f}" y="{135 - tall:.1f}" width="{wide - 2:.1f}" height="{tall:.1f}"'
        out.append(f'<rect {box} fill="{MARK}"/>')
    for x in (*_ticks(low, high), 0.0):
        spot = 30 + (x - low) / (high - low) * (WIDTH - 60)
        ink = INK if x == 0 else FAINT
        out.append(f'<line x1="{spot:.1f}" x2="{spot:.1f}" y1="10" y2="140" stroke="{ink}"/>')
        out.append(f'<text x="{spot:.1f}" y="156" text-anchor="middle">{x:g}</text>')
    return _frame(height, out, title)
