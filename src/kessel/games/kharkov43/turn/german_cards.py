"""5 German draw pile and commands; 4.II preparing the cards of a game-turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.procedure import AGAIN, Action, Goto, Out, Procedure, auto
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.kharkov43.board import AVAILABLE, DISCARD, DRAW, ENTERING, HAND, IN_PLAY, LIGHT_MUD, OFF_MAP, Board
from kessel.games.kharkov43.combat.battle import counted
from kessel.games.kharkov43.data.cards import Card, Command
from kessel.games.kharkov43.data.forces import CORPS, GERMAN
from kessel.games.kharkov43.turn.events import PlayEvent, playable_events, why_not_listed_event
from kessel.games.kharkov43.turn.german_activation import (
    ActivateCorps,
    ActivateKampfgruppe,
    ActivateOneUnit,
    end_impulse,
    kampfgruppe_units,
    named_corps,
    why_not_any_unit,
    why_not_corps,
    why_not_kampfgruppe,
)
from kessel.games.kharkov43.turn.german_reserves import DeployReserves, can_deploy, reserves_of
from kessel.games.kharkov43.turn.piles import draw, german_pile, soviet_pile
from kessel.games.kharkov43.turn.replacements import candidates as replaceable
from kessel.games.kharkov43.turn.replacements import give_step, why_not_replace


def discard(g: Board, card: int) -> None:
    """5.6 Primary and supplemental cards have discard boxes of their own; the card itself says which."""
    g.cards[card] = DISCARD
    g.happened(OFF_MAP)


def hand_limit(g: Board) -> int:
    return g.charts.calendar[g.turn].hand


def refill_hand(g: Board) -> None:
    """4.IV Draw up to the hand size limit of the game-turn."""
    wanted = hand_limit(g) - len(german_pile(g, HAND))
    if wanted > 0 and (drawn := draw(g, german_pile(g, DRAW), wanted, HAND)):
        g.reveal()
        g.tell(f"the German hand is refilled with {counted(len(drawn), 'card')}", "5.1")


# --- 4.II card preparation -----------------------------------------------------------------------------------------


def supplementals_dealt(g: Board) -> int:
    """The calendar's number; light mud deals four instead of seven (18.34)."""
    number = g.charts.calendar[g.turn].supplementals
    return min(number, g.charts.constants.light_mud_supplementals) if g.ground_condition == LIGHT_MUD else number


def enter_cards(g: Board) -> None:
    """Step 1: reinforcement cards; those that a heavy mud turn kept out enter now."""
    for i in german_pile(g, ENTERING):
        card = g.charts.cards[i]
        if card.enters <= g.turn:
            g.cards[i] = DRAW if card.primary else AVAILABLE
            g.tell(f"{card.name} ({card.id}) enters play", "4.II", card=card.id)


def deal_supplementals(g: Board) -> None:
    """Step 2: from the available supplemental cards, unseen."""
    dealt = draw(g, german_pile(g, AVAILABLE), supplementals_dealt(g), DRAW)
    mud = ", in light mud" if g.ground_condition == LIGHT_MUD else ""
    g.tell(f"{counted(len(dealt), 'supplemental card')} dealt to the draw pile unseen{mud}", "4.II")


def return_supplementals(g: Board) -> None:
    """Step 3: last turn's supplemental discards become available again, too late for this turn's deal."""
    for i in german_pile(g, DISCARD):
        if not g.charts.cards[i].primary:
            g.cards[i] = AVAILABLE


def return_primaries(g: Board) -> None:
    """Step 4: last turn's primary discards go to the draw pile."""
    for i in german_pile(g, DISCARD):
        if g.charts.cards[i].primary:
            g.cards[i] = DRAW


def prepare_german_cards(g: Board) -> None:
    """4.II Steps 1-5."""
    enter_cards(g)
    deal_supplementals(g)
    return_supplementals(g)
    return_primaries(g)
    refill_hand(g)


# --- 5.1-5.5 what a card may be played for -------------------------------------------------------------------------

COMMANDS = ("activate", "kampfgruppe", "one_unit", "deploy", "replace", "event", "special_event", "nothing")
"""The words of the action `play CARD COMMAND`."""


def printed_line(card: Card, command: str, turn: int) -> Command | None:
    """The line of the card for that command, if it is valid on the game-turn."""
    return next((c for c in card.commands if c.command == command and c.valid(turn)), None)


