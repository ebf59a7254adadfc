"""What Kharkov '43 tells the search: what can be made of an impulse, and what a position is worth.

A plan is for one German impulse: a card, a command, and how the units it activates go about it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

from kessel.bots.kharkov43.cards import Hand
from kessel.bots.kharkov43.commander import Commander, Quick
from kessel.bots.kharkov43.fights import card_cost
from kessel.bots.kharkov43.worth import worth
from kessel.bots.search.plans import USUAL, WHOLE_SIDE, Order
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Hex
from kessel.core.hexset import members
from kessel.core.procedure import Action, options
from kessel.games.kharkov43.board import DRAW, HAND, ISOLATED, Board
from kessel.games.kharkov43.data.forces import CORPS, GERMAN, SOVIET
from kessel.games.kharkov43.turn.german_activation import corps_units, kampfgruppe_at
from kessel.games.kharkov43.turn.german_cards import COMMANDS, GermanImpulse
from kessel.games.kharkov43.turn.piles import german_pile
from kessel.games.kharkov43.turn.victory import is_kharkov

BOLD = (("fear", 0.3), ("worth_attacking", 0.0), ("worth_it", -0.3), ("soviet_step", 1.5), ("vacated", 1.0))
PULL = ("pull", 0.6)
CAREFUL = (("fear", 2.0), ("worth_it", 0.4))
PLAYS = 6
STRIKES = 3
DRIVES = 2
CAREFULS = 2
"""Plays that are tried as the program would make them; with attacks at almost any odds; with a drive on a town; away
from danger."""
LOUD, LOUD_UNTIL = 1.6, 6
"""Until that game-turn chance does more in an impulse than later, and a trial takes less time: so many times the
trials."""
FAR = 10
DEAR = 1.5
"""Kharkov is worth so many times its points: without it there is no victory (18.35)."""


class Play(NamedTuple):
    """A card for a command; where the card leaves it open, the corps, or the hex of a Kampfgruppe."""

    value: float
    card: str
    command: str
    units: tuple[Unit, ...] = ()
    """Those that would be activated."""
    corps: str = ""
    place: Hex = NO_HEX

    def changes(self, g: Board) -> tuple[tuple[str, float], ...]:
        found = [("play", g.charts.card_index(self.card)), ("command", COMMANDS.index(self.command))]
        if self.corps:
            found.append(("corps", CORPS.index(self.corps)))
        if self.place != NO_HEX:
            found.append(("place", self.place))
        return tuple(found)

    def words(self, g: Board) -> str:
        name = g.charts.card(self.card).name
        match self.command:
            case "activate":
                return f"{self.corps} goes into action"
            case "kampfgruppe":
                return f"a Kampfgruppe of {name} goes into action"
            case "one_unit":
                return f"one unit moves on {name}"
            case "deploy":
                return f"{name} brings its reserves"
            case "replace":
                return f"{name} gets replacements"
        return f"{name} is played for an event"


class KharkovDomain:
    program = Commander
    model = Quick
    ahead = 1
    least = 0.1

    def effort(self, g: Any) -> float:
        return LOUD if g.turn <= LOUD_UNTIL else 1.0

    def moment(self, g: Any, side: Side) -> Hashable | None:
        p = g.stack[-1]
        if not isinstance(p, GermanImpulse):
            return None
        return (g.turn, tuple(german_pile(g, HAND)), len(german_pile(g, DRAW)))

    def holds(self, g: Any, side: Side) -> bool:
        return any(isinstance(p, GermanImpulse) for p in g.stack)

    def evaluate(self, g: Any, side: Side) -> float:
        return -float(g.vp) if side == GERMAN else float(g.vp)

    def worth(self, g: Any, side: Side) -> float:
        return worth(g, side)

    def orders(self, g: Any, side: Side) -> list[Order]:
        """Plays as they are, with a strike, with a drive, in turn; what the program would do anyway is left out."""
        ranked = plays(g, self.program(0).look(g, side))
        active = [x for x in ranked if x.units]
        if not ranked:
            return []
        usual, *plain = [Order(WHOLE_SIDE, "play", x.changes(g), x.words(g)) for x in ranked[:PLAYS]]
        usual = usual._replace(script=USUAL)
        careful = [
            Order(WHOLE_SIDE, "careful", (*x.changes(g), *CAREFUL), f"{x.words(g)} and keeps out of danger")
            for x in active[:CAREFULS]
        ]
        strikes = [
            Order(WHOLE_SIDE, "strike", (*x.changes(g), *BOLD), f"{x.words(g)} and attacks where it can")
            for x in active[:STRIKES]
        ]
        drives = [
            Order(
                WHOLE_SIDE,
                "drive",
                (*x.changes(g), *BOLD, ("focus", h), PULL),
                f"{x.words(g)} and drives on {g.ground.name(h)}",
            )
            for x in active[:DRIVES]
            if (h := target(g, x.units)) is not None
        ]
        return [usual, *(o for several in rows(strikes, plain, drives, careful) for o in several)]


def rows(*lists: list[Order]) -> Iterator[list[Order]]:
    """The first of each list, then the second of each."""
    for i in range(max(map(len, lists), default=0)):
        yield [x[i] for x in lists if i < len(x)]


def plays(g: Board, s: Any) -> list[Play]:
    """What the hand can be played for, best first by the program's own weighing; of several cards for one thing the
    cheapest."""
    hand = Hand(s)
    best: dict[Hashable, Play] = {}
    for a in options(g):
        if a[0] == "play":
            for key, play in ways_to_play(g, hand, a, 0.25 * card_cost(s, a[1])):
                if key not in best or play.value > best[key].value:
                    best[key] = play
    return sorted(best.values(), key=lambda x: (-x.value, x.card, x.command, x.corps))


def ways_to_play(g: Board, hand: Hand, a: Action, cost: float) -> Iterator[tuple[Hashable, Play]]:
    """Each by what it comes to, whatever card it is played by."""
    card, command = g.charts.card(a[1]), a[2]
    match command:
        case "activate":
            for c in hand.corps(card):
                units = tuple(corps_units(g, c))
                yield ("activate", c), Play(hand.activation(units) - cost, a[1], command, units, corps=c)
        case "kampfgruppe":
            value, h = hand.kampfgruppe(card)
            hexes = next(c.hexes for c in card.commands if c.command == command)
            yield (command, h), Play(value - cost, a[1], command, tuple(kampfgruppe_at(g, card, h, hexes)), place=h)
        case "one_unit":
            yield command, Play(hand.value(a)[0] - cost, a[1], command)
        case _:
            yield (command, card.formation), Play(hand.value(a)[0] - cost, a[1], command)


def target(g: Board, units: tuple[Unit, ...]) -> Hex | None:
    """The Soviet town that promises most: its points for the way there, less where it is defended."""

    def promise(h: Hex) -> float:
        away = g.ground.distances(h)
        defence = sum(g.strength(v) for v in g.on_map_of(SOVIET) if away[g.place[v]] <= 1)
        ours = sorted((away[g.place[u]], -g.strength(u)) for u in units if not g.status[u] & ISOLATED)[:4]
        far = sum(d for d, _ in ours) / max(1, len(ours))
        if far > FAR:
            return 0.0
        return g.ground.vp_value(h) * (DEAR if is_kharkov(g, h) else 1.0) / (2 + far) / (1 + defence / 15)

    found = max(members(g.towns_of(SOVIET)), key=lambda h: (promise(h), h), default=None)
    return found if found is not None and promise(found) > 0 else None


DOMAIN = KharkovDomain()
