"""Small plots as SVG: curves with bands, bars. Drawn by hand, so that a page needs nothing but itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from math import ceil, floor, log10

LEFT, RIGHT, TOP, BOTTOM = 54.0, 34.0, 14.0, 40.0
GRID, AXIS, TEXT = "#e2dac6", "#8b8068", "#57503f"
STYLE = "font-family=\"'Kessel Sans','Barlow Semi Condensed','Arial Narrow',sans-serif\" font-size=\"13\""


@dataclass(slots=True)
class Curve:
    """One value for each tick of the axis, None where there is none; a band is drawn from `low` to `high`."""

    name: str
    ink: str
    values: Sequence[float | None]
    low: Sequence[float | None] = field(default_factory=list)
    high: Sequence[float | None] = field(default_factory=list)
    dash: str = ""


def curves(ticks: Sequence[str], some: Sequence[Curve], *, title: str, width: float = 760, height: float = 260) -> str:
    """Curves over a common axis, with a legend below."""
    every = [v for c in some for row in (c.values, c.low, c.high) for v in row if v is not None]
    plot = _Plot(ticks, every or [0.0], width, height)
    parts = [plot.frame()]
    for c in some:
        band = [
            (i, a, b) for i, (a, b) in enumerate(zip(c.low, c.high, strict=True)) if a is not None and b is not None
        ]
        if len(band) > 1:
            up = " ".join(f"{plot.x(i):.1f},{plot.y(b):.1f}" for i, _, b in band)
            down = " ".join(f"{plot.x(i):.1f},{plot.y(a):.1f}" for i, a, _ in reversed(band))
            parts.append(f'<polygon points="{up} {down}" fill="{c.ink}" fill-opacity=".16"/>')
    for c in some:
        points = [(plot.x(i), plot.y(v)) for i, v in enumerate(c.values) if v is not None]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dash = f' stroke-dasharray="{c.dash}"' if c.dash else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{c.ink}" stroke-width="2.6"{dash}/>')
        if len(points) <= 40:
            parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.4" fill="{c.ink}"/>' for x, y in points]
    return plot.document(parts, title, [(c.name, c.ink, c.dash) for c in some])


def bars(
    ticks: Sequence[str],
    some: Sequence[tuple[str, str, Sequence[float]]],
    *,
    title: str,
    spans: Sequence[tuple[float, float]] = (),
    most: float = 0.0,
    width: float = 760,
    height: float = 240,
) -> str:
    """Bars side by side: name, ink and values of each. `spans` are intervals drawn over the bars of the first,
    `most` is what the axis reaches at least."""
    every = [v for _, _, row in some for v in row] + [b for span in spans for b in span]
    plot = _Plot(ticks, [0.0, most, *every], width, height, between=True)
    parts = [plot.frame()]
    room = plot.step * 0.72 / max(len(some), 1)
    for k, (_, ink, row) in enumerate(some):
        for i, v in enumerate(row):
            x = plot.x(i) - plot.step * 0.36 + k * room
            top, foot = sorted((plot.y(v), plot.y(0)))
            parts.append(
                f'<rect x="{x:.1f}" y="{top:.1f}" width="{room * 0.92:.1f}" height="{foot - top:.1f}" fill="{ink}"/>'
            )
    for i, (a, b) in enumerate(spans):
        x = plot.x(i) - plot.step * 0.36 + room * 0.46
        parts.append(
            f'<path d="M{x:.1f} {plot.y(a):.1f}V{plot.y(b):.1f}M{x - 5:.1f} {plot.y(a):.1f}h10M{x - 5:.1f} '
            f'{plot.y(b):.1f}h10" stroke="#201c18" stroke-width="1.6"/>'
        )
    return plot.document(parts, title, [(name, ink, "") for name, ink, _ in some] if len(some) > 1 else [])


class _Plot:
    def __init__(
        self, ticks: Sequence[str], values: Sequence[float], width: float, height: float, *, between: bool = False
    ) -> None:
        self.ticks, self.width, self.height = ticks, width, height
        self.marks = nice(min(values), max(values))
        room = width - LEFT - RIGHT
        self.step = room / max(len(ticks) if between else len(ticks) - 1, 1)
        self.start = LEFT + (self.step / 2 if between else 0)

    def x(self, i: int) -> float:
        return self.start + i * self.step

    def y(self, v: float) -> float:
        low, high = self.marks[0], self.marks[-1]
        return TOP + (self.height - TOP - BOTTOM) * (high - v) / ((high - low) or 1)

    def frame(self) -> str:
        parts = []
        for v in self.marks:
            ink = AXIS if v == 0 else GRID
            parts.append(f'<path d="M{LEFT:g} {self.y(v):.1f}H{self.width - RIGHT:g}" stroke="{ink}"/>')
            parts.append(f'<text x="{LEFT - 8:g}" y="{self.y(v) + 4:.1f}" text-anchor="end">{v:g}</text>')
        longest = max((len(t) for t in self.ticks), default=1)
        every = max(1, ceil(longest * 6.6 / max(self.step, 1)))
        for i, t in enumerate(self.ticks):
            if i % every == 0 or (i == len(self.ticks) - 1 and i % every > every / 2):
                y = self.height - BOTTOM + 18
                parts.append(f'<text x="{self.x(i):.1f}" y="{y:g}" text-anchor="middle">{escape(t)}</text>')
        return "".join(parts)

    def document(self, parts: Sequence[str], title: str, legend: Sequence[tuple[str, str, str]]) -> str:
        """The legend has a name, an ink, and the dashes of a curve that has them."""
        said, x, y = [], LEFT, self.height - 4
        for name, ink, dash in legend:
            long = 34 + 6.8 * len(name) + (14 if dash else 0)
            if x > LEFT and x + long > self.width:
                x, y = LEFT, y + 17
            x += 14 if dash else 0
            if dash:
                line = f'stroke="{ink}" stroke-width="2.6" stroke-dasharray="{dash}"'
                said.append(f'<path d="M{x - 14:.0f} {y - 4.5:g}h28" {line}/>')
            else:
                said.append(f'<rect x="{x:.0f}" y="{y - 9:g}" width="12" height="9" fill="{ink}"/>')
            said.append(f'<text x="{x + 17:.0f}" y="{y:g}">{escape(name)}</text>')
            x += long - (14 if dash else 0)
        return (
            f'<svg class="plot" style="max-width:{self.width * 1.08:.0f}px" viewBox="0 0 {self.width:g} {y + 4:g}" '
            f'role="img" {STYLE} fill="{TEXT}">'
            f"<title>{escape(title)}</title>{''.join(parts)}{''.join(said)}</svg>"
        )


def nice(low: float, high: float) -> list[float]:
    """Round numbers from below the lowest to above the highest, about five of them.

    >>> nice(0, 8)
    [0.0, 2.0, 4.0, 6.0, 8.0]
    >>> nice(3, 3)
    [2.0, 2.5, 3.0, 3.5, 4.0]
    """
    if high == low:
        low, high = low - 1, high + 1
    raw = (high - low) / 4
    power = 10.0 ** floor(log10(raw))
    step = next(power * k for k in (1, 2, 2.5, 5, 10) if power * k >= raw * 0.99)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(i * step, 9) for i in range(first, last + 1)]