def deployable_corps(g: Board, card: Card) -> list[str]:
    """5.3 The corps of the card with a reserve that can be placed."""
    return [c for c in named_corps(card) if can_deploy(g, reserves_of(g, c))]


def why_not_command(g: Board, card: Card, command: str) -> Refusal | None:
    """5.2-5.5 Why the card can't be played for that command now."""
    turn = g.turn
    if command == "activate":
        if printed_line(card, "activate_corps", turn) is None:
            return Refusal("5.2", f"{card.name} does not activate a corps")
        refusals = [why_not_corps(g, card, c) for c in named_corps(card)]
        barred = [r for r in refusals if r and r.rule == "6.3"]
        return None if None in refusals else next(iter(barred or refusals))
    if command == "kampfgruppe":
        if printed_line(card, "kampfgruppe", turn) is None:
            return Refusal("5.2", f"{card.name} does not activate a Kampfgruppe")
        return None if kampfgruppe_units(g, card) else why_not_kampfgruppe(g, card)
    if command == "one_unit":
        return why_not_any_unit(g, card)
    if command == "deploy":
        if printed_line(card, "deploy", turn) is None:
            return Refusal("5.3", f"{card.name} does not deploy reserves")
        return None if deployable_corps(g, card) else why_not_deployed(g, card)
    if command == "replace":
        if printed_line(card, "replace", turn) is None:
            return Refusal("5.5", f"{card.name} gives no replacements on game-turn {turn}")
        units = g.forces.in_formation(card.formation)
        return None if replaceable(g, units) else why_not_replaced(g, card.formation, units)
    if command in ("event", "special_event"):
        kind = "command" if command == "event" else "special"
        return None if playable_events(g, card, kind) else why_not_listed_event(g, card, kind)
    return Refusal("5.1", f"there is no command {command!r}")


def why_not_deployed(g: Board, card: Card) -> Refusal:
    """7.0, 7.1 No reserve at all, or none that can be placed."""
    if not any(reserves_of(g, c) for c in named_corps(card)):
        return Refusal("7.0", f"no unit of {card.name} is in the Reserve Units box")
    return Refusal("7.1", "no reserve of the formation can be placed")


def why_not_replaced(g: Board, formation: str, units: Iterable[int]) -> Refusal:
    """16.2, 16.21 What is wrong with the reduced units, if there are any."""
    reduced = [u for u in units if g.on_map(u) and g.steps[u] == 1 < g.forces.full_steps[u]]
    refusals = [why_not_replace(g, u) for u in reduced]
    return next((r for r in refusals if r), Refusal("16.1", f"no unit of {formation} can receive a replacement"))


def plays(g: Board) -> list[Action]:
    """Everything the hand can be played for. If no card can be played for anything, a card is given up for nothing."""
    found: list[Action] = []
    for i in german_pile(g, HAND):
        card = g.charts.cards[i]
        found += [("play", card.id, c) for c in COMMANDS if c != "nothing" and why_not_command(g, card, c) is None]
    return found or [("play", g.charts.cards[i].id, "nothing") for i in german_pile(g, HAND)]


def may_pass(g: Board) -> bool:
    """5.1 With an empty draw pile and just one card in hand."""
    return not german_pile(g, DRAW) and len(german_pile(g, HAND)) == 1


def why_not_pass(g: Board) -> Refusal | None:
    """5.1 Why the German player can't pass."""
    return None if may_pass(g) else Refusal("5.1", "you may pass only with an empty draw pile and one card in hand")


def why_not_play(g: Board, name: str, word: str) -> Refusal | None:
    """5.1 Why the card can't be played for that command."""
    if name not in g.charts.card_ids:
        return NOT_NOW
    card = g.charts.card(name)
    if g.cards[g.charts.card_index(name)] != HAND:
        return Refusal("5.1", f"{name} is not in your hand")
    if word != "nothing":
        return why_not_command(g, card, word)
    given_up = ("play", name, word) in plays(g)
    return None if given_up else Refusal("5.1", "a card is given up only if no card can be played for a command")


