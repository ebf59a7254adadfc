"""What a card is best played for."""

from __future__ import annotations

from collections.abc import Iterable

from kessel.bots.kharkov43.moves import chosen_assaults, quick_gain
from kessel.bots.kharkov43.situation import Situation, worth
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Action
from kessel.games.kharkov43.board import DISPERSED, RESERVE, UNSUPPLIED
from kessel.games.kharkov43.data.cards import Card
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.turn.events import playable_events
from kessel.games.kharkov43.turn.german_activation import corps_units, kampfgruppe_hexes, kampfgruppe_units, named_corps
from kessel.games.kharkov43.turn.german_activation import why_not_corps as why_not
from kessel.games.kharkov43.turn.german_reserves import can_deploy, ends, reserves_of

EVENT_REASON = {"airpower": "a stack cut off must be supplied", "over_extended": "a spearhead can be scattered"}
OTHER_EVENT = "nothing else helps as much"


class Hand:
    """One look at the hand: what every play of it promises."""

    def __init__(self, s: Situation) -> None:
        self.s, self.g = s, s.g
        self._gains: dict[Unit, float] = {}
        self._assaults: dict[tuple[Unit, ...], float] = {}

    def gain(self, u: Unit) -> float:
        if u not in self._gains:
            self._gains[u] = quick_gain(self.s, u)
        return self._gains[u]

    def activation(self, units: Iterable[Unit]) -> float:
        """What these units could do together: the better of moving and attacking for each of them, roughly."""
        group = tuple(sorted(units))
        if group not in self._assaults:
            best = 0.0
            busy: set[Unit] = set()
            for a in chosen_assaults(self.s, group):
                best += self.s.w.assault * a.gain
                busy |= a.places.keys()
            rest = sorted((self.gain(u) for u in group if u not in busy), reverse=True)
            self._assaults[group] = best + sum(v * 0.9**i for i, v in enumerate(rest))
        return self._assaults[group]

    # --- plays -----------------------------------------------------------------------------------------------------

    def value(self, action: Action) -> tuple[float, str]:
        """What a play promises, and in words."""
        g = self.g
        card, command = g.charts.card(action[1]), action[2]
        match command:
            case "activate":
                return max((self.activation(corps_units(g, c)), f"{c} has most to do") for c in self.corps(card))
            case "kampfgruppe":
                return self.kampfgruppe(card)[0], f"{card.name} gathers who is needed"
            case "one_unit":
                return 0.8 * max((self.gain(u) for u in g.on_map_of(GERMAN)), default=0.0), "one unit is out of place"
            case "deploy":
                return self.deployment(card)
            case "replace":
                line = next(c for c in card.commands if c.command == "replace")
                return self.s.w.replacement * line.steps * 0.9, "its ranks must be filled"
            case "event" | "special_event":
                return self.event(card, "command" if command == "event" else "special")
        return 0.0, "no card can be played"

    def corps(self, card: Card) -> list[str]:
        return [c for c in named_corps(card) if why_not(self.g, card, c) is None]

    def deployment(self, card: Card) -> tuple[float, str]:
        """The reserves that would come: the best corps, or two."""
        g = self.g
        line = next(c for c in card.commands if c.command == "deploy")
        corps = [c for c in named_corps(card) if can_deploy(g, reserves_of(g, c))]
        found = sorted(((self.reserves(c), c) for c in corps), reverse=True)[: max(1, line.corps)]
        return sum(v for v, _ in found), f"the reserves of {' and '.join(c for _, c in found)} are wanted at the front"

    def reserves(self, corps: str) -> float:
        g = self.g
        return sum(
            self.s.w.reserve_point * g.strength(u) for u in reserves_of(g, corps) if g.box[u] == RESERVE and ends(g, u)
        )

    def kampfgruppe(self, card: Card) -> tuple[float, Hex]:
        """The best hex for the marker."""
        g = self.g
        line = next((c for c in card.commands if c.command == "kampfgruppe"), None)
        able = kampfgruppe_units(g, card)
        if line is None or not able:
            return 0.0, -1
        distance = g.map.grid.distance
        groups: dict[tuple[Unit, ...], Hex] = {}
        for h in sorted({g.place[u] for u in able}):
            if kampfgruppe_hexes(g, card, line.hexes) >> h & 1:
                group = tuple(u for u in able if distance(h, g.place[u]) <= line.hexes)
                groups.setdefault(group, h)
        return max(((self.activation(group), h) for group, h in groups.items()), key=lambda x: (x[0], -x[1]))

    def event(self, card: Card, kind: str) -> tuple[float, str]:
        """The best event of the card."""
        events = playable_events(self.g, card, kind)
        return max((event_value(self.s, e, card.formation), EVENT_REASON.get(e, OTHER_EVENT)) for e in events)


# --- targets of events -----------------------------------------------------------------------------------------------


def event_target(s: Situation, event: str, actions: list[Action]) -> Action:
    """The hex or unit an event helps or hurts most."""
    g = s.g
    units = [a for a in actions if a[0] == "replace"]
    if units:
        return max(units, key=lambda a: (worth(g, a[1]), -a[1]))
    hexes = [a for a in actions if a[0] == "target"]

    def value(a: Action) -> tuple[float, int]:
        h = a[1]
        soviets = sum(worth(g, v) for v in g.units_of(h, SOVIET))
        germans = sum(worth(g, u) for u in g.units_of(h, GERMAN))
        return (soviets + germans + s.posts.get(h, 0.0) + 0.1 * s.pressure(h), -h)

    return max(hexes, key=value)


def event_value(s: Situation, name: str, corps: str) -> float:
    """What an event is worth, in steps."""
    g = s.g
    match name:
        case "airpower":
            stacks: dict[Hex, float] = {}
            for u in g.on_map_of(GERMAN):
                if g.status[u] & UNSUPPLIED:
                    stacks[g.place[u]] = stacks.get(g.place[u], 0.0) + worth(g, u)
            return s.w.air_supply * max(stacks.values(), default=0.0)
        case "over_extended":
            return 0.9
        case "panzer_workshops":
            return s.w.replacement
        case "reorganize":
            return 0.5 * sum(bool(g.status[u] & DISPERSED) for u in corps_units(g, corps))
    return 0.5


def event_order(s: Situation, names: list[str], corps: str) -> str:
    """Which of several events."""
    return max(names, key=lambda n: (event_value(s, n, corps), n))
