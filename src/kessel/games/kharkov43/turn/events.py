"""5.4 German event commands, and what events of both sides have in common: who qualifies and what happens.

An event of the pack lists words its candidates must satisfy; each word is one predicate here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.procedure import AGAIN, Action, Out, Procedure, auto
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.kharkov43.board import DISPERSED, FORWARD_SUPPORT, Board
from kessel.games.kharkov43.combat.improved_positions import place_ip, why_not_ip
from kessel.games.kharkov43.data.cards import Card, Event
from kessel.games.kharkov43.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.kharkov43.supply.supply import air_resupply, can_trace
from kessel.games.kharkov43.supply.support import is_in_support
from kessel.games.kharkov43.turn.replacements import give_step, why_not_replace

Predicate = Callable[[Board, Unit, str], bool]


def _outside(g: Board, u: Unit, formation: str) -> bool:
    h = g.place[u]
    return not is_in_support(g, h) or not can_trace(g, h, SOVIET, reserve=True)


PREDICATES: dict[str, Predicate] = {
    "german_unit": lambda g, u, f: g.forces.side[u] == GERMAN,
    "german_unit_of_corps": lambda g, u, f: g.forces.formation[u] == f,
    "soviet_unit": lambda g, u, f: g.forces.side[u] == SOVIET,
    "soviet_unit_of_front": lambda g, u, f: g.forces.side[u] == SOVIET and f in ("", g.forces.higher[u]),
    "unit_supplied": lambda g, u, f: g.is_supplied(u),
    "unit_unsupplied": lambda g, u, f: not g.is_supplied(u),
    "unit_dispersed": lambda g, u, f: g.is_dispersed(u),
    "unit_undispersed": lambda g, u, f: not g.is_dispersed(u),
    "unit_mechanized": lambda g, u, f: g.is_mech(u),
    "one_step_left_of_more": lambda g, u, f: g.steps[u] == 1 < g.forces.full_steps[u],
    "replacement_allowed": lambda g, u, f: why_not_replace(g, u) is None,
    "ip_allowed": lambda g, u, f: why_not_ip(g, g.place[u], g.forces.side[u]) is None,
    "not_vp_hex": lambda g, u, f: not g.ground.vp_hexes >> g.place[u] & 1,
    "hex_woods_town_or_city": lambda g, u, f: g.map.terrain[g.place[u]] in ("woods", "town", "city"),
    "hex_in_support": lambda g, u, f: is_in_support(g, g.place[u]),
    "hex_outside_support": lambda g, u, f: not is_in_support(g, g.place[u]),
    "hex_in_reserve_supply": lambda g, u, f: can_trace(g, g.place[u], SOVIET, reserve=True),
    "hex_outside_support_or_reserve_supply": _outside,
}
"""A unit on the map, and the corps or front of the card."""


def candidates(g: Board, event: Event, formation: str = "") -> list[Unit]:
    """The units on the map that satisfy every word of the event."""
    units: Sequence[Unit] = sorted((*g.on_map_of(GERMAN), *g.on_map_of(SOVIET)))
    for word in event.candidates:
        test = PREDICATES[word]
        units = [u for u in units if test(g, u, formation)]
    return list(units)


def candidate_hexes(g: Board, event: Event, formation: str = "") -> list[Hex]:
    return sorted({g.place[u] for u in candidates(g, event, formation)})


def disperse_hex(g: Board, h: Hex, side: int, rule: str = "12.9") -> None:
    """12.9 Every unit of that side in the hex becomes dispersed."""
    for u in g.units_of(h, side):
        if not g.is_dispersed(u):
            g.set_status(u, DISPERSED)
            g.tell(f"{g.name(u)} is dispersed", rule, unit=g.id(u))


# --- 5.4 German events ---------------------------------------------------------------------------------------------


def why_not_event(g: Board, card: Card, event: Event) -> Refusal | None:
    """5.4 Why the event can't be played now."""
    if event.side != SIDES[GERMAN]:
        return Refusal("5.4", f"{event.name} is not a German event")
    if not event.valid(g.turn):
        return Refusal("5.4", f"{event.name} is not valid on game-turn {g.turn}")
    if event.action == "remove_marker":
        able = bool(g.forward_support)
    else:
        able = len(candidates(g, event, card.formation)) >= max(1, event.minimum)
    return None if able else Refusal("5.4", f"{event.name} needs {event.needs}")


