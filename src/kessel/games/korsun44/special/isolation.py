"""16.2 Korps Isolation: SDMs of a korps that is cut off, its special move, its freedom."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, NOW, fact
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members
from kessel.core.paths import ALL
from kessel.core.procedure import AGAIN, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import FIXED_SDM, FREE_MOVE, GERMAN, ON_SDM, SDM_ROLE, Board
from kessel.games.korsun44.data.forces import ALARM, FIXED
from kessel.games.korsun44.movement.costs import TACTICAL, Kind, kind_of, prices
from kessel.games.korsun44.movement.movement import silence
from kessel.games.korsun44.movement.stacking import why_not_stack
from kessel.games.korsun44.special.stand_fast import free
from kessel.games.korsun44.supply.korsun import isolated_units
from kessel.games.korsun44.supply.sources import korsun_supplies


def rally_hexes(g: Board, korps: str) -> Bits:
    """16.2.1 The three hexes of a korps that lie on the map."""
    return _printed_hexes(g, korps) & g.playable


@fact(FOREVER)
def _printed_hexes(g: Board, korps: str) -> Bits:
    names = g.charts.game.isolation.get(korps, ())
    return bits(g.map.grid.hex(n) for n in names if n in g.map.grid)


def why_not_isolate(g: Board, korps: str) -> Refusal | None:
    """16.2 Why Korps Isolation may not be declared: some unit of it must be without a path."""
    if korps not in g.charts.game.formations.pocket_korps:
        return Refusal("16.2", f"{g.formation(korps)} is neither 11th nor 42nd Korps")
    if g.isolated[g.commands.index(korps)]:
        return Refusal("16.2", f"{g.formation(korps)} was declared isolated before")
    if not isolated_units(g, korps):
        return Refusal("16.2", f"all units of {g.formation(korps)} have a path to Korsun or a source")
    return None


def korps_sdms(g: Board, korps: str) -> list[Unit]:
    return [s for s in g.forces.of_role[GERMAN][SDM_ROLE] if g.forces.corps[s] == korps and g.steps[s]]


def is_korsun_active(g: Board) -> bool:
    """16.2.1 Whether Korsun's track pays for the SDMs."""
    return bool(g.track("korsun_declared")) and bool(g.track("korsun_active")) and korsun_supplies(g)


def why_not_relocate(g: Board, korps: str, s: Unit, h: Hex, points: int) -> Refusal | None:
    """16.2.1 Why an SDM may not go there with so many points: three, or what it takes from the Korsun track."""
    if s not in korps_sdms(g, korps) or g.sdm_flags[s] & FIXED_SDM:
        return Refusal("16.2.1", f"{g.name(s)} is no SDM of {g.formation(korps)} that can be relocated")
    if not rally_hexes(g, korps) >> h & 1 or g.enemies_in(h, GERMAN):
        return Refusal("16.2.1", f"{g.hex_name(h)} is not one of the hexes of {g.formation(korps)}, or holds an enemy")
    if not is_korsun_active(g):
        n = g.charts.constants.isolation_points
        return None if points == n else Refusal("16.2.1", f"each SDM has {n} points")
    most = min(g.track("korsun_sp"), g.forces.counters[s].capacity)
    return None if 0 <= points <= most else Refusal("16.2.1", f"up to {most} points come from Korsun")


# --- 16.2.4 the special move ---------------------------------------------------------------------------------------


def free_moves(g: Board, u: Unit) -> Bits:
    """16.2.4 Up to two hexes, each nearer to one of the korps' hexes; zones do not matter, terrain does."""
    if g.forces.move[u] == FIXED:
        return 0
    found = _ways_back(g, g.place[u], kind_of(g, u, TACTICAL), g.forces.corps[u])
    return bits(h for h in members(found) if why_not_stack(g, GERMAN, h, (u,)) is None)


