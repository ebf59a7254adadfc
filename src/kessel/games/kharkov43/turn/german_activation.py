"""6 Activating German units and formations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, within
from kessel.core.procedure import AGAIN, Action, Call, Goto, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.kharkov43.board import (
    ACTIVE,
    CANNOT_ATTACK,
    DISPERSED,
    DISPERSED_ATTACKING,
    FOR_ACTIVATION,
    KG,
    MOVED,
    ON_ACTIVE,
    Board,
)
from kessel.games.kharkov43.combat.combat_common import german_targets, why_not_attack
from kessel.games.kharkov43.combat.combat_german import german_combat
from kessel.games.kharkov43.combat.improved_positions import place_ip, why_not_build
from kessel.games.kharkov43.combat.results.losses import lose_step
from kessel.games.kharkov43.data.cards import Card
from kessel.games.kharkov43.data.forces import CORPS, FORMATIONS, GERMAN
from kessel.games.kharkov43.movement.movement import (
    REGULAR,
    STRATEGIC,
    german_ends,
    german_modes,
    move_unit,
    why_not_move,
)
from kessel.games.kharkov43.movement.stacking import is_overstacked, too_many
from kessel.games.kharkov43.supply.garrisons import remove_beside_active_germans
from kessel.games.kharkov43.supply.supply import can_unit_trace

THIS_IMPULSE, LAST_IMPULSE = 1, 2
"""Bits of `Board.activated`, per corps."""

# --- 6.3 consecutive activation ------------------------------------------------------------------------------------


def _index(corps: str) -> int:
    return list(FORMATIONS).index(corps)


def is_barred(g: Board, corps: str) -> bool:
    """6.3 A unit of the corps was activated in the immediately preceding German impulse."""
    return bool(g.activated[_index(corps)] & LAST_IMPULSE)


def why_not_again(g: Board, corps: str, card: Card) -> Refusal | None:
    """6.3, and the exception for the Von Manstein card."""
    if is_barred(g, corps) and not card.ignores_consecutive_restriction:
        return Refusal("6.3", f"units of {corps} were activated in the preceding German impulse")
    return None


def end_impulse(g: Board) -> None:
    """6.3 What was activated in this impulse is barred from the next, and nothing else."""
    for i, v in enumerate(g.activated):
        g.activated[i] = LAST_IMPULSE if v & THIS_IMPULSE else 0


def forget_activations(g: Board) -> None:
    """6.3 The restriction does not carry over to the next game-turn."""
    for i in range(len(g.activated)):
        g.activated[i] = 0


# --- 5.2, 6.1, 6.2 who becomes active ------------------------------------------------------------------------------


def corps_units(g: Board, corps: str) -> list[Unit]:
    """6.0 All units of the corps on the map, dispersed and unsupplied ones included."""
    return [u for u in g.on_map_of(GERMAN) if g.forces.formation[u] == corps]


def named_corps(card: Card) -> tuple[str, ...]:
    """5.2 The corps of the card's formation: a corps, those of an army, or all of them."""
    if card.kind in ("corps", "corps_kampfgruppe"):
        return (card.formation,)
    if card.kind == "army":
        return tuple(c for c in CORPS if FORMATIONS[c].higher == card.formation)
    return CORPS


def why_not_corps(g: Board, card: Card, corps: str) -> Refusal | None:
    """5.2, 6.3 Why the card can't activate that corps."""
    if corps not in named_corps(card):
        return Refusal("5.2", f"{card.name} does not command {corps}")
    if not corps_units(g, corps):
        return Refusal("6.0", f"{corps} has no unit on the map")
    return why_not_again(g, corps, card)


def kampfgruppe_units(g: Board, card: Card) -> list[Unit]:
    """6.2 The units a Kampfgruppe of this card may include: named on the card and not barred by 6.3."""
    corps = {c for c in named_corps(card) if why_not_again(g, c, card) is None}
    return [u for u in g.on_map_of(GERMAN) if g.forces.formation[u] in corps]


def why_not_kampfgruppe(g: Board, card: Card) -> Refusal:
    """6.2, 6.3 Why no unit on the map is eligible."""
    barred = [why_not_again(g, c, card) for c in named_corps(card) if corps_units(g, c)]
    return next((r for r in barred if r), Refusal("6.2", "no unit is eligible for the Kampfgruppe"))


def kampfgruppe_at(g: Board, card: Card, h: Hex, hexes: int) -> list[Unit]:
    """6.2 All eligible units within range of the KG marker, whatever stands between."""
    distance = g.map.grid.distance
    return [u for u in kampfgruppe_units(g, card) if distance(h, g.place[u]) <= hexes]