def playable_events(g: Board, card: Card, kind: str) -> list[str]:
    """5.4 The events of a kind (command, special) the card may be played for now.

    A card lists its own; Army, Army Group South and Von Manstein cards may be played as any command event, but never
    as a special event.
    """
    listed = {"command": "event", "special": "special_event"}[kind]
    found = [c.event for c in card.commands if c.command == listed and c.valid(g.turn)]
    if kind == "command" and any(c.command == "any_event" and c.valid(g.turn) for c in card.commands):
        found += [e.id for e in g.charts.events.values() if e.kind == "command" and e.side == SIDES[GERMAN]]
    return [e for e in dict.fromkeys(found) if why_not_event(g, card, g.charts.events[e]) is None]


def why_not_listed_event(g: Board, card: Card, kind: str) -> Refusal:
    """5.4 Why none of the events of that kind can be played with the card."""
    listed = {"command": "event", "special": "special_event"}[kind]
    for c in card.commands:
        if c.command == listed:
            event = g.charts.events[c.event]
            late = Refusal("5.4", f"{event.name} is not valid on game-turn {g.turn}")
            return late if not c.valid(g.turn) else why_not_event(g, card, event) or late
    if kind == "command" and any(c.command == "any_event" for c in card.commands):
        return Refusal("5.4", "no command event can be played now")
    return Refusal("5.4", f"{card.name} lists no {kind} event")


@dataclass(slots=True)
class PlayEvent(Procedure):
    """5.4 Carry out a German event."""

    card: int
    kind: str
    event: str = ""
    left: int = 0
    german: int = GERMAN

    def what(self, g: Board) -> Event:
        return g.charts.events[self.event]

    which = Choice("german", "5.4", "Choose the event.")

    def playable(self, g: Board) -> list[str]:
        return playable_events(g, g.charts.cards[self.card], self.kind)

    def why_not_choose(self, g: Board, event: str) -> Refusal | None:
        if event not in g.charts.events:
            return NOT_NOW
        if event in self.playable(g):
            return None
        card, it = g.charts.cards[self.card], g.charts.events[event]
        return why_not_event(g, card, it) or Refusal("5.4", f"{card.name} can't be played for {it.name}")

    @which.verb("event", legal=lambda p, g: p.playable(g), why_not=why_not_choose)
    def choose(self, g: Board, event: str) -> Out:
        self.event = event
        self.left = self.times(g)
        g.tell(f"{self.what(g).name}: {self.what(g).effect}", "5.4", event=self.event)
        return None

    def times(self, g: Board) -> int:
        """How often the event is carried out."""
        event = self.what(g)
        return max(1, event.hexes or event.steps or event.count)

    @auto("5.4")
    def for_all(self, g: Board) -> Out:
        """Reorganize: every candidate, without a choice."""
        if self.what(g).action != "remove_dispersed":
            return None
        for u in candidates(g, self.what(g), g.charts.cards[self.card].formation):
            g.set_status(u, DISPERSED, False)
            g.tell(f"{g.name(u)} is no longer dispersed", "5.4", unit=g.id(u))
        self.left = 0
        return None

    target = Choice(
        "german",
        "5.4",
        "Choose the event's target.",
        says="Choose nothing more",
        when=lambda p, g: bool(p.targets(g)),
        every=lambda p, g: p.targets(g),
        otherwise=lambda p, g: p.why_not(g),
    )

    def targets(self, g: Board) -> list[Action]:
        if not self.left:
            return []
        event = self.what(g)
        if event.action == "remove_marker":
            return [("target", h) for h in members(g.forward_support)]
        formation = g.charts.cards[self.card].formation
        if event.action == "replace_step":
            return [("replace", u) for u in candidates(g, event, formation)]
        return [("target", h) for h in candidate_hexes(g, event, formation)]

    def why_not(self, g: Board, *action: Any) -> Refusal | None:
        return None if action in self.targets(g) else Refusal("5.4", f"it does not qualify: {self.what(g).effect}")

    @target.verb("pass", why_not=lambda p, g: NOT_NOW if p.left == p.times(g) else None)
    def enough(self, g: Board) -> Out:
        return None

    @target.verb("replace", why_not=lambda p, g, u: p.why_not(g, "replace", u))
    def replace(self, g: Board, u: Unit) -> Out:
        give_step(g, u)
        self.left -= 1
        return AGAIN

    @target.verb("target", why_not=lambda p, g, h: p.why_not(g, "target", h))
    def carry_out(self, g: Board, h: Hex) -> Out:
        match self.what(g).action:
            case "disperse":
                disperse_hex(g, h, SOVIET)
            case "remove_marker":
                g.mark(h, FORWARD_SUPPORT, False)
                g.tell(f"the Forward Support marker in {g.hex_name(h)} is removed", "13.54")
            case "place_ip":
                place_ip(g, h, "14.21")
            case "restore_supply":
                air_resupply(g, h, GERMAN)
        self.left -= 1
        return AGAIN