@fact(NOW)
def _ways_back(g: Board, start: Hex, kind: Kind, korps: str) -> Bits:
    """The same for units of one kind, stacking aside."""
    table, free = prices(g, GERMAN, kind, False), g.playable & ~g.hexes_of(1 - GERMAN)
    found = 0
    for target in members(rally_hexes(g, korps)):
        away, front = _away(g, target), {start}
        for _ in range(g.charts.constants.isolation_move):
            reached = set()
            for a in front:
                for _, b, cost in table.steps(a):
                    if away[b] < away[a] and cost != ALL and free >> b & 1:
                        reached.add(b)
            found |= bits(reached)
            front = reached
    return found


@fact(FOREVER)
def _away(g: Board, target: Hex) -> dict[Hex, int]:
    """How far each hex is from a target."""
    grid = g.map.grid
    return {h: grid.distance(h, target) for h in grid.hexes}


def why_not_free_move(g: Board, korps: str, u: Unit, h: Hex) -> Refusal | None:
    if not g.on_map(u) or g.forces.corps[u] != korps or g.forces.role[u] == ALARM:
        return Refusal("16.2.4", f"{g.name(u)} is not of {g.formation(korps)}")
    if g.status[u] & FREE_MOVE:
        return Refusal("16.2.4", f"{g.name(u)} has made its special move")
    if not free_moves(g, u) >> h & 1:
        return Refusal("16.2.4", f"{g.hex_name(h)} is not within two hexes toward a hex of {g.formation(korps)}")
    return None


@dataclass(slots=True)
class KorpsIsolation(Procedure):
    """16.2 The special withdrawal of an isolated korps."""

    side: int
    korps: str

    @auto("16.2")
    def begin(self, g: Board) -> Out:
        g.isolated[g.commands.index(self.korps)] = g.turn
        g.tell(f"{g.formation(self.korps)} is declared isolated", "16.2")
        free(g, self.korps, "16.2.5")
        return None

    sdms = Choice("side", "16.2.1", "Relocate an SDM of the korps, or leave the rest where they are.", passing=None)

    @sdms.verb(
        "relocate",
        legal=lambda p, g: p.relocations(g),
        why_not=lambda p, g, s, h, n: why_not_relocate(g, p.korps, s, h, n),
    )
    def relocate(self, g: Board, s: Unit, h: Hex, points: int) -> Out:
        if is_korsun_active(g):
            g.set_track("korsun_sp", g.track("korsun_sp") - points)
        g.sdm_flags[s] = FIXED_SDM
        g.sdm_sp[s] = points
        g.place_sdm(s, h)
        g.happened(ON_SDM)
        g.tell(f"{g.name(s)} is set up in {g.place_words(h)} with {points} Supply Points", "16.2.1", unit=g.id(s))
        return AGAIN

    def relocations(self, g: Board) -> list[tuple[Unit, Hex, int]]:
        hexes = members(rally_hexes(g, self.korps))
        return [
            (s, h, n)
            for s in korps_sdms(g, self.korps)
            for h in hexes
            for n in range(g.forces.counters[s].capacity + 1)
            if why_not_relocate(g, self.korps, s, h, n) is None
        ]

    moves = Choice("side", "16.2.4", "Make a special move of two hexes, or end the special moves.", passing=None)

    @moves.verb(
        "withdraw_to",
        legal=lambda p, g: [
            (u, h)
            for u in g.on_the_map(GERMAN)
            if g.forces.corps[u] == p.korps and not g.status[u] & FREE_MOVE and g.forces.role[u] != ALARM
            for h in members(free_moves(g, u))
        ],
        why_not=lambda p, g, u, h: why_not_free_move(g, p.korps, u, h),
    )
    def withdraw_to(self, g: Board, u: Unit, h: Hex) -> Out:
        g.tell_way(u, "withdraws to", (h,), "16.2.4")
        g.put(u, h)
        g.set_status(u, FREE_MOVE)
        silence(g, u)
        return AGAIN