# --- the impulse ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class GermanImpulse(Procedure):
    """4.IV German impulse: play one card for one command, or pass."""

    german: int = GERMAN
    card: int = -1
    passed: bool = False

    play = Choice(
        "german",
        "5.1",
        "Play a card from your hand for one of its commands.",
        every=lambda p, g: plays(g),
        says="Play no card",
    )

    @play.verb("pass", why_not=lambda p, g: why_not_pass(g))
    def play_nothing(self, g: Board) -> Out:
        self.passed = True
        g.tell("the German player passes", "5.1")
        return None

    @play.verb("play", why_not=lambda p, g, name, word: why_not_play(g, name, word))
    def play_card(self, g: Board, name: str, word: str) -> Out:
        self.card = g.charts.card_index(name)
        card = g.charts.cards[self.card]
        g.cards[self.card] = IN_PLAY
        g.happened(OFF_MAP)
        g.tell(f"{card.name} ({card.id}) is played: {word.replace('_', ' ')}", "5.1", card=card.id)
        return command(g, self.card, word)

    @auto("5.6")
    def finish(self, g: Board) -> Out:
        """Discard the card and refill the hand."""
        if self.card >= 0:
            discard(g, self.card)
        end_impulse(g)
        refill_hand(g)
        if self.passed and not soviet_pile(g, DRAW):
            for i in german_pile(g, HAND):
                discard(g, i)
        return None


def command(g: Board, card: int, word: str) -> Procedure | None:
    """The procedure of a command."""
    printed = g.charts.cards[card]
    match word:
        case "activate":
            return ActivateCorps(card)
        case "kampfgruppe":
            line = printed_line(printed, "kampfgruppe", g.turn)
            return ActivateKampfgruppe(card, line.hexes if line else 0)
        case "one_unit":
            return ActivateOneUnit(card)
        case "deploy":
            line = printed_line(printed, "deploy", g.turn)
            return DeployCommand(card, line.corps if line else 0)
        case "replace":
            line = printed_line(printed, "replace", g.turn)
            return AssignReplacements(tuple(g.forces.in_formation(printed.formation)), line.steps if line else 0)
        case "event":
            return PlayEvent(card, "command")
        case "special_event":
            return PlayEvent(card, "special")
    return None


@dataclass(slots=True)
class DeployCommand(Procedure):
    """5.3, 7.1 Deploy all reserves of one corps, or of two with the Army Group South card."""

    card: int
    left: int
    corps: str = ""
    german: int = GERMAN

    def choices(self, g: Board) -> list[str]:
        return deployable_corps(g, g.charts.cards[self.card]) if self.left else []

    @auto("5.3")
    def only_one(self, g: Board) -> Out:
        found = self.choices(g)
        if len(found) != 1 or not self.left:
            return None
        self.corps = found[0]
        return Goto("deploy")

    which = Choice("german", "5.3", "Choose the corps whose reserves are deployed.")

    def why_not_deploy(self, g: Board, corps: str) -> Refusal | None:
        card = g.charts.cards[self.card]
        if corps not in CORPS:
            return NOT_NOW
        if corps not in named_corps(card):
            return Refusal("5.3", f"{card.name} does not deploy {corps}")
        return None if corps in self.choices(g) else Refusal("7.1", f"no reserve of {corps} can be placed")

    @which.verb("corps", legal=lambda p, g: p.choices(g), why_not=why_not_deploy)
    def choose(self, g: Board, corps: str) -> Out:
        self.corps = corps
        return None

    @auto("7.1")
    def deploy(self, g: Board) -> Out:
        if not self.corps:
            return None
        units = tuple(reserves_of(g, self.corps))
        self.left, self.corps = self.left - 1, ""
        return DeployReserves(units)

    @auto("5.3")
    def more(self, g: Board) -> Out:
        return Goto("only_one") if self.choices(g) else None


@dataclass(slots=True)
class AssignReplacements(Procedure):
    """16.1 Assign German replacement steps to units, the first priority first."""

    units: tuple[int, ...]
    left: int
    most: int = 4
    """18.34: infantry only, priorities 1 and 2."""
    german: int = GERMAN

    about_units = ("units",)

    assign = Choice("german", "16.1", "Assign a replacement step.")

    def able(self, g: Board) -> list[int]:
        return replaceable(g, self.units, most=self.most) if self.left else []

    def why_not_here(self, g: Board, u: int) -> Refusal | None:
        if u not in self.units:
            return Refusal("16.1", f"{g.name(u)} is not of the named formation")
        if u in self.able(g):
            return None
        return why_not_replace(g, u) or Refusal("16.1", "units of an earlier priority come first")

    @assign.verb("replace", legal=lambda p, g: p.able(g), why_not=why_not_here)
    def give(self, g: Board, u: int) -> Out:
        give_step(g, u)
        self.left -= 1
        return AGAIN
