"""Counters: one drawing of a piece for pictures, the terminal's exports and the browser alike.

A counter is drawn in a square from 0,0 to 60,60. `counter_svg` gives it as a fragment (a `<g>`), `counter_document` as
a picture of its own. `face_key` names what a counter looks like: two pieces with one key look the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kessel.core.view import Marker, Piece
from kessel.render.fonts import text_width
from kessel.render.style import INK, PAPER, SANS, CounterColours, counter_colours, side_ink
from kessel.render.symbols import escape, symbol

SIZE = 60
STACK_STEP = 4.0


class CounterStyle(NamedTuple):
    """What may differ between drawings of the same piece."""

    shadow: bool = True
    values: bool = True
    names: bool = True
    badges: bool = True


class Badge(NamedTuple):
    """How a status shows: a letter or two on a shape. Shapes differ, so that colour is never the only sign."""

    text: str
    fill: str
    shape: str = "disc"
    ink: str = "#fff"


BADGES: dict[str, Badge] = {
    "disrupted": Badge("D", "#b3261e", "diamond"),
    "shaken": Badge("S", "#b3261e", "diamond"),
    "full retreat": Badge("FR", "#6b1a6b", "diamond"),
    "routed": Badge("R", "#6b1a6b", "diamond"),
    "out of supply": Badge("!", "#f2c230", "triangle", INK),
    "low supply": Badge("L", "#f2c230", "triangle", INK),
    "isolated": Badge("I", "#8a1c1c", "triangle"),
    "emergency supply": Badge("E", "#f2c230", "triangle", INK),
    "in supply": Badge("+", "#2e6b3e", "disc"),
    "reserve": Badge("R", "#2b5a86", "square"),
    "entrenched": Badge("E", "#6d5a3c", "square"),
    "fortified": Badge("F", "#6d5a3c", "square"),
    "prepared": Badge("P", "#6d5a3c", "square"),
    "rail movement": Badge("RR", "#4b443c", "square"),
    "strategic movement": Badge("SM", "#4b443c", "square"),
    "extended movement": Badge("EM", "#4b443c", "square"),
    "attacked": Badge("A", "#4b443c", "disc"),
    "activated": Badge("A", "#4b443c", "disc"),
    "no movement": Badge("0", "#4b443c", "disc"),
    "hidden": Badge("?", "#4b443c", "disc"),
}
FADED = {"moved", "spent", "used", "done", "activated", "exhausted"}
"""States that say a piece has had its turn: the counter is paler."""
BADGE_AT = ((56.0, 5.0), (56.0, 21.0), (4.0, 5.0), (4.0, 21.0))
DOTS = {"red": "#b3261e", "black": "#1d1a16", "white": "#ffffff", "yellow": "#f2c230", "blue": "#2b5a86",
        "green": "#2e6b3e"}  # fmt: skip


def face_key(piece: Piece) -> str:
    """Equal for pieces that look alike wherever they stand."""
    p = piece
    parts = (p.id, p.side, p.kind, p.size, p.values, p.steps, p.full_steps, p.nation, p.elite, p.dot, p.formation)
    return "/".join(map(str, (*parts, *p.status)))


def counter_svg(piece: Piece, style: CounterStyle | None = None) -> str:
    """One counter as an SVG fragment."""
    style = style or CounterStyle()
    colours = counter_colours(piece.side, piece.nation)
    body = [_card(colours, style, dark_edge=side_ink(piece.side))]
    body.append(f'<g transform="translate(30 23)">{symbol(piece.kind, ink="#201c18", box=colours.box)}</g>')
    if piece.size:
        body.append(_text(piece.size, 30, 10.4, 8.5, colours.ink, 34, spacing=0.4))
    if style.names:
        body.append(_upright(piece.id, 9.2, colours.ink, up=True))
        if piece.formation and piece.formation != piece.id:
            body.append(_upright(piece.formation, 55.6, colours.ink, up=False))
    if style.values and piece.values:
        body.append(_values(piece, colours))
    if piece.full_steps > 1:
        body.append(_pips(piece, colours))
    if piece.dot:
        fill = DOTS.get(piece.dot, INK)
        body.append(f'<circle cx="53" cy="36.5" r="3.6" fill="{fill}" stroke="{PAPER}" stroke-width="1"/>')
    status = [s.lower() for s in piece.status]
    faded = bool(FADED & set(status))
    if faded:
        body.append(f'<rect width="{SIZE}" height="{SIZE}" rx="5" fill="{PAPER}" fill-opacity=".36"/>')
    if style.badges:
        shown = [s for s in status if s not in FADED or s in BADGES]
        body += [_badge(s, *at) for s, at in zip(shown, BADGE_AT, strict=False)]
    told = ", ".join([piece.name or piece.id, piece.kind.replace("_", " "), piece.values, *piece.status])
    return f'<g class="counter" data-piece="{escape(piece.id)}"><title>{escape(told)}</title>{"".join(body)}</g>'


def counter_document(piece: Piece, style: CounterStyle | None = None, *, scale: float = 2.0) -> str:
    """One counter as a picture of its own."""
    side = SIZE + 8
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {side} {side}" width="{side * scale:g}" '
        f'height="{side * scale:g}" font-family="{SANS}" font-weight="500">{counter_svg(piece, style)}</svg>'
    )


def stack_svg(pieces: Sequence[Piece], style: CounterStyle | None = None, *, most: int = 4) -> str:
    """A stack, the first piece at the bottom, drawn around 0,0; more pieces than `most` show as a number."""
    shown = pieces[-most:]
    spread = STACK_STEP * (len(shown) - 1)
    parts = []
    for i, piece in enumerate(shown):
        at = -SIZE / 2 - spread / 2 + STACK_STEP * i
        y = -SIZE / 2 + spread / 2 - STACK_STEP * i
        parts.append(f'<g transform="translate({at:g} {y:g})">{counter_svg(piece, style)}</g>')
    if len(pieces) > most:
        x, y = SIZE / 2 + spread / 2 - 2, SIZE / 2 - spread / 2 - 2
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="9" fill="{INK}" stroke="{PAPER}" stroke-width="1.5"/>')
        parts.append(_text(str(len(pieces)), x, y + 4, 11, "#fff", 15))
    return "".join(parts)


def marker_svg(marker: Marker) -> str:
    """A marker as a small tile around 0,0."""
    ink = side_ink(marker.side)
    text = marker.text or marker.kind.replace("_", " ")
    size = 9.5
    half = min(30.0, text_width(text, size, weight=700) / 2 + 4)
    return (
        f'<g class="marker" data-marker="{escape(marker.kind)}"><title>{escape(marker.kind.replace("_", " "))}</title>'
        f'<rect x="{-half:.1f}" y="-8" width="{2 * half:.1f}" height="16" rx="3" fill="{PAPER}" stroke="{ink}" '
        f'stroke-width="1.6"/>{_text(text, 0, 3.4, size, ink, 2 * half - 5)}</g>'
    )


def _card(colours: CounterColours, style: CounterStyle, dark_edge: str) -> str:
    shadow = '<rect x="1.5" y="2.2" width="60" height="60" rx="5" fill="#000" fill-opacity=".28"/>'
    return (
        (shadow if style.shadow else "")
        + f'<rect width="60" height="60" rx="5" fill="{colours.ground}" stroke="{colours.edge}" stroke-width="1.6"/>'
        + f'<path d="M1.6 56v-1.5h56.8v1.5q0 2.4-2.4 2.4h-52q-2.4 0-2.4-2.4z" fill="{dark_edge}"/>'
    )


def _values(piece: Piece, colours: CounterColours) -> str:
    """The printed values; elite units on a light plate, poor ones in thin letters."""
    plate = ""
    ink, weight = colours.ink, 700
    if piece.elite > 0:
        plate = f'<rect x="5" y="38.6" width="50" height="15" rx="3.5" fill="#fff8d6" stroke="{colours.edge}"/>'
        ink = "#201c18"
    elif piece.elite < 0:
        weight = 500
    return plate + _text(piece.values, 30, 51.6, 15.5, ink, 46, weight=weight)


def _pips(piece: Piece, colours: CounterColours) -> str:
    """One pip a step: full for those left, hollow for those lost."""
    n = min(piece.full_steps, 8)
    left = 30 - (n - 1) * 2.9
    done = ""
    for i in range(n):
        fill = colours.ink if i < piece.steps else "none"
        done += f'<circle cx="{left + i * 5.8:.1f}" cy="36.3" r="1.9" fill="{fill}"/>'
    return f'<g stroke="{colours.ink}" stroke-width=".9">{done}</g>'


def _badge(status: str, x: float, y: float) -> str:
    badge = BADGES.get(status) or Badge("".join(w[0] for w in status.split()[:2]).upper(), PAPER, "disc", INK)
    shapes = {
        "disc": f'<circle r="7" {_badge_paint(badge)}/>',
        "square": f'<rect x="-6.5" y="-6.5" width="13" height="13" rx="1.5" {_badge_paint(badge)}/>',
        "diamond": f'<path d="M0-8.8 8.8 0 0 8.8-8.8 0z" {_badge_paint(badge)}/>',
        "triangle": f'<path d="M0-8.8 9 6.6h-18z" {_badge_paint(badge)}/>',
    }
    low = 5.0 if badge.shape == "triangle" else 3.6
    letters = _text(badge.text, 0, low, 10 if len(badge.text) == 1 else 8, badge.ink, 12)
    return f'<g transform="translate({x:g} {y:g})"><title>{escape(status)}</title>{shapes[badge.shape]}{letters}</g>'


def _badge_paint(badge: Badge) -> str:
    return f'fill="{badge.fill}" stroke="{PAPER if badge.ink == "#fff" else INK}" stroke-width="1.2"'


def _text(
    text: str, x: float, y: float, size: float, ink: str, room: float, *, weight: int = 700, spacing: float = 0.0
) -> str:
    """Centred text, made smaller until it fits the room."""
    width = text_width(text, size, weight=weight, spacing=spacing)
    size = min(size, size * room / width) if width else size
    gap = f' letter-spacing="{spacing:g}"' if spacing else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:.3g}" font-weight="{weight}" text-anchor="middle" fill="{ink}"'
        f"{gap}>{escape(text)}</text>"
    )


def _upright(text: str, x: float, ink: str, *, up: bool) -> str:
    """Small text along the counter's left or right side."""
    size = min(8.6, 8.6 * 33 / max(text_width(text, 8.6, weight=700), 1))
    turn = -90 if up else 90
    x = x if up else x - 4.6
    return (
        f'<text transform="translate({x:g} 21.5) rotate({turn})" font-size="{size:.3g}" font-weight="700" '
        f'text-anchor="middle" fill="{ink}">{escape(text)}</text>'
    )
