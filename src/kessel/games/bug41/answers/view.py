"""What a side sees. Nothing is hidden in this game."""

from __future__ import annotations

from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import NO_HEX
from kessel.core.view import Piece, SideView, Track
from kessel.games.bug41.board import DISRUPTED, EXPENDED, IMPROVED, Board
from kessel.games.bug41.data.forces import SIDES, SIZES
from kessel.games.bug41.supply.command import COMMAND_WORDS, IN_COMMAND, command_of
from kessel.games.bug41.turn.activation import Activation
from kessel.games.bug41.turn.initiative import Operations, SurpriseAttack
from kessel.games.bug41.turn.recovery import Recovery
from kessel.games.bug41.turn.reinforcements import Reinforcement
from kessel.games.bug41.turn.victory import victory_points
from kessel.wargame.views import SIZE_SIGNS, pieces, status_words

KINDS = {
    "infantry": "infantry",
    "motorized_infantry": "motorized",
    "machine_gun": "infantry",
    "engineer": "engineer",
    "motorized_engineer": "engineer",
    "border_guard": "infantry",
    "anti_tank": "antitank",
    "afv": "armor",
    "hq": "headquarters",
}
STATUS_WORDS = {DISRUPTED: "disrupted", IMPROVED: "improved defense", EXPENDED: "emergency supply expended"}


def side_view(g: Board) -> SideView:
    """The table as both sides see it."""
    shown = [u for u in range(len(g.forces)) if g.on_map(u)]
    victory = [(v, g.map.grid.find(v.hex)) for v in g.scenario.victory.hexes]
    control = {v.hex: SIDES[g.owner[h]] for v, h in victory if h != NO_HEX}
    for hold in g.scenario.victory.holds:
        control |= {name: SIDES[g.owner[g.map.grid.hex(name)]] for name in (*hold.german, *hold.soviet)}
    return SideView(
        turn=g.charts.turn_name(g.turn),
        phase=phase_of(g),
        pieces=pieces(g, shown, _seen, _piece),
        tracks=tracks_of(g),
        control=control,
    )


def phase_of(g: Board) -> str:
    """The segment, and the formations that are acting."""
    acting = [p for p in g.stack if isinstance(p, Activation)]
    if acting:
        p = acting[-1]
        return f"{g.formation_name(p.formation)} {'reacts' if p.reaction else 'is active'}, {p.points} AP left"
    for kind, word in (
        (SurpriseAttack, "Surprise Attack"),
        (Operations, "Operations"),
        (Reinforcement, "Reinforcement"),
        (Recovery, "Recovery"),
    ):
        if any(isinstance(p, kind) for p in g.stack):
            return word
    return ""


def tracks_of(g: Board) -> list[Track]:
    s, space = g.scenario, g.track("space")
    marker = f"{SIDES[g.track('shown')].capitalize()} +{g.charts.track[space - 1]}" if space else "empty"
    found = [
        Track("turn", g.turn, "", s.first_turn, s.last_turn),
        Track("initiative", space, marker, 0, len(g.charts.track)),
        Track("interdiction", g.track("interdiction"), "", 0, 2),
        Track("German victory points", victory_points(g).total),
    ]
    acting = [p for p in g.stack if isinstance(p, Activation)]
    found += [Track(f"action points of {g.formation(g.forces.commands[p.formation])}", p.points) for p in acting[-1:]]
    for f, hq in enumerate(g.forces.hq_of):
        if hq != NO_UNIT and (g.on_map(hq) or g.of_formation(f)):
            found.append(
                Track(f"level of {g.formation(g.forces.commands[f])}", g.levels[f], "", 0, g.forces.reaction[hq])
            )
    return found


def _seen(g: Board, u: Unit) -> tuple[int, ...]:
    return (g.place[u], g.steps[u], g.status[u], g.command[u], command_of(g, u))


def _piece(g: Board, u: Unit) -> Piece:
    forces, state = g.forces, command_of(g, u)
    words = status_words(g.status[u], STATUS_WORDS)
    if state != IN_COMMAND:
        words.append(COMMAND_WORDS[state])
    own = forces.commands[forces.command[u]]
    return Piece(
        id=g.id(u),
        side=SIDES[forces.side[u]],
        place=g.place_name(g.place[u]),
        name=forces.names[u],
        kind=KINDS[forces.type[u]],
        size=SIZE_SIGNS[SIZES[forces.size[u]]],
        values=values_of(g, u),
        steps=g.steps[u],
        full_steps=forces.full_steps[u],
        status=words,
        formation=forces.commands[g.command[u]],
        note="" if g.command[u] == forces.command[u] else f"lent by {g.formation(own)}",
    )


def values_of(g: Board, u: Unit) -> str:
    """As printed: reaction-relocation-support-range of an HQ; strength-points-movement of a unit."""
    forces = g.forces
    if forces.hq[u]:
        return f"{forces.reaction[u]}-{forces.relocation[u]}-{forces.support[u]}-{forces.range[u]}"
    return f"{g.steps[u]}-{forces.tank[u] or forces.at[u]}-{forces.ma[u]}"
