"""14.5 Korsun as a special supply source; its abandonment (8.6.4); the alternate depot (18.9)."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.procedure import AGAIN, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import (
    FROM_KORSUN,
    GERMAN,
    ON_SDM,
    SOVIET,
    STEMMERMANN,
    STORED,
    Board,
)
from kessel.games.korsun44.supply.determination import can_trace_anywhere
from kessel.games.korsun44.supply.markers import serves
from kessel.games.korsun44.supply.paths import joined, path_length, road_lengths
from kessel.games.korsun44.supply.sources import READY, all_edges, korsun_supplies, open_terminals, open_to


def add_to_korsun(g: Board, points: int, rule: str, track: str = "korsun_sp") -> int:
    """14.6.3 Points come on a Korsun track; what is beyond its end is lost. Gives how many fitted."""
    before = g.track(track)
    after = min(before + points, g.charts.game.tracks.korsun)
    g.set_track(track, after)
    name = {"korsun_sp": "Korsun", "airfield_sp": "the alternate airfield", "depot_sp": "the alternate depot"}[track]
    g.tell(f"{name} has {after} Supply Points", rule, points=after)
    return after - before


def has_road_to_korsun(g: Board) -> bool:
    """14.5.1 A free road of any length joins Korsun to an edge source or an open rail terminal."""
    h = g.ground.korsun
    starts = (all_edges(g, GERMAN) | open_terminals(g)) & ~(1 << h)
    return h in road_lengths(g, GERMAN, starts)


def road_to_korsun(g: Board) -> None:
    """14.5.1 Two points come to the isolated Korsun by road each turn."""
    if korsun_supplies(g) and g.turn > g.track("korsun_declared") and has_road_to_korsun(g):
        add_to_korsun(g, g.charts.constants.korsun_road_points, "14.5.1")


# --- 13.1.3, 14.5.1 declaration --------------------------------------------------------------------------------------


def why_not_declare_korsun(g: Board) -> Refusal | None:
    """13.1.3, 14.5.2 Why Korsun may not be declared isolated, or its airfield not be activated again."""
    h = g.ground.korsun
    if h < 0 or not g.playable >> h & 1:
        return Refusal("13.1.3", "Korsun is not on the map")
    if g.track("korsun_abandoned"):
        return Refusal("8.6.4", "Korsun has been abandoned")
    if g.track("korsun_declared"):
        if g.track("korsun_active"):
            return Refusal("13.1.3", "Korsun is declared isolated already")
        if airfield_is_lost(g):
            return Refusal("14.5.2", "a Soviet unit holds the airfield")
        return None
    if g.enemies_in(h, GERMAN):
        return Refusal("13.1.3", "a Soviet unit is in Korsun")
    if open_terminals(g) >> h & 1:
        return Refusal("13.1.3", "an uninterrupted railroad leads from Korsun to the map edge")
    return None


def declare_korsun(g: Board) -> None:
    """14.5.1 Korsun is a source with fifteen points; those cut off are Gruppe Stemmermann (Q11)."""
    again = bool(g.track("korsun_declared"))
    g.set_track("korsun_active", g.turn)
    if again:
        g.tell("the Korsun airfield is activated again", "14.5.2")
        return
    g.set_track("korsun_declared", g.turn)
    g.tell("Korsun is declared isolated", "13.1.3")
    add_to_korsun(g, g.charts.constants.korsun_points, "14.5.1")
    if g.reads("stemmermann") != "tracing":
        for u in cut_off(g):
            g.set_status(u, STEMMERMANN)
            g.tell(f"{g.name(u)} belongs to Gruppe Stemmermann", "14.5.1", unit=g.id(u))


def cut_off(g: Board) -> list[Unit]:
    """Q11 The Germans without a path of any length to an edge source."""
    free = joined(g, GERMAN, all_edges(g, GERMAN))
    return [u for u in g.on_the_map(GERMAN) if not free >> g.place[u] & 1]


def isolated_units(g: Board, korps: str) -> list[Unit]:
    """16.2 The units of a korps that can trace neither to Korsun nor to a source."""
    mine = [u for u in g.on_the_map(GERMAN) if g.forces.corps[u] == korps]
    return [u for u in mine if not can_trace_anywhere(g, u) and not _reaches_korsun(g, u)]


def _reaches_korsun(g: Board, u: Unit) -> bool:
    h = g.ground.korsun
    if h < 0 or not open_to(g, GERMAN) >> h & 1:
        return False
    return bool(joined(g, GERMAN, 1 << h) >> g.place[u] & 1)


# --- 14.5.2 capture ------------------------------------------------------------------------------------------------


def airfield_is_lost(g: Board) -> bool:
    return any(g.hexes_of(SOVIET) >> h & 1 for h in range(g.map.grid.size) if g.ground.airfield >> h & 1)


def captures(g: Board) -> None:
    """14.5.2 At the end of a turn: a Soviet unit on the airfield closes it, one in the town takes its points."""
    h = g.ground.korsun
    if g.track("korsun_active") and airfield_is_lost(g):
        g.set_track("korsun_active", 0)
        g.tell("the Korsun airfield is captured: no more air supply", "14.5.2")
    if h >= 0 and g.track("korsun_sp") and g.hexes_of(SOVIET) >> h & 1:
        g.set_track("korsun_sp", 0)
        g.tell("Korsun is captured with its supplies", "14.5.2")
    for name in ("airfield", "depot"):
        at = g.track(f"{name}_at") - 1
        if at >= 0 and g.hexes_of(SOVIET) >> at & 1:
            for what in ("at", "state", "sp"):
                g.set_track(f"{name}_{what}", 0)
            g.tell(f"the alternate {name} is captured", "18.8" if name == "airfield" else "18.9")


# --- 8.6.4 abandonment ---------------------------------------------------------------------------------------------


def stemmermann_sdms(g: Board) -> list[Unit]:
    """8.6.4 SDMs of the commands of Gruppe Stemmermann."""
    mine = [u for u in g.on_the_map(GERMAN) if g.status[u] & STEMMERMANN]
    return [s for s in g.sdms(GERMAN) if any(serves(g, s, u) for u in mine)]


def why_not_store(g: Board, s: Unit, points: int) -> Refusal | None:
    """8.6.4 Why an SDM may not be given points of the abandoned Korsun."""
    if s not in stemmermann_sdms(g):
        return Refusal("8.6.4", f"{g.name(s)} is no SDM of Gruppe Stemmermann")
    most, h = g.charts.constants.abandon_distance, g.ground.korsun
    if path_length(g, GERMAN, g.sdm_at[s], 1 << h, most, across=False) is None:
        return Refusal("8.6.4", f"{g.name(s)} has no path of {most} hexes or less to Korsun")
    room = g.forces.counters[s].capacity - g.sdm_sp[s]
    if not 1 <= points <= min(room, g.track("korsun_sp")):
        return Refusal("8.6.4", f"{g.name(s)} has room for {room}, Korsun has {g.track('korsun_sp')}")
    return None


@dataclass(slots=True)
class Abandonment(Procedure):
    """8.6.4 What is left at Korsun goes to SDMs near it, or to the alternate airfield or depot; the rest is lost."""

    side: int

    @auto("8.6.4")
    def begin(self, g: Board) -> Out:
        for s in stemmermann_sdms(g):
            g.sdm_sp[s] = 0
        g.happened(ON_SDM)
        return None

    pick = Choice("side", "8.6.4", "Give points of Korsun to an SDM, or let the rest go.", passing=None)

    @pick.verb(
        "store",
        legal=lambda p, g: [(s, n) for s in stemmermann_sdms(g) for n in range(1, 7) if why_not_store(g, s, n) is None],
        why_not=lambda p, g, s, n: why_not_store(g, s, n),
    )
    def store(self, g: Board, s: Unit, points: int) -> Out:
        g.sdm_flags[s] = g.sdm_flags[s] & ~FROM_KORSUN | STORED
        g.give_sp(s, points)
        g.set_track("korsun_sp", g.track("korsun_sp") - points)
        g.tell(f"{g.name(s)} takes {points} of Korsun's Supply Points", "8.6.4", unit=g.id(s))
        return AGAIN

    @pick.verb(
        "move_stock",
        legal=lambda p, g: [
            (w, n) for w in ("airfield", "depot") for n in range(1, 21) if why_not_move_stock(g, w, n) is None
        ],
        why_not=lambda p, g, word, n: why_not_move_stock(g, word, n),
    )
    def move_stock(self, g: Board, word: str, points: int) -> Out:
        g.set_track("korsun_sp", g.track("korsun_sp") - points)
        add_to_korsun(g, points, "8.6.4", f"{word}_sp")
        return AGAIN

    @auto("8.6.4")
    def rest(self, g: Board) -> Out:
        if g.track("korsun_sp"):
            g.tell(f"{g.track('korsun_sp')} Supply Points are lost with Korsun", "8.6.4")
            g.set_track("korsun_sp", 0)
        return None


def why_not_move_stock(g: Board, word: str, points: int) -> Refusal | None:
    if word not in ("airfield", "depot") or g.track(f"{word}_state") != READY:
        return Refusal("8.6.4", f"there is no alternate {word}")
    if not 1 <= points <= g.track("korsun_sp"):
        return Refusal("8.6.4", f"Korsun has {g.track('korsun_sp')} Supply Points")
    return None


# --- 18.9 the depot ------------------------------------------------------------------------------------------------


def why_not_fill_depot(g: Board, word: str, points: int, moved: int) -> Refusal | None:
    """18.9.3 Up to four points a turn from Korsun or the alternate airfield to the depot."""
    track = {"korsun": "korsun_sp", "airfield": "airfield_sp"}.get(word)
    most = g.charts.constants.depot_most - moved
    if track is None or g.track("depot_state") != READY:
        return Refusal("18.9", "there is no alternate depot, or no such stock")
    if not 1 <= points <= min(most, g.track(track)):
        return Refusal("18.9", f"at most {most} points are left to move, {word} has {g.track(track)}")
    return None


@dataclass(slots=True)
class DepotTransfer(Procedure):
    """18.9.3 Points are moved to the alternate depot."""

    side: int
    moved: int = 0

    pick = Choice(
        "side", "18.9", "Move points to the alternate depot, or move no more.",
        when=lambda p, g: g.plays("alternate_depot") and g.track("depot_state") == READY, passing=None,
    )  # fmt: skip

    @pick.verb(
        "fill_depot",
        legal=lambda p, g: [
            (w, n)
            for w in ("korsun", "airfield")
            for n in range(1, g.charts.constants.depot_most + 1)
            if why_not_fill_depot(g, w, n, p.moved) is None
        ],
        why_not=lambda p, g, word, n: why_not_fill_depot(g, word, n, p.moved),
    )
    def fill(self, g: Board, word: str, points: int) -> Out:
        self.moved += points
        g.set_track(f"{word}_sp", g.track(f"{word}_sp") - points)
        add_to_korsun(g, points, "18.9", "depot_sp")
        return AGAIN
