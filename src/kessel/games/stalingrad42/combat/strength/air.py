"""9.3 Air Support. Only the Axis has Air Units; each is Ready, Used, away or placed with a stack."""

from __future__ import annotations

from collections.abc import Sequence

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, LAST, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import within
from kessel.games.stalingrad42.board import ELSEWHERE, RAILS, Board
from kessel.games.stalingrad42.columns import AIR_AWAY, AIR_PLACED, AIR_READY, AIR_USED, COMBAT
from kessel.games.stalingrad42.combat.battle import Battle
from kessel.games.stalingrad42.combat.strength.strengths import Attack, defenders
from kessel.games.stalingrad42.data.charts import WEATHERS
from kessel.games.stalingrad42.data.forces import AXIS
from kessel.games.stalingrad42.supply.railroads import connecting_rail

AirUnit = int


def no_such_air(name: str) -> Refusal:
    return Refusal("9.3.1", f"there is no Air Unit {name}")


def air_names(g: Board) -> tuple[str, ...]:
    return g.charts.table("air_units").rows


def air_called(g: Board, air: AirUnit) -> str:
    """How a sentence calls an Air Unit."""
    t = g.charts.table("air_units")
    return str(t.at(t.rows[air], "name"))


def is_romanian(g: Board, air: AirUnit) -> bool:
    t = g.charts.table("air_units")
    return t.at(t.rows[air], "nation") == "romanian"


# --- 9.3.1 availability --------------------------------------------------------------------------------------------


def is_air_in_play(g: Board, air: AirUnit) -> bool:
    """Whether an Air Unit belongs to the game on this turn (9.3.8, 9.3.9, 33.2.1)."""
    t = g.charts.table("air_units")
    name = t.rows[air]
    own = g.scenario.air
    if own and name not in own and name not in g.scenario.air_arrivals:
        return False
    if g.scenario.has("S2.2a"):
        return True
    arrives, leaves = t.at(name, "arrives"), t.at(name, "leaves")
    if arrives != "start" and g.turn < int(arrives):
        return False
    if leaves == "winter_offensive":
        return not g.winter_offensive
    return not leaves or g.turn < int(leaves)


def available_air(g: Board) -> list[AirUnit]:
    """9.3.1, 9.3.9, 23.2 The Air Units the weather of this turn lets the Axis have."""
    weather = g.rolled if WEATHERS[g.weather] == "mud" else g.weather
    effects = g.charts.weather_effects[weather]
    late = g.turn >= g.charts.constant("african_landing_turn") and not g.scenario.has("S2.2a")
    most = effects.german_air_late if late else effects.german_air
    units = [i for i in range(len(g.air)) if is_air_in_play(g, i)]
    germans = [i for i in units if not is_romanian(g, i)]
    if most != "all":
        germans = germans[: int(most)]
    flies = effects.romanian_air == "1" or (
        WEATHERS[weather] == "overcast" and g.reads("romanian_air_overcast") == "yes"
    )
    return germans + [i for i in units if is_romanian(g, i) and flies]


def withdraw_air(g: Board) -> None:
    """33.2.1 Air Units that no longer belong to the game leave at once."""
    for i in range(len(g.air)):
        if not is_air_in_play(g, i):
            _set(g, i, AIR_AWAY, NOWHERE)


def collect_air(g: Board, limit: int | None = None) -> None:
    """9.3.1 In the Axis Initial Phase available Air Units return to their box, Ready; the others are set aside."""
    ready = available_air(g)
    if limit is not None:
        ready = ready[:limit]
    for i in range(len(g.air)):
        g.air[i] = AIR_READY if i in ready else AIR_AWAY
        g.air_place[i] = NOWHERE
    g.happened(ELSEWHERE)


# --- 9.3.5 range ---------------------------------------------------------------------------------------------------


def air_bases(g: Board) -> Bits:
    """9.3.5 Axis controlled Cities, and Towns and Landmarks, on a Connecting Rail Hex (reading A73)."""
    cities = g.ground.city & g.control_hexes[AXIS]
    others = g.ground.town | g.ground.landmark if g.reads("air_base_control") == "rail" else 0
    return (cities | others & ~g.sets[COMBAT + 1 - AXIS]) & connecting_rail(g, AXIS)


@fact(RAILS)
def air_range(g: Board) -> Bits:
    """9.3.5 The hexes in which Air Units may be placed."""
    return _range_of(g, AXIS, air_bases(g))


@fact(LAST)
def _range_of(g: Board, side: Side, bases: Bits) -> Bits:
    reach = within(g.map.grid, bases, g.charts.constant("air_range"))
    return reach | _from_off_map(g) if g.scenario.has("S2.2b") else reach


@fact(FOREVER)
def _from_off_map(g: Board) -> Bits:
    """S2.2 The hexes within range of the imaginary hex 3139, one north of 3140."""
    grid, name = g.map.grid, g.charts.hex("caucasus_air_origin")
    below = grid.hex(f"{name[:2]}{int(name[2:]) + 1:02d}")
    q, r, most = grid.q[below], grid.r[below] - 1, g.charts.constant("air_range")
    found = 0
    for h in grid.hexes:
        dq, dr = grid.q[h] - q, grid.r[h] - r
        if max(abs(dq), abs(dr), abs(dq + dr)) <= most:
            found |= 1 << h
    return found


# --- 9.3.3 offensive, 9.3.4 defensive support ------------------------------------------------------------------------


