"""6 Activating German units and formations."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, within
from kessel.core.procedure import AGAIN, NOTHING, PASS, Action, Call, Goto, Options, Out, Procedure, ask, auto
from kessel.games.kharkov43.board import (
    ACTIVE,
    CANNOT_ATTACK,
    DISPERSED,
    DISPERSED_ATTACKING,
    FOR_ACTIVATION,
    KG,
    MOVED,
    OFF_MAP,
    Board,
)
from kessel.games.kharkov43.cards import Card
from kessel.games.kharkov43.combat import german_combat, german_targets, why_not_attack
from kessel.games.kharkov43.forces import CORPS, FORMATIONS, GERMAN
from kessel.games.kharkov43.garrisons import remove_beside_active_germans
from kessel.games.kharkov43.improved_positions import place_ip, why_not_build
from kessel.games.kharkov43.losses import lose_step
from kessel.games.kharkov43.movement import REGULAR, STRATEGIC, german_ends, german_modes, move_unit, why_not_move
from kessel.games.kharkov43.stacking import is_overstacked
from kessel.games.kharkov43.supply import unit_can_trace

THIS_IMPULSE, LAST_IMPULSE = 1, 2
"""Bits of `Board.activated`, per corps."""

# --- 6.3 consecutive activation ------------------------------------------------------------------------------------


def _index(corps: str) -> int:
    return list(FORMATIONS).index(corps)


def is_barred(g: Board, corps: str) -> bool:
    """6.3 A unit of the corps was activated in the immediately preceding German impulse."""
    return bool(g.activated[_index(corps)] & LAST_IMPULSE)


def why_barred(g: Board, corps: str, card: Card) -> Refusal | None:
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
    return why_barred(g, corps, card)


def kampfgruppe_units(g: Board, card: Card) -> list[Unit]:
    """6.2 The units a Kampfgruppe of this card may include: named on the card and not barred by 6.3."""
    corps = {c for c in named_corps(card) if why_barred(g, c, card) is None}
    return [u for u in g.on_map_of(GERMAN) if g.forces.formation[u] in corps]


def why_no_kampfgruppe(g: Board, card: Card) -> Refusal:
    """6.2, 6.3 Why no unit on the map is eligible."""
    barred = [why_barred(g, c, card) for c in named_corps(card) if corps_units(g, c)]
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
    if not unit_can_trace(g, u):
        return Refusal("6.1", f"{g.name(u)} can't trace supply")
    return why_barred(g, g.forces.formation[u], card)


def one_units(g: Board, card: Card) -> list[Unit]:
    return [u for u in g.on_map_of(GERMAN) if why_not_one_unit(g, card, u) is None]


def why_no_one_unit(g: Board, card: Card) -> Refusal:
    """6.1 Used already; or, if a unit could trace supply, the restriction of 6.3."""
    refusals = [r for u in g.on_map_of(GERMAN) if (r := why_not_one_unit(g, card, u))]
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

    @ask("german", "5.2")
    def which(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose the corps to activate."""
        card = g.charts.cards[self.card]
        action = yield Options(
            [("corps", c) for c in self.choices(g)],
            guard=lambda a: why_not_corps(g, card, a[1]) if a[0] == "corps" else None,
        )
        self.corps = action[1]
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

    @ask("german", "6.2")
    def where(self, g: Board) -> Generator[Options, Action, Out]:
        """Place the Kampfgruppe marker."""
        card = g.charts.cards[self.card]

        def why(a: Action) -> Refusal | None:
            if a[0] == "kg" and not kampfgruppe_at(g, card, a[1], self.hexes):
                return Refusal(
                    "6.2", f"no unit the card may activate is within {self.hexes} hexes of {g.hex_name(a[1])}"
                )
            return None

        found = kampfgruppe_hexes(g, card, self.hexes)
        action = yield Options([("kg", h) for h in members(found)], guard=why)
        make_active(g, kampfgruppe_at(g, card, action[1], self.hexes), "6.2")
        g.mark(action[1], KG)
        return GermanActivation(self.card)

    @auto("6.2")
    def remove_marker(self, g: Board) -> Out:
        for h in g.map.grid.hexes:
            if g.has_mark(h, KG):
                g.mark(h, KG, False)
        return None


