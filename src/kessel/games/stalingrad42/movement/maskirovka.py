"""34.0 Maskirovka: Reserve Armies and their Holding Boxes.

A Holding Box (1 to 6) is open to both players; which Reserve Army it belongs to is known to the Soviet player alone:
the army's Maskirovka marker names it. A unit in a box has no place of its own (`g.inside` holds the number of its box).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits
from kessel.core.procedure import AGAIN, DONE, PASS, Action, Options, Out, Procedure, ask
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import ELSEWHERE, Board
from kessel.games.stalingrad42.columns import (
    BAD_ORDER,
    COMBAT,
    DISRUPTED,
    FROZEN,
    FULL_RETREAT,
    IN_PLAY,
    ISOLATED,
    JOINED,
    MOVED,
    MOVED_FAR,
    OOS,
    REMOVED_NEXT,
    REPLACED,
    RETURNING,
    SWAPPED,
    TRAIN,
)
from kessel.games.stalingrad42.columns import DONE as HAS_MOVED
from kessel.games.stalingrad42.combat.disruption import disrupt, put_in_full_retreat
from kessel.games.stalingrad42.data.forces import SOVIET
from kessel.games.stalingrad42.movement.ways.stacking import why_not_stack
from kessel.games.stalingrad42.supply.railroads import connecting_rail
from kessel.games.stalingrad42.supply.resources import lose_offensives
from kessel.games.stalingrad42.supply.supply import is_supplied_via, los

NORTHERN = ("A", "B", "C", "D")
"""34.4.1 The Entry Areas through which reinforcements join a Reserve Army."""
CASPIAN = (*NORTHERN, "E")
"""34.4.1, 34.4.2 Those through which units go from box to box or leave one."""


LADEN_WITH = {2: DISRUPTED, 4: REPLACED, 8: FULL_RETREAT}
"""What units inside a Reserve Army bear on its movement (34.3)."""


# --- armies and boxes ----------------------------------------------------------------------------------------------


def armies(g: Board) -> tuple[Unit, ...]:
    """The six Reserve Armies of the order of battle."""
    return g.forces.reserve_armies


def is_army(g: Board, u: Unit) -> bool:
    return g.forces.type[u] == "reserve_army"


def box_of(g: Board, army: Unit) -> int:
    """34.1.2 The Holding Box an army's marker names; 0 before it has one."""
    return g.assigned[armies(g).index(army)]


def contents(g: Board, army: Unit) -> list[Unit]:
    """The units in an army's Holding Box."""
    box = box_of(g, army)
    return [u for u in g.forces.units_of[SOVIET] if g.inside[u] == box] if box else []


def army_in_play(g: Board, u: Unit) -> Unit:
    """The Reserve Army whose box a unit is in; -1 if there is none on the board."""
    return g.carrier(u)


