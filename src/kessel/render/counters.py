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
    near: bool = True
    """Whole, with unit and formation in a band; else larger symbol and values, with the unit's name below."""


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
    body = [_card(colours, style)]
    if style.near:
        body += _near(piece, colours, style)
    else:
        body += _middle(piece, colours, style)
    if piece.dot:
        fill = DOTS.get(piece.dot, INK)
        x, y = (8.5, 30.5) if style.near else (6.4, 14.0)
        body.append(f'<circle cx="{x:g}" cy="{y:g}" r="3.4" fill="{fill}" stroke="{PAPER}" stroke-width="1"/>')
    status = [s.lower() for s in piece.status]
    faded = bool(FADED & set(status))
    if faded:
        body.append(f'<path d="{_shape(colours)}" fill="{PAPER}" fill-opacity=".36"/>')
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


CUT = "M8 0h44l8 8v44l-8 8h-44l-8-8v-44z"
SQUARE = "M2 0h56q2 0 2 2v56q0 2-2 2h-56q-2 0-2-2v-56q0-2 2-2z"


def _shape(colours: CounterColours) -> str:
    return CUT if colours.cut else SQUARE


def _card(colours: CounterColours, style: CounterStyle) -> str:
    d = _shape(colours)
    shadow = f'<path d="{d}" transform="translate(1.6 2.4)" fill="#000" fill-opacity=".3"/>'
    card = f'<path d="{d}" fill="{colours.ground}" stroke="{colours.edge}" stroke-width="2"/>'
    return (shadow if style.shadow else "") + card


BAND_CUT, BAND_SQUARE = "M8 0h44l8 8v6h-60v-6z", "M2 0h56q2 0 2 2v12h-60v-12q0-2 2-2z"
TAB_CUT, TAB_SQUARE = "M0 46h60v6l-8 8h-44l-8-8z", "M0 46h60v12q0 2-2 2h-56q-2 0-2-2z"


def printed(piece: Piece) -> tuple[str, str]:
    """What a counter shows of unit and formation. An id of several parts ends with its formation, which stands
    beside it."""
    unit, dot, last = piece.id.rpartition(".")
    closest = piece.formation.split()[:1]
    formation = last if dot else next(iter(closest), "")
    return unit if dot else piece.id, formation if formation != piece.id else ""


def _near(piece: Piece, colours: CounterColours, style: CounterStyle) -> list[str]:
    """Unit and formation in a band, size and symbol, steps as bars beside it, values."""
    body = []
    if style.names:
        body.append(f'<path d="{BAND_CUT if colours.cut else BAND_SQUARE}" fill="{colours.edge}"/>')
        unit, formation = printed(piece)
        room = 30.0 if formation else 48.0
        body.append(_text(unit, 5 + room / 2 if formation else 30, 10.6, 9.6, "#fff", room))
        if formation:
            body.append(_text(formation, 46.5, 10.2, 7.4, "#fff", 17, weight=500))
    body.append(
        f'<g transform="translate(29 30.5) scale(.86)">{symbol(piece.kind, ink="#201c18", box=colours.box)}</g>'
    )
    if piece.size:
        body.append(_text(piece.size, 29, 20.6, 6.6, colours.ink, 30, spacing=0.4))
    if piece.full_steps > 1:
        body.append(_bars(piece, colours, 50.5, 18.0, 22.0))
    if style.values and piece.values:
        body.append(_values(piece, colours, 55.2, 16.0))
    return body


def _middle(piece: Piece, colours: CounterColours, style: CounterStyle) -> list[str]:
    """For a hex of 40 to 90 pixels: symbol and values as large as they can be, the unit's name below."""
    body = [f'<g transform="translate(27 14)">{symbol(piece.kind, ink="#201c18", box=colours.box)}</g>']
    if piece.full_steps > 1:
        body.append(_bars(piece, colours, 50.5, 4.0, 21.0))
    if style.values and piece.values:
        body.append(_values(piece, colours, 42.6, 18.0))
    if style.names:
        body.append(f'<path d="{TAB_CUT if colours.cut else TAB_SQUARE}" fill="{colours.edge}"/>')
        body.append(_text(printed(piece)[0], 30, 56.6, 11.0, "#fff", 50 if colours.cut else 56))
    return body


def _values(piece: Piece, colours: CounterColours, y: float, size: float) -> str:
    """The printed values; elite units on a yellow plate, poor ones in thin letters."""
    plate = ""
    ink, weight = colours.ink, 700
    if piece.elite > 0:
        plate = f'<rect x="4" y="{y - size * 0.84:g}" width="52" height="{size:g}" rx="3" fill="#ffe27a"/>'
        ink = "#201c18"
    elif piece.elite < 0:
        weight = 500
    return plate + _text(piece.values, 30, y, size, ink, 48, weight=weight)


def _bars(piece: Piece, colours: CounterColours, x: float, top: float, high: float) -> str:
    """One bar a step, from below: full for those left, hollow for those lost."""
    n = min(piece.full_steps, 8)
    gap = 1.4
    each = min((high - gap * (n - 1)) / n, 6.4)
    done = ""
    for i in range(n):
        y = top + high - (i + 1) * each - i * gap
        look = f'fill="{colours.ink}"' if i < piece.steps else 'fill="none" stroke-dasharray="1.4 1"'
        done += f'<rect class="step" x="{x:g}" y="{y:.1f}" width="6" height="{each:.1f}" {look}/>'
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
