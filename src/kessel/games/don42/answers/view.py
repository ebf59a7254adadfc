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
from kessel.games.don42.data.charts import QUALITIES, turn_name
from kessel.games.don42.data.forces import GERMAN, SIDES, SIZES, SOVIET
from kessel.games.don42.turn.victory import total
from kessel.wargame.views import SIZE_SIGNS, pieces, status_words

SHOWN = {flag: word for word, flag in STATUS_WORDS.items()}


PHRASES = {
    "automatic": "Set up the rest as the scenario says",
    "bomb_bridge": "Bomb the bridge between",
    "plane": "Send",
    "strike": "Carry out the air strike",
    "drop": "Unload at {}, points: {}",
    "supply": "Supply",
    "entrench": "Build a position in",
    "pontoon": "Build a pontoon bridge between",
    "to": "Go to",
    "halt": "Stop here",
    "leave": "Leave the map",
    "enter": "Bring in",
    "at": "Enter at",
    "shell": "Bombard",
    "shell_bridge": "Bombard the bridge between",
    "gun": "Add the guns of",
    "fire": "Open fire",
    "fire_combat": "Open fire, on the combat table",
    "with": "Add {} to the attack",
    "assault": "Attack now",
    "give_way": "Retreat",
    "step_loss": "Let {} lose a step",
    "continue": "Retreat further to",
    "place": "Place {} in {}",
    "displace": "Displace {} to {}",
    "advance": "Advance {} to {}",
    "repair": "Repair the bridge between",
}


def _shown(g: Board, u: Unit) -> tuple[object, ...]:
    """All a counter shows that can change."""
    return g.place[u], g.steps[u], g.status[u], g.supply[u], g.sp[u], g.fuel[u], g.ammo[u]


def piece(g: Board, u: Unit) -> Piece:
    f, steps = g.forces, g.steps[u]
    value = f.value[u][steps] if not f.air[u] else ()
    printed = "-".join(map(str, value)) if value else "/".join(str(x) for x in (f.bombard[u], f.sp[u]) if x)
    stored = zip(("SP", "FP", "AP"), (g.sp[u], g.fuel[u], g.ammo[u]), strict=True)
    return Piece(
        id=f.ids[u],
        side=SIDES[f.side[u]],
        place=g.place_name(g.place[u]),
        name=f.names[u],
        kind=f.type[u],
        size=SIZE_SIGNS.get(SIZES[f.size[u]], ""),
        values=printed,
        steps=steps,
        full_steps=f.full_steps[u],
        status=statuses(g, u),
        dot="" if f.air[u] else QUALITIES[f.quality[u]],
        formation=" ".join(f.formations[u]),
        note=", ".join(f"{n} {word}" for word, n in stored if n),
    )


def statuses(g: Board, u: Unit) -> list[str]:
    out = ["OOS"] if g.supply[u] == OOS and g.on_map(u) else []
    return [*status_words(g.status[u], SHOWN), *out, *status_words(g.status[u], {ACTIVE: "active", FLOWN: "flown"})]


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
        pieces=pieces(g, shown, _shown, piece),
        markers=markers(g),
        tracks=tracks(g),
        control={
            g.hex_name(h): SIDES[owner]
            for (h, _), owner in zip(g.objectives, g.control, strict=True)
            if owner != NOBODY
        },
    )