@dataclass(slots=True)
class AssignMarker(Procedure):
    """34.1.1 A Reserve Army that arrives is given a Maskirovka marker in secret."""

    side: int
    army: int

    @ask("side", "34.1.1")
    def assign(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose the Holding Box of the Reserve Army; the enemy does not learn it."""
        free = [n for n in range(1, len(g.assigned) + 1) if n not in g.assigned]
        _, army, box = yield Options([("assign", self.army, n) for n in free])
        g.assigned[armies(g).index(army)] = box
        g.happened(ELSEWHERE)
        return None


def why_not_swap(g: Board, a: Unit, b: Unit) -> Refusal | None:
    """34.1.2 Markers may be switched between armies that start a Movement Phase in one place."""
    for u in (a, b):
        if not is_army(g, u) or g.pool[u] != IN_PLAY:
            return Refusal("34.1.2", f"{g.name(u)} is not a Reserve Army in play")
        if g.status[u] & REMOVED_NEXT:
            return Refusal("34.7", f"{g.name(u)} has been revealed")
        if g.status[u] & (MOVED | SWAPPED):
            return Refusal("34.1.2", f"{g.name(u)} has moved or switched its marker in this phase")
    if a == b or g.place[a] != g.place[b]:
        return Refusal("34.1.2", "the armies are not in the same hex or Entry Area")
    return None


def swappable(g: Board, side: Side) -> list[tuple[Unit, Unit]]:
    """The pairs of armies whose markers may be switched now."""
    if side != SOVIET or not any(g.assigned):
        return []
    busy = MOVED | SWAPPED | REMOVED_NEXT
    here = [a for a in armies(g) if g.pool[a] == IN_PLAY and not g.status[a] & busy]
    return [(a, b) for i, a in enumerate(here) for b in here[i + 1 :] if g.place[a] == g.place[b]]


def swap(g: Board, a: Unit, b: Unit, *, really: bool = True) -> None:
    """34.1.2 Switch the markers of two armies, or pretend to: the enemy cannot tell."""
    if really:
        i, j = armies(g).index(a), armies(g).index(b)
        g.assigned[i], g.assigned[j] = g.assigned[j], g.assigned[i]
    for u in (a, b):
        g.set_status(u, SWAPPED)
    g.happened(ELSEWHERE)


def has_received(g: Board, army: Unit) -> bool:
    """34.3.1 Whether units have come into an army's Holding Box this turn: then it may no longer move. It bears no mark
    of that, which would tell the enemy whose box it is."""
    return bool(g.status[army] & JOINED) or any(g.status[u] & (MOVED | JOINED) for u in contents(g, army))


def pickable(g: Board, side: Side) -> Bits:
    """The units that may be picked to move, as a set; no Reserve Army that has received units (34.3.1)."""
    found = g.movers(side)
    if side == SOVIET and any(g.assigned):
        found &= ~bits(a for a in armies(g) if has_received(g, a))
    return found


def hide_markers(g: Board) -> None:
    """Deal the markers of armies that have not been revealed at random among them; how they lie makes no difference to
    the deal."""
    secret = [i for i, a in enumerate(armies(g)) if g.assigned[i] and not g.status[a] & REMOVED_NEXT]
    boxes = sorted(g.assigned[i] for i in secret)
    for i in secret:
        g.assigned[i] = boxes.pop(g.dice.pick(len(boxes)))
    g.dice.take()
    g.happened(ELSEWHERE)


# --- 34.3 movement -------------------------------------------------------------------------------------------------


def slowest(g: Board, army: Unit) -> int:
    """34.3.1 A Reserve Army moves at the rate of the slowest unit in its box, three at most."""
    return min((g.ma(u) for u in (army, *contents(g, army))), default=0)


def cargo(g: Board, army: Unit) -> int:
    """What the units inside do to an army's movement: 1 laden, and LADEN_WITH."""
    inside = contents(g, army)
    flags = 0
    for u in inside:
        for flag, status in LADEN_WITH.items():
            flags |= flag * bool(g.status[u] & status)
    return flags | bool(inside)


# --- 34.4 into and out of the boxes --------------------------------------------------------------------------------


def is_in_supply_via(g: Board, army: Unit, areas: tuple[str, ...]) -> bool:
    """Whether an army is in one of these Entry Areas or has a Line of Supply to one."""
    place = g.place[army]
    if not g.map.is_hex(place):
        return g.map.box(place).id in areas
    return is_supplied_via(g, place, SOVIET, areas)


def why_not_room(g: Board, army: Unit) -> Refusal | None:
    """34.2 A Holding Box takes eight units; a revealed army takes none (34.7)."""
    if not is_army(g, army) or g.pool[army] != IN_PLAY or not box_of(g, army):
        return Refusal("34.1.1", f"{g.name(army)} is not a Reserve Army in play")
    if g.status[army] & REMOVED_NEXT:
        return Refusal("34.7", f"{g.name(army)} has been revealed")
    if len(contents(g, army)) >= g.charts.table("stacking").number("reserve_army_box", "combat_units"):
        return Refusal("34.2", f"the Holding Box of {g.name(army)} is full")
    return None


def why_not_reinforce(g: Board, u: Unit, army: Unit) -> Refusal | None:
    """34.4.1 Reinforcements join an army that is in supply through Entry Areas A to D."""
    if why := why_not_room(g, army):
        return why
    if is_army(g, u):
        return Refusal("34.4.1", "a Reserve Army does not join another")
    if not is_in_supply_via(g, army, NORTHERN):
        return Refusal("34.4.1", f"{g.name(army)} is not in supply through Entry Areas A to D")
    return None


def why_not_strategic(g: Board, u: Unit, army: Unit) -> Refusal | None:
    """34.4.1 Strategic Movement: two units a turn, from a Connecting Rail Hex or an Entry Area, any distance."""
    if why := why_not_room(g, army):
        return why
    if is_army(g, u) or g.forces.side[u] != SOVIET:
        return Refusal("34.4.1", f"{g.name(u)} may not join a Reserve Army")
    if g.strategic_moves >= g.charts.constant("strategic_movement_units"):
        return Refusal("34.4.1", "two units have used Strategic Movement this turn")
    here = g.place[u]
    if not g.map.is_hex(here) and g.status[u] & BAD_ORDER:
        return Refusal("22.3.1", "only Good Order units may leave an Entry Area")
    if why := _why_not_bound(g, u):
        return why
    if g.map.is_hex(here) and not (connecting_rail(g, SOVIET) >> here & 1 and los(g, u)):
        return Refusal("34.4.1", f"{g.name(u)} is not on a Connecting Rail Hex in supply")
    if not los(g, army):
        return Refusal("34.4.1", f"{g.name(army)} is not in supply")
    return None


def _why_not_bound(g: Board, u: Unit) -> Refusal | None:
    """Units that move a hex or two at most do not use what takes a whole Movement Allowance (34.4.1)."""
    if g.status[u] & REPLACED:
        return Refusal("21.4", f"{g.name(u)} received a Replacement and may move only one hex")
    if g.status[u] & DISRUPTED:
        return Refusal("13.2.1", f"{g.name(u)} is Disrupted and may only use Tactical Movement")
    if g.status[g.carrier(u) if g.inside[u] > 0 else u] & OOS and g.forces.mech[u]:
        return Refusal("16.4", f"{g.name(u)} is Mechanized and Out of Supply and may only use Tactical Movement")
    return None


def join(g: Board, u: Unit, army: Unit) -> None:
    """34.4.1 Joining takes the whole Movement Allowance; the army may not move afterwards (34.3.1)."""
    if g.pool[u] != IN_PLAY:
        g.put(u, NOWHERE)
    if not _near(g, u, army):
        lose_offensives(g, u)
    g.move(u, NOWHERE)
    g.inside[u] = box_of(g, army)
    g.set_status(u, HAS_MOVED | MOVED | MOVED_FAR)
    g.set_status(u, TRAIN, False)
    g.mark_supply(u, 0)  # from now on its army's supply is its own
    g.happened(ELSEWHERE)


def _near(g: Board, u: Unit, army: Unit) -> bool:
    """26.2 Whether a unit is no more than two hexes from an army; units in a box are where their own army is."""
    here, there = g.place[g.carrier(u) if g.inside[u] > 0 else u], g.place[army]
    if g.map.is_hex(here) and g.map.is_hex(there):
        return g.map.grid.distance(here, there) <= g.charts.constant("asu_hexes_in_order")
    return here == there


def why_not_unload(g: Board, u: Unit) -> Refusal | None:
    """34.4.2 Why a unit may not leave its Holding Box now."""
    if g.forces.side[u] != SOVIET or g.inside[u] <= 0:
        return Refusal("34.4.2", f"{g.name(u)} is not in a Holding Box")
    army = army_in_play(g, u)
    if army == NO_UNIT:
        return Refusal("34.4.2", f"the Reserve Army of {g.name(u)} is not on the board")
    if g.status[u] & (HAS_MOVED | FROZEN):
        return Refusal("34.4.1", f"{g.name(u)} has used its Movement Allowance")
    if g.status[army] & MOVED:
        return Refusal("34.4.2", "units leave a Holding Box before the Reserve Army moves")
    return None


def unloadable(g: Board, side: Side) -> list[Unit]:
    if side != SOVIET or not any(g.assigned):
        return []
    return [u for u in g.forces.units_of[SOVIET] if g.inside[u] > 0 and why_not_unload(g, u) is None]


def why_not_transfer(g: Board, u: Unit, to: Unit | None, place: Place = NOWHERE) -> Refusal | None:
    """34.4.1, 34.4.2 One unit a turn goes to another box or to Entry Areas A to E; both ends in supply through them."""
    if why := why_not_unload(g, u) or _why_not_bound(g, u):
        return why
    if g.box_moves:
        return Refusal("34.4.2", "one unit has left a Holding Box this way this turn")
    if not is_in_supply_via(g, army_in_play(g, u), CASPIAN):
        return Refusal("34.4.2", "its Reserve Army is not in supply through Entry Areas A to E")
    if to is None:
        good = place in g.ground.land_boxes and g.map.box(place).id in CASPIAN and g.box_side(place) == SOVIET
        return None if good else Refusal("34.4.2", "units leave to Entry Areas A to E")
    if to == army_in_play(g, u):
        return Refusal("34.4.1", "the unit is there already")
    if why := why_not_room(g, to):
        return why
    if not is_in_supply_via(g, to, CASPIAN):
        return Refusal("34.4.1", f"{g.name(to)} is not in supply through Entry Areas A to E")
    return None


@dataclass(slots=True)
class Unload(Procedure):
    """34.4.2 A unit leaves its Holding Box."""

    side: int
    unit: int

    about_units = ("unit",)

    where = Choice(
        "side",
        "34.4.2",
        "Place the unit on the map, or send it to another Holding Box or Entry Area.",
        says="Leave it where it is",
    )

    @where.verb("emerge")
    def emerge(self, g: Board) -> Out:
        emerge(g, self.unit)
        return DONE

    @where.verb("pass")
    def stay(self, g: Board) -> Out:
        g.set_status(self.unit, HAS_MOVED)
        return DONE

    @where.verb("join", legal=lambda p, g: [(p.unit, a) for a in armies(g) if why_not_transfer(g, p.unit, a) is None])
    def join(self, g: Board, u: Unit, army: Unit) -> Out:
        g.box_moves = 1
        join(g, u, army)
        return DONE

    @where.verb(
        "transfer",
        legal=lambda p, g: [q for q in g.ground.land_boxes if why_not_transfer(g, p.unit, None, q) is None],
    )
    def transfer(self, g: Board, place: Place) -> Out:
        u = self.unit
        g.box_moves = 1
        if g.place[army_in_play(g, u)] != place:
            lose_offensives(g, u)
        g.inside[u] = -1
        g.move(u, place)
        g.set_status(u, HAS_MOVED | MOVED | MOVED_FAR)
        return DONE


def place_from_box(g: Board, u: Unit, army: Unit) -> None:
    """A unit comes out where its army stands, and is in supply or not as the army is (16.1)."""
    g.inside[u] = -1
    g.move(u, g.place[army])
    g.mark_supply(u, g.status[army] & (OOS | ISOLATED))


def emerge(g: Board, u: Unit, rule: str = "34.4.2") -> None:
    """34.4.2, 34.6.2 A unit is placed on the map over its Reserve Army, which is revealed."""
    army = army_in_play(g, u)
    place_from_box(g, u, army)
    if not g.status[army] & REMOVED_NEXT:
        g.set_status(army, REMOVED_NEXT)
        g.reveal()
        g.tell(f"{g.name(army)} is revealed as Holding Box {box_of(g, army)}", rule, unit=g.id(army))


# --- 34.6 combat ---------------------------------------------------------------------------------------------------


def laden_armies(g: Board, h: Hex) -> list[Unit]:
    """The Reserve Armies in a hex that have units in their boxes."""
    if not any(g.assigned):
        return []
    return [a for a in armies(g) if g.place[a] == h and contents(g, a)]


def is_uncertain(g: Board, h: Hex) -> bool:
    """34.1.2 Whether units may be hidden in a hex, as far as the enemy knows: an army whose box he has not seen."""
    if not any(g.assigned):
        return False
    return any(g.place[a] == h and (not g.status[a] & REMOVED_NEXT or contents(g, a)) for a in armies(g))


@dataclass(slots=True)
class Defend(Procedure):
    """34.6.2 Up to three units may leave the box, within the stacking limits, to defend the hex."""

    side: int
    place: int
    out: int = 0

    @ask("side", "34.6.2")
    def call(self, g: Board) -> Generator[Options, Action, Out]:
        """Place a unit from the Reserve Army's Holding Box in the hex to defend it, or none."""
        ready = [u for a in laden_armies(g, self.place) for u in contents(g, a)]
        here = [u for u in g.units(self.place) if g.forces.side[u] == self.side]
        found = [u for u in ready if self.out < 3 and why_not_stack(g, [*here, u], self.side) is None]
        secret = not self.out and is_uncertain(g, self.place)  # who is asked only when he can has told what he hides
        action = yield Options([("call", u) for u in found], *([PASS] if found or secret else []), says="Place none")
        if action == PASS:
            return DONE
        emerge(g, action[1], "34.6.2")
        self.out += 1
        return AGAIN


def called_out(g: Board, h: Hex, side: Side) -> Defend | None:
    """34.6.2 A hex of that side is attacked: units may leave the boxes of its Reserve Armies to defend it."""
    return Defend(SOVIET, h) if side == SOVIET and is_uncertain(g, h) else None


def challenge(g: Board, h: Hex, side: Side) -> Defend | None:
    """What an enemy sets off who is about to enter the hex of a Reserve Army that no Combat Unit guards: he learns
    what is in it, as he does where it holds nothing and is eliminated (34.1.2)."""
    if side == SOVIET or g.sets[COMBAT + SOVIET] >> h & 1 or not laden_armies(g, h):
        return None
    g.reveal()
    return Defend(SOVIET, h)


def share_state(g: Board, army: Unit, state: str) -> None:
    """34.6.2 Units still inside suffer what the defenders suffer when their army retreats."""
    for u in contents(g, army) if is_army(g, army) else ():
        lose_offensives(g, u)
        if state == "full_retreat" or (state and g.status[u] & DISRUPTED):
            put_in_full_retreat(g, u, "34.6.2")
        elif state == "disrupted":
            disrupt(g, u, "34.6.2")


# --- 34.7 ----------------------------------------------------------------------------------------------------------


def dissolve_revealed(g: Board) -> None:
    """34.7 Revealed armies are removed at the end of the Soviet Player Turn; their units stand in the hex."""
    for army in armies(g):
        if g.status[army] & REMOVED_NEXT:
            for u in contents(g, army):
                place_from_box(g, u, army)
            g.take(army, RETURNING)
            g.returns[army] = g.turn + g.charts.constant("noncombat_return_delay")
            g.tell(f"{g.name(army)} is removed", "34.7", unit=g.id(army))
