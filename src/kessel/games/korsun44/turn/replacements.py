"""8.0 Replacements."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, NOW, fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members, within
from kessel.core.procedure import AGAIN, DONE, Call, Goto, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import DEAD, DISORDER, DISORGANIZED, GERMAN, REGROUP, REPLACED, SOVIET, Board
from kessel.games.korsun44.data.forces import PART, REGIMENT_SIZES, UNIT
from kessel.games.korsun44.supply.stage import in_range_of_supply, is_supplied
from kessel.games.korsun44.turn.points import command_of, receive

INFANTRY, ARMOR = False, True

# --- 8.2 who may take them -----------------------------------------------------------------------------------------


@fact(GAME)
def kind_taken(g: Board, u: Unit) -> str:
    """8.2 infantry, armor or none: the Replacement Points a unit takes."""
    f = g.forces
    kind = g.charts.types[f.type[u]].replacement
    if f.side[u] == GERMAN:
        whole = f.role[u] == UNIT and (kind == "armor" or f.counters[u].size in REGIMENT_SIZES)
        return kind if whole or f.role[u] == PART else "none"
    if f.role[u] != UNIT:
        return "none"
    if f.star[u]:
        return "armor"
    division = f.counters[u].size == "division" and f.type[u] != "cavalry"
    return "infantry" if division and kind == "infantry" else "none"


def most_steps(g: Board, u: Unit) -> int:
    """8.4.3 The steps replacements can bring a unit to: infantry stays one short of full, parts counted together."""
    f = g.forces
    full = f.full_steps[u]
    if kind_taken(g, u) == "armor":
        return full
    if f.role[u] != PART:
        return full - 1
    if g.reads("never_full") == "any_but_full":
        return full
    whole = f.parent[u]
    others = sum(g.steps[v] for v in f.parts[whole] if v != u and g.on_map(v))
    return min(full, f.full_steps[whole] - 1 - others)


def why_not_eligible(g: Board, side: Side, u: Unit, kind: str) -> Refusal | None:
    """8.2, 8.4 Why a unit may not take a step of that kind, whatever it is paid with."""
    if g.forces.side[u] != side:
        return Refusal("8.1.2", f"{g.name(u)} is not yours")
    if kind_taken(g, u) != kind:
        return Refusal("8.2", f"{g.name(u)} takes no {kind} replacements")
    if g.status[u] & REPLACED:
        return Refusal("8.4", f"{g.name(u)} has taken replacements this turn")
    if not g.on_map(u):
        return Refusal("8.2.4", f"{g.name(u)} is not on the map")
    if g.status[u] & DISORDER:
        return Refusal("12.17.2", f"{g.name(u)} is Disorganized or in Regroup")
    if g.steps[u] >= most_steps(g, u):
        return Refusal("8.4", f"{g.name(u)} cannot be brought beyond {g.steps[u]} steps by replacements")
    return _why_not_soviet(g, u) if side == SOVIET else None


def _why_not_soviet(g: Board, u: Unit) -> Refusal | None:
    c = g.charts.constants
    most = c.soviet_replacement_steps if g.reads("soviet_replacement") == "two_steps" else 1
    if g.steps[u] > most:
        return Refusal("8.4", f"{g.name(u)} has more than {most} step{'s' * (most > 1)} left")
    if too_near(g, SOVIET) >> g.place[u] & 1:
        return Refusal("8.4", f"{g.name(u)} is less than {c.soviet_replacement_distance} hexes from a German unit")
    return None


@fact(NOW)
def too_near(g: Board, side: Side) -> Bits:
    enemy = g.hexes_of(1 - side)
    return within(g.map.grid, enemy, g.charts.constants.soviet_replacement_distance - 1) if enemy else 0


def why_not_replace(g: Board, side: Side, u: Unit, steps: int) -> Refusal | None:
    """8.4, 8.5.1 Why a unit on the map may not be given that many steps from the track."""
    kind = kind_taken(g, u)
    if side == GERMAN and kind == "armor":
        return Refusal("8.5.2", "the dice say which German armor is replaced")
    if why := why_not_eligible(g, side, u, kind if kind != "none" else "infantry"):
        return why
    if not is_supplied(g, u) or not in_range_of_supply(g, u):
        return Refusal("8.4", f"{g.name(u)} is not in supply and range of its source or SDM")
    c = g.charts.constants
    most = c.soviet_replacement_steps if side == SOVIET else c.german_replacement_steps
    if not 1 <= steps <= most:
        return Refusal("8.4", f"a unit takes at most {most} step{'s' * (most > 1)} a turn")
    if g.steps[u] + steps > most_steps(g, u):
        return Refusal("8.4", f"{g.name(u)} would be brought to full strength")
    command, armor = command_of(g, u), kind == "armor"
    if command not in g.commands or g.rp(command, armor) < steps:
        return Refusal("8.1.2", f"{g.formation(command)} has not enough Replacement Points")
    return None


def has_points(g: Board, u: Unit) -> bool:
    """8.1.2 Whether its command has any points of the kind a unit takes."""
    kind = kind_taken(g, u)
    return kind != "none" and (command_of(g, u), kind == "armor") in commands_with_points(g)


@fact(NOW)
def commands_with_points(g: Board) -> frozenset[tuple[str, bool]]:
    """8.1.2 The commands that have points, and whether of armor."""
    tracks = ((False, g.infantry_rp), (True, g.armor_rp))
    return frozenset((c, armor) for armor, held in tracks for c, n in zip(g.commands, held, strict=True) if n)


def replacements(g: Board, side: Side) -> list[tuple[Unit, int]]:
    if not any(g.infantry_rp) and not any(g.armor_rp):
        return []
    steps, status, full = g.steps, g.status, g.forces.full_steps
    short = [u for u in g.on_the_map(side) if steps[u] < full[u] and not status[u] & (REPLACED | DISORDER)]
    paid = [u for u in short if has_points(g, u) and steps[u] < most_steps(g, u)]
    able = [u for u in paid if why_not_eligible(g, side, u, kind_taken(g, u)) is None]
    return [(u, n) for u in able for n in (1, 2) if why_not_replace(g, side, u, n) is None]


def give_steps(g: Board, u: Unit, steps: int, rule: str) -> None:
    """8.4 The unit has more steps; a Soviet one is Disorganized, a German one in Regroup."""
    g.set_steps(u, g.steps[u] + steps)
    g.set_status(u, REPLACED)
    g.set_status(u, DISORGANIZED if g.forces.side[u] == SOVIET else REGROUP)
    g.tell(f"{g.name(u)} takes {steps} step{'s' * (steps > 1)} of replacements", rule, unit=g.id(u))


# --- 8.2.4, 8.5.1.2, 8.5.2.4 eliminated units ------------------------------------------------------------------------


def sdms_of(g: Board, u: Unit) -> list[Unit]:
    """8.2.4, 8.5.1.2 The SDMs on the map beside which a unit comes back: of its corps or division, its army or korps;
    for a Soviet brigade any of its Front."""
    f, found = g.forces, []
    for s in g.sdms(f.side[u]):
        same = (f.division[s] and f.division[s] == f.division[u]) or (
            not f.division[s] and f.corps[s] and f.corps[s] == f.corps[u]
        )
        army = f.side[u] == SOVIET and not f.corps[s] and f.army[s] == f.army[u]
        front = f.side[u] == SOVIET and bool(f.star[u]) and g.front_of(s) == g.front_of(u)
        if same or army or front:
            found.append(s)
    return found


def return_hexes(g: Board, u: Unit) -> Bits:
    """Where an eliminated unit may be placed: on or next to its SDM; a Soviet brigade next to it."""
    side, found = g.forces.side[u], 0
    for s in sdms_of(g, u):
        near = bits(g.map.grid.around[g.sdm_at[s]])
        found |= near if g.forces.star[u] else near | 1 << g.sdm_at[s]
    found &= g.playable & ~g.hexes_of(1 - side)
    return found & ~too_near(g, SOVIET) if side == SOVIET else found


def price_of_return(g: Board, u: Unit) -> tuple[int, int]:
    """Infantry and armor points: a Soviet brigade costs one of each (8.5.1.2)."""
    if g.forces.star[u]:
        return 1, 1
    return (0, 1) if kind_taken(g, u) == "armor" else (1, 0)


def why_not_rebuild(g: Board, side: Side, u: Unit, h: Hex) -> Refusal | None:
    """8.2.4, 8.5.1.2 Why an eliminated unit may not come back there with its last step."""
    if why := _why_not_return(g, side, u):
        return why
    if not return_hexes(g, u) >> h & 1:
        return Refusal("8.2.4", f"{g.name(u)} comes back on or next to its SDM")
    return None


def _why_not_return(g: Board, side: Side, u: Unit) -> Refusal | None:
    """The same wherever it would be."""
    if g.forces.side[u] != side or g.on_map(u) or g.box[u] != DEAD:
        return Refusal("8.2.4", f"{g.name(u)} is no eliminated unit of yours")
    if kind_taken(g, u) == "none":
        return Refusal("8.2.4", f"{g.name(u)} does not come back")
    if side == GERMAN and kind_taken(g, u) == "armor":
        return Refusal("8.5.2", "the dice say which German armor is replaced")
    if any(g.on_map(v) for v in g.forces.parts[u]) or _whole_in_play(g, u):
        return Refusal("4.6", f"another counter of {g.name(u)} is in play")
    if most_steps(g, u) < 1:
        return Refusal("8.4", f"the parts beside {g.name(u)} are as many steps as replacements can give")
    infantry, armor = price_of_return(g, u)
    command = command_of(g, u)
    if command not in g.commands or g.rp(command, INFANTRY) < infantry or g.rp(command, ARMOR) < armor:
        return Refusal("8.1.2", f"{g.formation(command)} has not enough Replacement Points")
    return None


def _whole_in_play(g: Board, u: Unit) -> bool:
    return g.forces.role[u] == PART and g.on_map(g.forces.parent[u])


def rebuilds(g: Board, side: Side) -> list[tuple[Unit, Hex]]:
    if not any(g.infantry_rp) and not any(g.armor_rp):
        return []
    dead = [u for u in g.forces.of_side(side) if g.box[u] == DEAD and has_points(g, u)]
    dead = [u for u in dead if _why_not_return(g, side, u) is None]
    return [(u, h) for u in dead for h in members(return_hexes(g, u))]


def bring_back(g: Board, u: Unit, h: Hex, rule: str) -> None:
    """An eliminated unit stands on the map with its last step."""
    g.steps[u] = 1
    g.put(u, h)
    g.set_status(u, REPLACED)
    g.set_status(u, DISORGANIZED if g.forces.side[u] == SOVIET else REGROUP)
    g.tell(f"{g.name(u)} comes back in {g.hex_name(h)}", rule, unit=g.id(u))


# --- the segment ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class ReplacementSegment(Procedure):
    """8.0 Replacement Points are received and spent."""

    side: int

    @auto("8.3")
    def gain(self, g: Board) -> Out:
        receive(g, self.side)
        return None

    spend = Choice("side", "8.4", "Give replacements to a unit, or end replacements.", passing=None)

    @spend.verb(
        "replace",
        legal=lambda p, g: replacements(g, p.side),
        why_not=lambda p, g, u, n: why_not_replace(g, p.side, u, n),
    )
    def replace(self, g: Board, u: Unit, steps: int) -> Out:
        armor = kind_taken(g, u) == "armor"
        g.set_rp(command_of(g, u), armor, g.rp(command_of(g, u), armor) - steps)
        give_steps(g, u, steps, "8.5.1" if armor else "8.4")
        return AGAIN

    @spend.verb(
        "rebuild",
        legal=lambda p, g: rebuilds(g, p.side),
        why_not=lambda p, g, u, h: why_not_rebuild(g, p.side, u, h),
    )
    def rebuild(self, g: Board, u: Unit, h: Hex) -> Out:
        infantry, armor = price_of_return(g, u)
        command = command_of(g, u)
        g.set_rp(command, INFANTRY, g.rp(command, INFANTRY) - infantry)
        g.set_rp(command, ARMOR, g.rp(command, ARMOR) - armor)
        bring_back(g, u, h, "8.5.1" if armor else "8.2.4")
        return AGAIN

    @spend.verb(
        "armor_roll",
        legal=lambda p, g: armor_commands(g) if p.side == GERMAN else (),
        why_not=lambda p, g, word: why_not_armor_roll(g, p.side, word),
    )
    def armor_roll(self, g: Board, korps: str) -> Out:
        return Call(ArmorReplacement(self.side, korps), again=True)


@dataclass(slots=True)
class SpendAtOnce(Procedure):
    """8.6.3, Q62 The other reading: the point an alarm unit has given may be spent at once."""

    side: int
    korps: str

    spend = Choice("side", "8.6.3", "Give the point to a unit of the korps now, or keep it.", passing=DONE)

    @spend.verb(
        "replace",
        legal=lambda p, g: [(u, n) for u, n in replacements(g, p.side) if p.why_not_now(g, u, n) is None],
        why_not=lambda p, g, u, n: p.why_not_now(g, u, n),
    )
    def replace(self, g: Board, u: Unit, steps: int) -> Out:
        g.set_rp(self.korps, INFANTRY, g.rp(self.korps, INFANTRY) - steps)
        give_steps(g, u, steps, "8.6.3")
        return DONE

    def why_not_now(self, g: Board, u: Unit, steps: int) -> Refusal | None:
        if command_of(g, u) != self.korps:
            return Refusal("8.6.3", f"{g.name(u)} is not of {g.formation(self.korps)}")
        return why_not_replace(g, self.side, u, steps)


def spend_at_once(g: Board, korps: str) -> Procedure | None:
    """8.6.3 What follows when an alarm unit has become a point of a korps."""
    return SpendAtOnce(GERMAN, korps) if g.reads("alarm_point") == "at_once" else None


# --- 8.5.2 German armor --------------------------------------------------------------------------------------------


def why_not_armor(g: Board, korps: str, u: Unit) -> Refusal | None:
    """8.5.2 Why an armor unit of a korps may not take a step, on the map or from the eliminated ones."""
    if g.forces.side[u] != GERMAN or g.forces.corps[u] != korps:
        return Refusal("8.5.2", f"{g.name(u)} is not of {g.formation(korps)}")
    if kind_taken(g, u) != "armor":
        return Refusal("8.2.2", f"{g.name(u)} takes no armor replacements")
    if g.on_map(u):
        if why := why_not_eligible(g, GERMAN, u, "armor"):
            return why
        if not is_supplied(g, u) or not in_range_of_supply(g, u):
            return Refusal("8.4", f"{g.name(u)} is not in supply and range of its source or SDM")
        return None
    if g.box[u] != DEAD or g.status[u] & REPLACED or not return_hexes(g, u):
        return Refusal("8.5.2", f"{g.name(u)} cannot come back")
    return None


def armor_of(g: Board, korps: str, kind: str = "") -> list[Unit]:
    """8.5.2 The armor units of a korps (of one type) that can take a step."""
    units = (u for u in _armor(g, korps) if not kind or g.forces.type[u] == kind)
    return [u for u in units if why_not_armor(g, korps, u) is None]


@fact(GAME)
def _armor(g: Board, korps: str) -> list[Unit]:
    return [u for u in g.forces.of_side(GERMAN) if g.forces.armor[u] and g.forces.corps[u] == korps]


def why_not_armor_roll(g: Board, side: Side, korps: str) -> Refusal | None:
    if side != GERMAN or korps not in g.charts.game.formations.german_korps:
        return Refusal("8.5.2", f"{g.formation(korps)} is no German korps")
    if g.rp(korps, ARMOR) < 1:
        return Refusal("8.1.2", f"{g.formation(korps)} has no armor Replacement Point")
    if not armor_of(g, korps):
        return Refusal("8.5.2", f"no armor of {g.formation(korps)} can take a replacement")
    return None


def armor_commands(g: Board) -> list[str]:
    korps = g.charts.game.formations.german_korps
    return [k for k in korps if why_not_armor_roll(g, GERMAN, k) is None]


@dataclass(slots=True)
class ArmorReplacement(Procedure):
    """8.5.2 Two dice name the type of tank a korps receives; a type that nobody can take may be rolled again."""

    about_units = ("unit",)
    side: int
    korps: str
    kind: str = ""
    unit: int = NO_UNIT

    @auto("8.5.2")
    def roll(self, g: Board) -> Out:
        dice = g.die() + g.die()
        self.kind = g.charts.armor_replacement[dice]
        g.tell(f"{g.formation(self.korps)} receives tanks of type {self.kind}: {dice}", "8.5.2")
        return Goto("take") if armor_of(g, self.korps, self.kind) else None

    again = Choice("side", "8.5.2", "Nobody can take that type: roll again, or save the point.", passing=Goto("done"))

    @again.verb("roll_again")
    def roll_again(self, g: Board) -> Out:
        return Goto("roll")

    take = Choice("side", "8.5.2", "Choose the armor unit that takes the step.")

    @take.verb(
        "receive",
        legal=lambda p, g: armor_of(g, p.korps, p.kind),
        why_not=lambda p, g, u: (
            why_not_armor(g, p.korps, u)
            or (None if g.forces.type[u] == p.kind else Refusal("8.5.2", f"{g.name(u)} is not of type {p.kind}"))
        ),
    )
    def take_it(self, g: Board, u: Unit) -> Out:
        g.set_rp(self.korps, ARMOR, g.rp(self.korps, ARMOR) - 1)
        self.unit = u
        if g.on_map(u):
            give_steps(g, u, 1, "8.5.2")
            return Goto("done")
        return None

    where = Choice("side", "8.5.2", "Choose the hex in which the unit comes back.")

    @where.verb(
        "at",
        legal=lambda p, g: return_hexes(g, p.unit),
        why_not=lambda p, g, h: (
            None if return_hexes(g, p.unit) >> h & 1 else Refusal("8.5.2", "it comes back on or next to its SDM")
        ),
    )
    def at_hex(self, g: Board, h: Hex) -> Out:
        bring_back(g, self.unit, h, "8.5.2")
        return None

    @auto("8.5.2")
    def done(self, g: Board) -> Out:
        return None


def replacement_segment(g: Board, side: Side) -> Procedure | None:
    return ReplacementSegment(side)