def why_not_offensive(g: Board, air: AirUnit, a: Attack) -> Refusal | None:
    """Why an Air Unit may not support an Axis attack."""
    if a.side != AXIS:
        return Refusal("9.3.1", "only the Axis player has Air Units")
    if a.breakthrough:
        return Refusal("15.2.9", "in Breakthrough Combat only the Air Unit of the original combat helps")
    if a.air >= 0:
        return Refusal("9.3.3", "no more than one Air Unit may be committed to each combat")
    if why := _why_not_ready(g, air):
        return why
    if not air_range(g) >> a.target & 1:
        return Refusal("9.3.5", f"{g.hex_name(a.target)} is out of the range of Air Units")
    return _why_not_romanian(g, air, a.units)


def why_not_defensive(g: Board, air: AirUnit, a: Attack) -> Refusal | None:
    """Why an Air Unit may not give the Axis defenders of this combat a shift."""
    if why := why_not_reach(g, air, a.target, defender=1 - a.side):
        return why
    if a.defensive_air >= 0:
        return Refusal("9.3.4", "no more than one Air Unit may be committed to each combat")
    return _why_not_romanian(g, air, defenders(g, a))


def why_not_lead(g: Board, air: AirUnit, lead: Unit) -> Refusal | None:
    """9.3.4, 11.3 Why an Air Unit may not help a Determined Defense of that Lead Unit."""
    if why := why_not_reach(g, air, g.place[lead], defender=g.forces.side[lead]):
        return why
    if is_romanian(g, air) and g.forces.nation[lead] != "romanian":
        return Refusal("9.3.8", "the Romanian Air Unit helps only a Romanian Lead Unit")
    return None


def why_not_reach(g: Board, air: AirUnit, h: Hex, *, defender: int) -> Refusal | None:
    """9.3.4, 9.3.7 Whether an Air Unit can get to a defending hex: from its box within 15 hexes of a base, or placed
    with a stack within one hex (reading A36)."""
    if defender != AXIS:
        return Refusal("9.3.1", "only the Axis player has Air Units")
    if g.air[air] == AIR_PLACED and g.reads("placed_air_range") == "one_hex":
        near = g.charts.constant("air_defense_range")
        if g.map.grid.distance(g.air_place[air], h) > near:
            return Refusal("9.3.7", f"{air_called(g, air)} is with a stack more than {near} hex away")
        return None
    if g.air[air] != AIR_PLACED and (why := _why_not_ready(g, air)):
        return why
    if not air_range(g) >> h & 1:
        return Refusal("9.3.5", f"{g.hex_name(h)} is out of the range of Air Units")
    return None


def _why_not_ready(g: Board, air: AirUnit) -> Refusal | None:
    name = air_called(g, air)
    if g.air[air] == AIR_AWAY:
        return Refusal("9.3.1", f"{name} is not available in this turn")
    if g.air[air] == AIR_USED:
        return Refusal("9.3.6", f"{name} has been used")
    if g.air[air] == AIR_PLACED:
        return Refusal("9.3.7", f"{name} stays with the units it supported")
    return None


def _why_not_romanian(g: Board, air: AirUnit, units: Sequence[Unit]) -> Refusal | None:
    """9.3.8 The Romanian Air Unit helps where most units, by defense strength, are Romanian."""
    if not is_romanian(g, air):
        return None
    own = sum(g.defense(u) for u in units if g.forces.nation[u] == "romanian")
    if 2 * own <= sum(g.defense(u) for u in units):
        return Refusal("9.3.8", "most of the units, by defense strength, are not Romanian")
    return None


def offensive_air(g: Board, a: Attack) -> list[AirUnit]:
    if a.side != AXIS or AIR_READY not in g.air:
        return []
    return [i for i in range(len(g.air)) if why_not_offensive(g, i, a) is None]


def defensive_air(g: Board, a: Attack) -> list[AirUnit]:
    if a.side == AXIS or not any(s in g.air for s in (AIR_READY, AIR_PLACED)):
        return []
    return [i for i in range(len(g.air)) if why_not_defensive(g, i, a) is None]


def lead_air(g: Board, lead: Unit) -> list[AirUnit]:
    return [i for i in range(len(g.air)) if why_not_lead(g, i, lead) is None]


# --- 9.3.6, 9.3.7 what becomes of it ---------------------------------------------------------------------------------


def commit_air(g: Board, air: AirUnit, h: Hex) -> None:
    """9.3.3 Put an Air Unit on the hex its attackers fight for. The Romanian one is Used at once (9.3.6)."""
    if is_romanian(g, air):
        use_air(g, air)
    else:
        _set(g, air, AIR_PLACED, h)
    g.tell(f"{air_called(g, air)} supports the attack on {g.hex_name(h)}", "9.3.3", place=g.hex_name(h))


def use_air(g: Board, air: AirUnit) -> None:
    """9.3.6 Flip an Air Unit to its Used side and put it in its box."""
    _set(g, air, AIR_USED, NOWHERE)


def place_air(g: Board, air: AirUnit, h: Hex) -> None:
    """9.3.7 A German Air Unit stays with a stack it supported."""
    if g.air[air] == AIR_PLACED:
        _set(g, air, AIR_PLACED, h)


def release_air(g: Board) -> None:
    """9.3.7 A placed Air Unit returns to its box if the stack it is with was eliminated or has retreated."""
    fighting = {p.air for p in g.stack if isinstance(p, Battle)}
    for i, h in enumerate(g.air_place):
        alone = not g.map.is_hex(h) or not g.sets[COMBAT + AXIS] >> h & 1
        if g.air[i] == AIR_PLACED and i not in fighting and alone:
            return_air(g, i)


def return_air(g: Board, air: AirUnit) -> None:
    """Back to the Holding Box, not Used."""
    _set(g, air, AIR_READY, NOWHERE)
    g.tell(f"{air_called(g, air)} returns to its box", "9.3.7")


def _set(g: Board, air: AirUnit, state: int, h: Hex) -> None:
    g.air[air] = state
    g.air_place[air] = h
    g.happened(ELSEWHERE)
