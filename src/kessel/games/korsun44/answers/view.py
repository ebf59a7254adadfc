"""What a side sees: counters, markers, tracks. Strength chits and alarm units of the other side show no numbers."""

from __future__ import annotations

from kessel.core.board import NOWHERE
from kessel.core.forces import Side, Unit
from kessel.core.hexset import members
from kessel.core.view import Marker, Piece, SideView, Track
from kessel.games.korsun44.board import (
    ALERT,
    BRIDGE_OK,
    DECLARED,
    DESTROYED,
    FORD_GERMAN,
    FORD_SOVIET,
    IP,
    MINES,
    MINES_BUILDING,
    NO_BRIDGE,
    PHASES,
    PRINTED,
    RAIL_CUT,
    RAIL_REPAIR,
    REPAIRING,
    SEEN,
    SIDES,
    STATUS_WORDS,
    Board,
)
from kessel.games.korsun44.data.forces import AIR, ALARM, GERMAN, SDM, SOVIET
from kessel.games.korsun44.supply.sources import READY
from kessel.games.korsun44.units.strength import printed_black, strength, whole_of
from kessel.wargame.views import SIZE_SIGNS, pieces, status_words

SYMBOLS = {
    "airborne_infantry": "airborne",
    "security": "security",
    "cavalry": "cavalry",
    "motorized_infantry": "motorized",
    "mechanized_infantry": "mechanized",
    "reconnaissance": "reconnaissance",
    "mortar_artillery": "mortar",
    "rocket_artillery": "rocket",
    "self_propelled_artillery": "self_propelled_artillery",
    "at_gun": "anti_tank",
    "flak_88": "flak",
    "barrage": "artillery",
    **dict.fromkeys(("StuG", "SU-76", "SU-85", "SU-122", "SU-152"), "assault_gun"),
    "Marder": "tank_destroyer",
}
GROUP_SYMBOLS = {"engineer": "engineer", "artillery": "artillery", "armor": "armor"}
FLAG_WORDS = {flag: word.replace("_", " ") for word, flag in STATUS_WORDS.items()}
SIGNS = {**SIZE_SIGNS, "regiment_group": "RG", "division_group": "DG", "marker": ""}


SHOWN = {
    "korsun_declared": "Korsun isolated on turn", "uman_korsun": "Uman: points for Korsun",
    "uman_drop": "Uman: air drops",
    "uman_alternate": "Uman: points for the alternate airfield", "wanda_end": "Operation Wanda ends on turn",
    "breakout": "Breakout on turn", "mines_left": "Minefields left", "boundary": "Front boundary behind column",
    "steps_saved": "Steps out of the pocket", "german_armor_lost": "German armor steps lost",
}  # fmt: skip
"""Tracks that are shown when there is something on them."""


def sees(g: Board, side: Side | None, u: Unit) -> bool:
    """4.4.4, 4.8.1 Whether a side may see the strength and steps of a unit; None is a spectator, who sees less.

    A chit is its owner's to look at, and everybody's while odds are determined; a unit without one shows its strength,
    an alarm unit when it is on its unit side.
    """
    if g.forces.side[u] == side or not g.stack:
        return True
    if g.forces.role[u] == ALARM:
        return not g.status[u] & ALERT
    chit = whole_of(g, u)  # an extension marker has half the strength of the division's chit
    return not g.forces.counters[chit].chit or g.steps[chit] == 1 or bool((g.status[u] | g.status[chit]) & SEEN)


def piece(g: Board, u: Unit, open_: bool) -> Piece:
    f, c = g.forces, g.forces.counters[u]
    kind = SYMBOLS.get(c.type) or GROUP_SYMBOLS.get(f.group[u], "infantry")
    power = str(strength(g, u)) if open_ else c.chit or "?"
    power = power if c.attack else f"({power})"
    dots = "".join(("o" * c.white, "*" * printed_black(g, u)))
    words = status_words(g.status[u], FLAG_WORDS)
    return Piece(
        id=g.id(u), side=SIDES[c.side], place=g.place_name(g.place[u]), name=c.name, kind=kind,
        size=SIGNS.get(c.size, ""), values=f"{power}-{c.ma}", steps=g.steps[u] if open_ else 0,
        full_steps=f.full_steps[u], status=words, dot=dots, formation=" ".join(f.formations[u]),
    )  # fmt: skip


def sdm_piece(g: Board, u: Unit) -> Piece:
    c = g.forces.counters[u]
    place = g.place_name(g.sdm_at[u])
    return Piece(
        id=g.id(u), side=SIDES[c.side], place=place, name=c.name, kind="supply",
        values=f"{g.sdm_sp[u]}/{c.capacity}", formation=" ".join(g.forces.formations[u]),
    )  # fmt: skip


def is_covered(g: Board, side: Side | None, u: Unit) -> bool:
    """11.3.4 Whether a unit lies under an improved position or a minefield that a side may not look beneath."""
    owner = g.forces.side[u]
    if owner == side or not g.stack or g.status[u] & SEEN:
        return False
    return bool(g.works[g.place[u]] & (IP if owner == GERMAN else MINES | MINES_BUILDING))


def _covered_pieces(g: Board, units: list[Unit]) -> list[Piece]:
    """Units of which nothing is seen but that they are there."""
    found: dict[str, int] = {}
    pieces = []
    for u in units:
        place = g.place_name(g.place[u])
        n = found[place] = found.get(place, 0) + 1
        pieces.append(Piece(f"covered-{place}-{n}", SIDES[g.forces.side[u]], place, "a covered unit", "unknown"))
    return pieces