@dataclass(slots=True)
class ActivateOneUnit(Procedure):
    """6.1 Once a game-turn: activate any one unit that can trace supply. It can't attack."""

    card: int
    german: int = GERMAN

    @ask("german", "6.1")
    def which(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose the unit to activate."""
        card = g.charts.cards[self.card]
        action = yield Options(
            [("unit", u) for u in one_units(g, card)],
            guard=lambda a: why_not_one_unit(g, card, a[1]) if a[0] == "unit" else None,
        )
        g.set_track("one_unit_used", 1)
        make_active(g, [action[1]], "6.1")
        g.set_status(action[1], CANNOT_ATTACK)
        return GermanActivation(self.card)


# --- 6.0 the activation --------------------------------------------------------------------------------------------


class _Moves:
    """The legal moves of the active units; single ones are checked without listing all."""

    def __init__(self, g: Board) -> None:
        self.g = g
        self.units = [u for u in g.active_units() if not g.status[u] & (MOVED | DISPERSED)]

    def __iter__(self) -> Iterator[Action]:
        for u in self.units:
            for mode in german_modes(self.g, u):
                verb = "move" if mode == REGULAR else "strategic"
                for h in german_ends(self.g, u, mode):
                    yield verb, u, h

    def why_not(self, a: Action) -> Refusal | None:
        if a[0] not in ("move", "strategic"):
            return None
        return why_not_move(self.g, a[1], a[2], REGULAR if a[0] == "move" else STRATEGIC)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, tuple) or len(action) != 3 or action[0] not in ("move", "strategic"):
            return False
        return action[1] in self.units and self.why_not(action) is None


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

    @ask("german", "10.0")
    def move(self, g: Board) -> Generator[Options, Action, Out]:
        """Move your active units one by one; pass when you have moved all you want to."""
        moves = _Moves(g)
        if not any(True for _ in moves):
            yield NOTHING
        action = yield Options(moves, PASS, guard=moves.why_not)
        if action == PASS:
            return None
        move_unit(g, action[1], action[2], "10.0" if action[0] == "move" else "10.6")
        if action[0] == "strategic":
            g.set_status(action[1], CANNOT_ATTACK)
        return AGAIN

    @ask("german", "10.4")
    def unstack(self, g: Board) -> Generator[Options, Action, Out]:
        """Too many units or steps in a hex: remove a step."""
        units = [u for u in g.on_map_of(GERMAN) if is_overstacked(g, g.place[u])]
        if not units:
            yield NOTHING
        action = yield Options(
            [("lose", u) for u in units],
            guard=lambda a: Refusal("10.4", f"{g.name(a[1])} is not in an overstacked hex") if a[0] == "lose" else None,
        )
        lose_step(g, action[1], "10.4")
        return AGAIN

    @ask("german", "12.0")
    def attack(self, g: Board) -> Generator[Options, Action, Out]:
        """Attack with your active units, one hex at a time; pass when you are done."""
        targets = german_targets(g)
        if not targets:
            yield NOTHING
        action = yield Options(
            [("attack", h) for h in targets],
            PASS,
            guard=lambda a: why_not_attack(g, a[1]) if a[0] == "attack" else None,
        )
        if action == PASS:
            return None
        return Call(german_combat(g, action[1], self.card), again=True)

    @ask("german", "14.21")
    def dig_in(self, g: Board) -> Generator[Options, Action, Out]:
        """Place improved positions on active units that neither moved nor attacked, or pass."""
        hexes = sorted({g.place[u] for u in g.active_units()})
        found = [h for h in hexes if why_not_build(g, h, GERMAN) is None]
        if not found:
            yield NOTHING
        action = yield Options(
            [("dig", h) for h in found],
            PASS,
            guard=lambda a: why_not_build(g, a[1], GERMAN) if a[0] == "dig" else None,
        )
        if action == PASS:
            return None
        place_ip(g, action[1], "14.21")
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
    g.happened(OFF_MAP)
