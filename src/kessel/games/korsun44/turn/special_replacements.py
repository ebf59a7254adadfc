"""8.6 Special German replacements: cadres, artillery, SDMs, Korsun."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, NOW, fact
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, spread, within
from kessel.core.procedure import AGAIN, Call, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import DEAD, DISORDER, GERMAN, GONE, REPLACED, Board
from kessel.games.korsun44.data.forces import SDM
from kessel.games.korsun44.supply.stage import abandon_korsun, within_range_of
from kessel.games.korsun44.turn.replacements import give_steps, kind_taken, why_not_eligible
from kessel.games.korsun44.units.alarms import raise_alarms
from kessel.games.korsun44.units.strength import is_cadre

# --- who receives --------------------------------------------------------------------------------------------------


@fact(NOW)
def ways_from(g: Board, a: Hex) -> Bits:
    """8.6.1, 8.6.2 The hexes within a way of at most three hexes through vacant or friendly hexes."""
    free = g.playable & ~g.hexes_of(1 - GERMAN)
    seen = 1 << a
    for _ in range(g.charts.constants.conversion_distance):
        seen |= spread(g.map.grid, seen) & free
    return seen


@fact(NOW)
def takers(g: Board) -> list[Unit]:
    """8.2 The Germans that may take a step of infantry, whoever gives it."""
    steps, full, status = g.steps, g.forces.full_steps, g.status
    here = [u for u in _infantry(g) if g.place[u] != NOWHERE and steps[u] < full[u]]
    fit = [u for u in here if not status[u] & (REPLACED | DISORDER)]
    return [u for u in fit if why_not_eligible(g, GERMAN, u, "infantry") is None]


@fact(NOW)
def _near_takers(g: Board) -> Bits:
    """The hexes not further than three hexes from them."""
    return within(g.map.grid, bits(g.place[u] for u in takers(g)), g.charts.constants.conversion_distance)


@fact(GAME)
def _infantry(g: Board) -> list[Unit]:
    return [u for u in g.forces.of_side(GERMAN) if kind_taken(g, u) == "infantry"]


def why_not_absorb(g: Board, cadre: Unit, u: Unit) -> Refusal | None:
    """8.6.1 Why a cadre may not become a step of a unit."""
    f = g.forces
    if f.side[cadre] != GERMAN or not g.on_map(cadre) or not f.infantry_type[cadre] or not is_cadre(g, cadre):
        return Refusal("8.6.1", f"{g.name(cadre)} is no German cadre on the map")
    if why := _why_not_receive(g, cadre, u):
        return why
    if f.division[u] != f.division[cadre]:
        own = [v for v in f.of(f.division[cadre]) if f.division[v] == f.division[cadre]] if f.division[cadre] else []
        if any(v != cadre and _why_not_receive(g, cadre, v) is None for v in own):
            return Refusal("8.6.1", f"units of {f.division[cadre]} come first")
    return None


def _why_not_receive(g: Board, giver: Unit, u: Unit) -> Refusal | None:
    """8.6.1, 8.6.2 What all receivers need: eligible, near, with a way."""
    if u == giver:
        return Refusal("8.6.1", f"{g.name(u)} cannot join itself")
    if why := why_not_eligible(g, GERMAN, u, "infantry"):
        return why
    if not ways_from(g, g.place[giver]) >> g.place[u] & 1:
        return Refusal("8.6.1", f"{g.name(u)} is not within three hexes by a free way")
    return None


def absorptions(g: Board) -> list[tuple[Unit, Unit]]:
    mine = g.on_the_map(GERMAN)
    cadres = [u for u in mine if g.steps[u] == 1 and g.forces.infantry_type[u] and is_cadre(g, u)]
    return [(c, u) for c in cadres for u in _takers_near(g, c) if why_not_absorb(g, c, u) is None]


def _takers_near(g: Board, giver: Unit) -> list[Unit]:
    """8.6.1, 8.6.2 Those of them within three hexes by a free way."""
    if not _near_takers(g) >> g.place[giver] & 1:
        return []
    near, place = ways_from(g, g.place[giver]), g.place
    return [u for u in takers(g) if near >> place[u] & 1]


# --- 8.6.2 artillery -----------------------------------------------------------------------------------------------


def why_not_gunners_join(g: Board, gun: Unit, u: Unit) -> Refusal | None:
    """8.6.2 Why the men of an artillery unit may not become a step of a unit."""
    return _why_not_receive(g, gun, u) or _why_not_served(g, gun, u)


def _why_not_served(g: Board, gun: Unit, u: Unit) -> Refusal | None:
    """8.6.2 Whom the men of an artillery unit join: its korps, division artillery its division."""
    f = g.forces
    if f.corps[u] != f.corps[gun]:
        return Refusal("8.6.2", f"{g.name(u)} is not of {g.formation(f.corps[gun])}")
    if f.division[gun] and f.division[u] != f.division[gun] and _has_infantry(g, f.division[gun]):
        return Refusal("8.6.2", f"division artillery serves {f.division[gun]}, which has infantry on the map")
    return None


def _has_infantry(g: Board, division: str) -> bool:
    f = g.forces
    return any(
        f.division[u] == division and g.charts.types[f.type[u]].replacement == "infantry" for u in g.on_the_map(GERMAN)
    )


def gunner_takers(g: Board, gun: Unit) -> list[Unit]:
    return [u for u in _takers_near(g, gun) if u != gun and _why_not_served(g, gun, u) is None]


def why_not_convert_gun(g: Board, gun: Unit) -> Refusal | None:
    if g.forces.side[gun] != GERMAN or not g.on_map(gun) or not g.forces.artillery[gun]:
        return Refusal("8.6.2", f"{g.name(gun)} is no German artillery on the map")
    return None if gunner_takers(g, gun) else Refusal("8.6.2", f"nobody can take the men of {g.name(gun)}")


@dataclass(slots=True)
class Gunners(Procedure):
    """8.6.2 An artillery unit is given up for steps: two from a regiment, one from a battalion."""

    about_units = ("gun",)
    side: int
    gun: int
    left: int
    given: int = 0

    pick = Choice(
        "side",
        "8.6.2",
        "Choose a unit that takes a step.",
        when=lambda p, g: p.left > 0,
        passing=None,
        alone=True,  # who is not asked has told that all his units are at full strength (4.4.4)
        says="Give no more steps",
    )

    @pick.verb(
        "receive",
        legal=lambda p, g: gunner_takers(g, p.gun),
        why_not=lambda p, g, u: why_not_gunners_join(g, p.gun, u),
    )
    def give(self, g: Board, u: Unit) -> Out:
        give_steps(g, u, 1, "8.6.2")
        self.left, self.given = self.left - 1, self.given + 1
        return AGAIN

    @auto("8.6.2")
    def disband(self, g: Board) -> Out:
        if self.given:
            g.tell(f"{g.name(self.gun)} is disbanded", "8.6.2", unit=g.id(self.gun))
            g.steps[self.gun] = 0
            g.take_off(self.gun, DEAD)
        return None


# --- 8.6.4, 8.6.5 Korsun and SDMs ------------------------------------------------------------------------------------


def why_not_abandon_korsun(g: Board, when: str = "replacement_segment") -> Refusal | None:
    """8.6.4, Q17 Why Korsun cannot be abandoned now: it is in the Replacement Segment, or in the Event Phase."""
    if g.reads("abandon_when") != when:
        return Refusal("8.6.4", f"Korsun is abandoned in the {g.reads('abandon_when').replace('_', ' ').title()}")
    if not g.track("korsun_active"):
        return Refusal("8.6.4", "the Korsun airfield is not activated")
    return Refusal("8.6.4", "Korsun has been abandoned") if g.track("korsun_abandoned") else None


def why_not_abandon(g: Board, sdm: Unit) -> Refusal | None:
    """8.6.5 Why an SDM may not be given up."""
    if g.forces.role[sdm] != SDM or g.forces.side[sdm] != GERMAN or g.sdm_at[sdm] < 0:
        return Refusal("8.6.5", f"{g.name(sdm)} is no German SDM on the map")
    return None if sdm_takers(g, sdm) else Refusal("8.6.5", f"nobody can take a step from {g.name(sdm)}")


def why_not_take_from(g: Board, sdm: Unit, u: Unit) -> Refusal | None:
    if why := why_not_eligible(g, GERMAN, u, "infantry"):
        return why
    if not _is_of(g, sdm, u):
        return Refusal("8.6.5", f"{g.name(u)} is not of the command of {g.name(sdm)}")
    if not within_range_of(g, u, sdm):
        return Refusal("8.6.5", f"{g.name(u)} is not within supply range of {g.name(sdm)}")
    return None


def sdm_takers(g: Board, sdm: Unit) -> list[Unit]:
    return [u for u in takers(g) if _is_of(g, sdm, u) and within_range_of(g, u, sdm)]


def _is_of(g: Board, sdm: Unit, u: Unit) -> bool:
    """8.6.5 Whether a unit is of the division, or korps, of an SDM."""
    f = g.forces
    return f.division[u] == f.division[sdm] if f.division[sdm] else f.corps[u] == f.corps[sdm]


def give_up_korsun(g: Board) -> Out:
    """8.6.4 No more air supply; three alarm units stand in Korsun; its points are given away."""
    g.set_track("korsun_abandoned", g.turn)
    g.set_track("korsun_active", 0)
    g.tell("the Korsun airfield is abandoned", "8.6.4")
    if g.ground.korsun >= 0 and not g.enemies_in(g.ground.korsun, GERMAN):
        raise_alarms(g, g.ground.korsun, g.charts.constants.abandon_alarms, "8.6.4")
    found = abandon_korsun(g)
    return AGAIN if found is None else Call(found, again=True)


@dataclass(slots=True)
class AbandonSdm(Procedure):
    """8.6.5 An SDM is given up for good, for one step."""

    side: int
    sdm: int

    pick = Choice("side", "8.6.5", "Choose the unit that takes the step.")

    @pick.verb(
        "receive", legal=lambda p, g: sdm_takers(g, p.sdm), why_not=lambda p, g, u: why_not_take_from(g, p.sdm, u)
    )
    def give(self, g: Board, u: Unit) -> Out:
        g.tell(f"{g.name(self.sdm)} is abandoned", "8.6.5", unit=g.id(self.sdm))
        g.steps[self.sdm], g.box[self.sdm] = 0, GONE
        g.place_sdm(self.sdm, -1)
        give_steps(g, u, 1, "8.6.5")
        return None


@dataclass(slots=True)
class SpecialReplacements(Procedure):
    """8.6 Replacements that cost no points. Always asked: whether there are any would tell of hidden strengths."""

    side: int
    kept: tuple[int, ...] = ()
    """8.6.2 Guns that were offered up and kept."""

    pick = Choice("side", "8.6", "Use a special replacement, or end special replacements.", passing=None, alone=True)

    @pick.verb("absorb", legal=lambda p, g: absorptions(g), why_not=lambda p, g, cadre, u: why_not_absorb(g, cadre, u))
    def absorb(self, g: Board, cadre: Unit, u: Unit) -> Out:
        g.tell(f"{g.name(cadre)} joins {g.name(u)}", "8.6.1", unit=g.id(cadre))
        g.steps[cadre] = 0
        g.take_off(cadre, DEAD)
        give_steps(g, u, 1, "8.6.1")
        return AGAIN

    @pick.verb(
        "disband",
        legal=lambda p, g: [
            u for u in g.on_the_map(GERMAN) if g.forces.artillery[u] and u not in p.kept and gunner_takers(g, u)
        ],
        why_not=lambda p, g, u: p.why_not_disband(g, u),
    )
    def disband(self, g: Board, u: Unit) -> Out:
        self.kept = (*self.kept, u)
        c = g.charts.constants
        steps = c.regiment_conversion if g.forces.counters[u].gun_regiment else c.battalion_conversion
        return Call(Gunners(self.side, u, steps), again=True)

    def why_not_disband(self, g: Board, u: Unit) -> Refusal | None:
        if u in self.kept and g.on_map(u):
            return Refusal("8.6.2", f"nobody was given the men of {g.name(u)} when they were offered")
        return why_not_convert_gun(g, u)

    @pick.verb("abandon", among=lambda p, g: g.sdms(GERMAN), why_not=lambda p, g, u: why_not_abandon(g, u))
    def abandon(self, g: Board, u: Unit) -> Out:
        return Call(AbandonSdm(self.side, u), again=True)

    @pick.verb("abandon_korsun", why_not=lambda p, g: why_not_abandon_korsun(g))
    def abandon_airfield(self, g: Board) -> Out:
        return give_up_korsun(g)