def kampfgruppe_hexes(g: Board, card: Card, hexes: int) -> Bits:
    """Where the KG marker has an effect."""
    s = 0
    for u in kampfgruppe_units(g, card):
        s |= 1 << g.place[u]
    return within(g.map.grid, s, hexes) if s else 0


def why_not_one_unit(g: Board, card: Card, u: Unit) -> Refusal | None:
    """6.1 Why the unit can't be activated alone."""
    if g.track("one_unit_used"):
        return Refusal("6.1", "one unit has been activated alone in this game-turn")
    if g.forces.side[u] != GERMAN or not g.on_map(u):
        return Refusal("6.1", f"{g.name(u)} is not a German unit on the map")
    if not can_unit_trace(g, u):
        return Refusal("6.1", f"{g.name(u)} can't trace supply")
    return why_not_again(g, g.forces.formation[u], card)


def one_units(g: Board, card: Card) -> list[Unit]:
    return [u for u in g.on_map_of(GERMAN) if why_not_one_unit(g, card, u) is None]


def why_not_any_unit(g: Board, card: Card) -> Refusal | None:
    """6.1 Why no unit can be: one was already; or, if a unit could trace supply, the restriction of 6.3."""
    refusals: list[Refusal] = []
    for u in g.on_map_of(GERMAN):
        refusal = why_not_one_unit(g, card, u)
        if refusal is None or g.track("one_unit_used"):
            return refusal
        refusals.append(refusal)
    by_6_3 = [r for r in refusals if r.rule == "6.3"]
    return next(iter(by_6_3 or refusals), Refusal("6.1", "no German unit is on the map"))


def make_active(g: Board, units: Iterable[Unit], rule: str) -> None:
    for u in units:
        g.set_status(u, ACTIVE)
        g.activated[_index(g.forces.formation[u])] |= THIS_IMPULSE
        g.tell(f"{g.name(u)} is activated", rule, unit=g.name(u))


@dataclass(slots=True)
class ActivateCorps(Procedure):
    """5.2 Activate all units of one corps."""

    card: int
    corps: str = ""
    german: int = GERMAN

    def choices(self, g: Board) -> list[str]:
        card = g.charts.cards[self.card]
        return [c for c in named_corps(card) if why_not_corps(g, card, c) is None]

    @auto("5.2")
    def only_one(self, g: Board) -> Out:
        found = self.choices(g)
        if len(found) != 1:
            return None
        self.corps = found[0]
        return Goto("begin")

    which = Choice("german", "5.2", "Choose the corps to activate.")

    @which.verb(
        "corps",
        legal=lambda p, g: p.choices(g),
        why_not=lambda p, g, corps: why_not_corps(g, g.charts.cards[p.card], corps),
    )
    def choose(self, g: Board, corps: str) -> Out:
        self.corps = corps
        return None

    @auto("6.0")
    def begin(self, g: Board) -> Out:
        make_active(g, corps_units(g, self.corps), "5.2")
        return GermanActivation(self.card)


@dataclass(slots=True)
class ActivateKampfgruppe(Procedure):
    """6.2 Activate a Kampfgruppe around a hex."""

    card: int
    hexes: int
    german: int = GERMAN

    where = Choice("german", "6.2", "Place the Kampfgruppe marker.")

    def why_not_here(self, g: Board, h: Hex) -> Refusal | None:
        if kampfgruppe_at(g, g.charts.cards[self.card], h, self.hexes):
            return None
        return Refusal("6.2", f"no unit the card may activate is within {self.hexes} hexes of {g.hex_name(h)}")

    @where.verb("kg", legal=lambda p, g: kampfgruppe_hexes(g, g.charts.cards[p.card], p.hexes), why_not=why_not_here)
    def place(self, g: Board, h: Hex) -> Out:
        make_active(g, kampfgruppe_at(g, g.charts.cards[self.card], h, self.hexes), "6.2")
        g.mark(h, KG)
        return GermanActivation(self.card)

    @auto("6.2")
    def remove_marker(self, g: Board) -> Out:
        for h in members(g.marked(KG)):
            g.mark(h, KG, False)
        return None


@dataclass(slots=True)
class ActivateOneUnit(Procedure):
    """6.1 Once a game-turn: activate any one unit that can trace supply. It can't attack."""

    card: int
    german: int = GERMAN

    which = Choice("german", "6.1", "Choose the unit to activate.")

    @which.verb(
        "unit",
        legal=lambda p, g: one_units(g, g.charts.cards[p.card]),
        why_not=lambda p, g, u: why_not_one_unit(g, g.charts.cards[p.card], u),
    )
    def choose(self, g: Board, u: Unit) -> Out:
        g.set_track("one_unit_used", 1)
        make_active(g, [u], "6.1")
        g.set_status(u, CANNOT_ATTACK)
        return GermanActivation(self.card)


