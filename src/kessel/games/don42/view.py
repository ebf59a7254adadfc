"""What a side sees. Nothing is hidden in this game (3.5)."""

from __future__ import annotations

from kessel.core.board import NOWHERE
from kessel.core.forces import Unit
from kessel.core.view import Marker, Piece, SideView, Track
from kessel.games.don42.board import (
    ACTIVE,
    DESTROYED,
    FLOWN,
    NO_SIDE,
    NOBODY,
    OOS,
    PHASES,
    PONTOON_WORDS,
    POSITION_WORDS,
    STATUS_WORDS,
    Board,
)
from kessel.games.don42.charts import QUALITIES, turn_name
from kessel.games.don42.forces import GERMAN, SIDES, SOVIET
from kessel.games.don42.victory import total

SIZE_SIGNS = ("I", "II", "III", "X", "XX", "XXX", "XXXX", "")


PHRASES = {
    "automatic": "Set up the rest as the scenario says",
    "bomb_bridge": "Bomb the bridge",
    "plane": "Send",
    "strike": "Carry out the air strike",
    "drop": "Unload at",
    "supply": "Supply",
    "entrench": "Build a position in",
    "pontoon": "Pontoon bridge over",
    "to": "Go to",
    "halt": "Stop here",
    "leave": "Leave the map",
    "enter": "Bring in",
    "at": "Enter at",
    "shell": "Bombard",
    "shell_bridge": "Bombard the bridge",
    "gun": "Add the guns of",
    "fire": "Open fire",
    "fire_combat": "Open fire, on the combat table",
    "with": "Add to the attack:",
    "assault": "Attack now",
    "give_way": "Retreat",
    "step_loss": "Step loss of",
    "continue": "Retreat further to",
}


def piece(g: Board, u: Unit) -> Piece:
    f = g.forces
    value = f.value[u][g.steps[u]] if not f.air[u] else ()
    printed = "-".join(map(str, value)) if value else "/".join(str(x) for x in (f.bombard[u], f.sp[u]) if x)
    return Piece(
        id=f.ids[u],
        side=SIDES[f.side[u]],
        place=g.place_name(g.place[u]),
        name=f.names[u],
        kind=f.type[u],
        size=SIZE_SIGNS[f.size[u]],
        values=printed,
        steps=g.steps[u],
        full_steps=f.full_steps[u],
        status=statuses(g, u),
        dot="" if f.air[u] else QUALITIES[f.quality[u]],
        formation=" ".join(f.formations[u]),
        note=_note(g, u),
    )


def statuses(g: Board, u: Unit) -> list[str]:
    found = [word for word, flag in STATUS_WORDS.items() if g.status[u] & flag]
    if g.supply[u] == OOS and g.on_map(u):
        found.append("OOS")
    if g.status[u] & ACTIVE:
        found.append("active")
    if g.status[u] & FLOWN:
        found.append("flown")
    return found


def _note(g: Board, u: Unit) -> str:
    stored = (("SP", g.sp[u]), ("FP", g.fuel[u]), ("AP", g.ammo[u]))
    return ", ".join(f"{n} {word}" for word, n in stored if n)


def markers(g: Board) -> list[Marker]:
    found = [
        Marker("position", g.hex_name(h), POSITION_WORDS[kind], SIDES[GERMAN])
        for h, kind in enumerate(g.position)
        if kind
    ]
    name = g.map.grid.hexside_name
    for side, state in zip(g.pontoon_at, g.pontoon_state, strict=True):
        if side != NO_SIDE and state & 3:
            where = g.hex_name(side // 6)
            found.append(Marker("pontoon", where, PONTOON_WORDS[state & 3], SIDES[GERMAN], hexside=name(side)))
    for i, side in enumerate(g.ground.bridges):
        if g.bridges[i] & DESTROYED:
            found.append(Marker("bridge", g.hex_name(side // 6), "destroyed", hexside=name(side)))
    return found


def tracks(g: Board) -> list[Track]:
    s = g.scenario
    air = g.track("air_side")
    return [
        Track("turn", g.turn, turn_name(g.turn), s.first_turn, s.last_turn),
        Track("weather", g.weather, g.weather_name, 0, 2),
        Track("air superiority", air, SIDES[air - 1] if air else "none", 0, 2),
        Track("German VP with the hexes held now", total(g, GERMAN)),
        Track("Soviet VP with the hexes held now", total(g, SOVIET)),
    ]


def side_view(g: Board) -> SideView:
    shown = [u for u in range(len(g.forces)) if g.place[u] != NOWHERE]
    return SideView(
        turn=turn_name(g.turn),
        phase=PHASES[g.phase],
        pieces=[piece(g, u) for u in shown],
        markers=markers(g),
        tracks=tracks(g),
        control={
            g.hex_name(h): SIDES[owner]
            for (h, _), owner in zip(g.objectives, g.control, strict=True)
            if owner != NOBODY
        },
    )
