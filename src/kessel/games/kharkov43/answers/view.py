"""What the German player may see. Hidden are the contents of the German piles that were dealt unseen (4.II); the
Soviet draw pile, the chits in the cup and the ground markers have no order that could be seen.
"""

from __future__ import annotations

import re

from kessel.core.board import NOWHERE
from kessel.core.view import Marker, Piece, SideView, Track
from kessel.games.kharkov43.answers.cards import cards_of, hits_so_far
from kessel.games.kharkov43.board import (
    ACTIVE,
    AVAILABLE,
    BOXES,
    CUP,
    DISPERSED,
    DRAW,
    FACINGS,
    FORWARD_SUPPORT,
    GARRISON,
    GROUND_CONDITIONS,
    IP,
    ISOLATED,
    KG,
    MOVED,
    OBJECTIVES,
    ON_MAP,
    OOS,
    RESERVE,
    SUPPORT_LINES,
    Board,
)
from kessel.games.kharkov43.data.forces import FORMATIONS, GERMAN, SIDES, SOVIET
from kessel.games.kharkov43.turn.piles import german_pile
from kessel.wargame.views import pieces, status_words

SHOWN = {DISPERSED: "dispersed", OOS: "out of supply", ISOLATED: "isolated", ACTIVE: "active", MOVED: "moved"}
MARKS = {GARRISON: "garrison", IP: "improved position", FORWARD_SUPPORT: "forward support", KG: "kampfgruppe"}


PHRASES = {
    "corps": "Activate",
    "kg": "Form a Kampfgruppe in",
    "unit": "Activate",
    "strategic": "Move {} strategically to {}",
    "dig": "Build an improved position in",
    "lose": "Let {} lose a step",
    "replace": "Give {} a replacement step",
    "target": "Choose",
    "with": "Add {} to the attack",
    "without": "Leave {} out",
    "draw": "Draw more chits:",
    "draw 0": "Draw no more",
    "draw 1": "Draw 1 more chit",
    "scatter": "Retreat apart, hexes:",
    "fallback": "Fall back with {} along {}",
    "disperse": "Disperse instead",
    "move": "Move {} to {}",
    "deploy": "Deploy {} in {}",
    "advance": "Advance {} along {}",
    "join": "Bring {} into the fight at {}",
    "tactic": "Play",
    "event": "Choose the event",
}


def side_view(g: Board, side: int | None) -> SideView:
    shown = (u for u in range(len(g.forces)) if g.box[u] in (ON_MAP, RESERVE) or g.steps[u])
    return SideView(
        turn=f"Turn {g.turn}, {g.charts.calendar[g.turn].dates}" if g.turn in g.charts.calendar else str(g.turn),
        phase=_in_words(type(g.stack[-1]).__name__) if g.stack else "",
        pieces=pieces(g, shown, _shown, _piece),
        markers=_markers(g),
        tracks=_tracks(g),
        cards=cards_of(g, side),
        control={g.hex_name(h): SIDES[g.owner[h] - 1] for h in g.ground.town_list if g.owner[h]},
    )


def _shown(g: Board, u: int) -> tuple[object, ...]:
    """All a counter shows that can change."""
    return g.place[u], g.box[u], g.steps[u], g.status[u]


def _place(g: Board, u: int) -> str:
    if g.place[u] != NOWHERE:
        return g.hex_name(g.place[u])
    return f"{SIDES[g.forces.side[u]]}_{BOXES[g.box[u]]}"


def _piece(g: Board, u: int) -> Piece:
    steps = max(1, g.steps[u])
    forces = g.forces
    kind = forces.type[u][steps]
    return Piece(
        id=forces.ids[u],
        side=SIDES[forces.side[u]],
        place=_place(g, u),
        name=forces.names[u],
        kind="armor" if kind == "armored_cavalry" else kind,
        values=f"{forces.strength[u][steps]}-{forces.movement[u][steps]}",
        steps=steps,
        full_steps=forces.full_steps[u],
        nation=SIDES[forces.side[u]],
        status=status_words(g.status[u], SHOWN),
        formation=forces.formation[u],
        note=f"selector {forces.selector[u][steps]:02d}",
    )


def _markers(g: Board) -> list[Marker]:
    found = []
    for h in g.map.grid.hexes:
        for flag, kind in MARKS.items():
            if g.marks[h] & flag:
                side = SIDES[SOVIET] if flag in (GARRISON, FORWARD_SUPPORT) else SIDES[GERMAN] if flag == KG else ""
                found.append(Marker(kind=kind, place=g.hex_name(h), side=side))
    for i, name in enumerate(OBJECTIVES):
        if g.objective[i] >= 0:
            text = f"{name} {FACINGS[g.facing[i]]}".strip()
            found.append(Marker(kind="objective", place=g.hex_name(g.objective[i]), text=text, side=SIDES[SOVIET]))
    return found


def _tracks(g: Board) -> list[Track]:
    line = SUPPORT_LINES[g.track("support_line")].replace("_", " ")
    last = max(g.charts.calendar)
    aside = sum(c != CUP for c in g.chits)
    barred = [f for f, v in zip(FORMATIONS, g.activated, strict=True) if v & 2]
    return [
        Track("Game-turn", g.turn, low=1, high=g.scenario.last_turn if g.scenario else last),
        Track("Soviet VPs", g.vp),
        Track("Ground", g.ground_condition, GROUND_CONDITIONS[g.ground_condition].replace("_", " ")),
        Track("Soviet support", g.track("support_line"), line),
        Track("One unit activated", g.track("one_unit_used"), "used" if g.track("one_unit_used") else "available"),
        Track("Chits out of the cup", aside, high=len(g.chits)),
        Track("German draw pile", len(german_pile(g, DRAW))),
        *([Track("Hits in this combat", 0, hits)] if (hits := hits_so_far(g)) else []),
        *([Track("Not to be activated again", len(barred), " ".join(barred))] if barred else []),
    ]


def unseen_german_cards(g: Board) -> tuple[list[int], int]:
    """The supplementals the player has not seen, and how many of them lie in the draw pile."""
    mixed = [i for i in g.charts.german_cards if g.cards[i] in (DRAW, AVAILABLE) and not g.charts.cards[i].primary]
    return mixed, sum(g.cards[i] == DRAW for i in mixed)


def _in_words(name: str) -> str:
    """A procedure's name as a player reads it: German impulse."""
    return re.sub(r"(?<=[a-z])([A-Z])", lambda m: " " + m[1].lower(), name)