# --- 6.0 the activation --------------------------------------------------------------------------------------------


def moves(g: Board) -> Iterator[Action]:
    """10.0 The legal moves of the active units, unit by unit."""
    for u in g.active_units():
        if g.status[u] & (MOVED | DISPERSED):
            continue
        for mode in german_modes(g, u):
            verb = "move" if mode == REGULAR else "strategic"
            for h in german_ends(g, u, mode):
                yield verb, u, h


def why_not_unstack(g: Board, u: Unit) -> Refusal | None:
    """10.4 Why the unit loses no step for its stack."""
    if g.forces.side[u] == GERMAN and g.on_map(u) and is_overstacked(g, g.place[u]):
        return None
    return Refusal("10.4", f"{g.name(u)} is not in an overstacked hex")


@dataclass(slots=True)
class GermanActivation(Procedure):
    """6.0 What active units do, in sequence. `card` is the card that activated them."""

    card: int
    german: int = GERMAN

    @auto("15.3")
    def remove_garrisons(self, g: Board) -> Out:
        if g.turn >= g.charts.constants.garrisons_from:
            remove_beside_active_germans(g)
        return None

    move = Choice(
        "german",
        "10.0",
        "Move your active units one by one, or end the movement.",
        passing=None,
        alone=True,
        when=lambda p, g: any(True for _ in moves(g)),
        every=lambda p, g: list(moves(g)),
        notice=lambda p, g: too_many(g, GERMAN),
    )

    @move.verb("move", why_not=lambda p, g, u, h: why_not_move(g, u, h, REGULAR))
    def move_regularly(self, g: Board, u: Unit, h: Hex) -> Out:
        move_unit(g, u, h, "10.0")
        return AGAIN

    @move.verb("strategic", why_not=lambda p, g, u, h: why_not_move(g, u, h, STRATEGIC))
    def move_strategically(self, g: Board, u: Unit, h: Hex) -> Out:
        move_unit(g, u, h, "10.6")
        g.set_status(u, CANNOT_ATTACK)
        return AGAIN

    unstack = Choice("german", "10.4", "Too many units or steps in a hex: remove a step.")

    @unstack.verb("lose", among=lambda p, g: g.on_map_of(GERMAN), why_not=lambda p, g, u: why_not_unstack(g, u))
    def remove_step(self, g: Board, u: Unit) -> Out:
        lose_step(g, u, "10.4")
        return AGAIN

    attack = Choice(
        "german",
        "12.0",
        "Attack with your active units, one hex at a time, or end the attacks.",
        passing=None,
    )

    @attack.verb("attack", legal=lambda p, g: german_targets(g), why_not=lambda p, g, h: why_not_attack(g, h))
    def begin_attack(self, g: Board, h: Hex) -> Out:
        return Call(german_combat(g, h, self.card), again=True)

    dig_in = Choice(
        "german",
        "14.21",
        "Place improved positions on active units that neither moved nor attacked, or dig in no more.",
        passing=None,
    )

    @dig_in.verb(
        "dig",
        among=lambda p, g: sorted({g.place[u] for u in g.active_units()}),
        why_not=lambda p, g, h: why_not_build(g, h, GERMAN),
    )
    def dig(self, g: Board, h: Hex) -> Out:
        place_ip(g, h, "14.21")
        return AGAIN

    @auto("12.9")
    def recover(self, g: Board) -> Out:
        """Dispersed active units that did not attack become undispersed."""
        recover(g)
        return None

    @auto("6.0")
    def end(self, g: Board) -> Out:
        end_activation(g)
        return None


def recover(g: Board) -> None:
    """12.9 For both sides: active units lose their Dispersed markers, unless dispersed attacking in this activation."""
    for u in g.active_units():
        if g.status[u] & DISPERSED and not g.status[u] & DISPERSED_ATTACKING:
            g.set_status(u, DISPERSED, False)
            g.tell(f"{g.name(u)} is no longer dispersed", "12.9", unit=g.name(u))


def end_activation(g: Board) -> None:
    """Forget what units did in this activation."""
    for u, s in enumerate(g.status):
        if s & FOR_ACTIVATION:
            g.status[u] = s & ~FOR_ACTIVATION
    g.happened(ON_ACTIVE)