def side_view(g: Board, side: Side | None) -> SideView:
    every = [u for s in (GERMAN, SOVIET) for u in g.on_the_map(s)]
    covered = [u for u in every if is_covered(g, side, u)] if any(g.works) else []
    shown = [u for u in every if u not in covered]
    found: list[Piece] = _covered_pieces(g, covered)
    for open_ in (True, False):
        some = [u for u in shown if sees(g, side, u) == open_]
        found += pieces(
            g,
            some,
            lambda g, u, o=open_: (o, g.place[u], g.status[u], o and (g.steps[u], strength(g, u))),  # type: ignore[misc]
            lambda g, u, o=open_: piece(g, u, o),  # type: ignore[misc]
        )
    found += [sdm_piece(g, u) for s in (GERMAN, SOVIET) for u in g.forces.of_role[s][SDM] if g.sdm_at[u] != NOWHERE]
    found.sort(key=lambda p: p.id)
    return SideView(
        turn=f"Turn {g.turn}, {g.charts.turn(min(g.turn, len(g.charts.turns))).day}",
        phase=phase_words(g),
        pieces=found,
        markers=[*_works(g), *_bridges(g), *_combats(g), *_sites(g)],
        tracks=tracks(g),
        control={g.hex_name(h): SIDES[g.control[h]] for h in members(g.playable) if g.control[h] < 2},
    )


def phase_words(g: Board) -> str:
    name = PHASES[g.phase]
    return name if name.endswith("Stage") or not g.phase else f"{SIDES[g.phasing].capitalize()} {name}"


def _works(g: Board) -> list[Marker]:
    words = (
        (IP, "improved position"), (RAIL_CUT, "rail cut"), (RAIL_REPAIR, "rail repair"),
        (MINES_BUILDING, "minefield under construction"), (MINES, "minefield"),
    )  # fmt: skip
    return [Marker(word, g.hex_name(h)) for h, w in enumerate(g.works) if w for flag, word in words if w & flag]


def _combats(g: Board) -> list[Marker]:
    """12.1.1, 6.2, 17.1.3 Combat markers, aircraft nobody has seen yet, Barrage Effects markers."""
    found = [Marker("combat", g.hex_name(h)) for h, m in enumerate(g.combats) if m & DECLARED]
    flown = {g.air[u] - 1 for s in (GERMAN, SOVIET) for u in g.forces.of_role[s][AIR] if g.air[u] > 0}
    found += [Marker("air support", g.hex_name(h)) for h in sorted(flown)]
    shelled = zip(g.barrage_at, g.barrage_shift, strict=True)
    return found + [Marker(f"barrage {shift}", g.hex_name(h)) for h, shift in shelled if h != NOWHERE]


def _bridges(g: Board) -> list[Marker]:
    found = []
    for side, state, kind in zip(g.bridge_at, g.bridge_state, g.bridge_kind, strict=True):
        if state == NO_BRIDGE or (kind == PRINTED and state not in (DESTROYED, REPAIRING)):
            continue
        word = "bridge destroyed" if state == DESTROYED else "bridge repair" if state == REPAIRING else "bridge"
        found.append(Marker(word, g.hex_name(side // 6), hexside=g.map.grid.hexside_name(side)))
    for side, flags in zip(g.bridge_at, g.bridge_flags, strict=True):
        if side >= 0 and flags & BRIDGE_OK and g.plays("bridge_collapse"):
            found.append(Marker("bridge OK", g.hex_name(side // 6), hexside=g.map.grid.hexside_name(side)))
    for side, state in zip(g.ground.ford_sides, g.fords, strict=True):
        for flag, owner in ((FORD_GERMAN, GERMAN), (FORD_SOVIET, SOVIET)):
            if state & flag:
                name = g.map.grid.hexside_name(side)
                found.append(Marker("ford", g.hex_name(side // 6), side=SIDES[owner], hexside=name))
    return found


def _sites(g: Board) -> list[Marker]:
    """18.8, 18.9 The alternate airfield and depot with their points."""
    found = []
    for name in ("airfield", "depot"):
        at = g.track(f"{name}_at") - 1
        if at >= 0:
            ready = g.track(f"{name}_state") == READY
            word = f"alternate {name}" if ready else f"alternate {name} under construction"
            found.append(Marker(word, g.hex_name(at), str(g.track(f"{name}_sp")), SIDES[GERMAN]))
    return found


def tracks(g: Board) -> list[Track]:
    last = g.scenario.last_turn
    found = [
        Track("turn", g.turn, g.charts.turn(min(g.turn, last)).day, g.scenario.first_turn, last),
        Track("weather", g.condition, g.weather_words()),
        Track("German air missions", g.track("air_german"), quiet=True),
        Track("1st Ukrainian Front air missions", g.track("air_1Uk"), quiet=True),
        Track("2nd Ukrainian Front air missions", g.track("air_2Uk"), quiet=True),
        Track("Korsun supply", g.track("korsun_sp"), "", 0, g.charts.game.tracks.korsun, quiet=True),
    ]
    found += [Track(name, g.track(track)) for track, name in SHOWN.items() if g.track(track)]
    most = g.charts.game.tracks.replacement
    for i, name in enumerate(g.commands):
        both = {"infantry": g.infantry_rp[i], "armor": g.armor_rp[i]}
        text = ", ".join(f"{n} {kind}" for kind, n in both.items() if n) or "none"
        found.append(Track(f"{g.formation(name)} replacements", sum(both.values()), text, 0, 2 * most, quiet=True))
    return found
