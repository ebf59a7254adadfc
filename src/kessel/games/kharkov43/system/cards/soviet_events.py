"""8.11 Soviet events: when each can happen, on whom it falls, what it does."""

from __future__ import annotations

from collections.abc import Callable

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import bits, members, within
from kessel.games.kharkov43.board import DISPERSED, DRAW, FORWARD_SUPPORT, HAND, ISOLATED, OFF_MAP, Board
from kessel.games.kharkov43.combat.improved_positions import place_ip
from kessel.games.kharkov43.data.cards import Card, Event
from kessel.games.kharkov43.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.kharkov43.movement.proximity import is_german_proximate
from kessel.games.kharkov43.supply.garrisons import place_garrisons
from kessel.games.kharkov43.supply.supply import air_resupply
from kessel.games.kharkov43.supply.support import supported
from kessel.games.kharkov43.system.soviet_positions import position_preferences
from kessel.games.kharkov43.system.terms.choosing import (
    Choice,
    Preference,
    choose,
    highest_number,
    least,
    lowest_number,
    most,
    those,
)
from kessel.games.kharkov43.system.terms.terminology import beside
from kessel.games.kharkov43.turn.events import candidates, disperse_hex
from kessel.games.kharkov43.turn.piles import german_pile


def event_front(card: Card, event: Event) -> str:
    """The front an event is for: its own, or the card's; empty for either."""
    return event.front or card.front


# --- 8.11 can it happen ----------------------------------------------------------------------------------------------


def why_not_soviet_event(g: Board, card: Card, event: Event) -> Refusal | None:
    """8.11 Why the event is not conducted: not valid on the game-turn, or excluded by the situation."""
    if event.side != SIDES[SOVIET]:
        return Refusal("8.11", f"{event.name} is not a Soviet event")
    if not event.valid(g.turn):
        return Refusal("8.11", f"{event.name} is not valid on game-turn {g.turn}")
    return None if _able(g, card, event) else Refusal("8.11", f"{event.name} needs {event.needs}")


def _able(g: Board, card: Card, event: Event) -> bool:
    match event.action:
        case "return_hand_card":
            return bool(german_pile(g, HAND) and german_pile(g, DRAW))
        case "place_garrisons":
            return bool(place_garrisons(g.copy(), event.front))
        case "place_marker":
            return g.forward_support.bit_count() < event.most_on_map and bool(_hexes(g, card, event))
        case "place_ip":
            near = bits(h for h in members(_hexes(g, card, event)) if is_german_proximate(g, h, supplied_only=True))
            return bool(near)
        case "remove_dispersed":
            return len(_units(g, card, event)) >= event.minimum
    return bool(_hexes(g, card, event))


def _units(g: Board, card: Card, event: Event) -> list[Unit]:
    return candidates(g, event, event_front(card, event))


def _hexes(g: Board, card: Card, event: Event) -> Bits:
    return bits(g.place[u] for u in _units(g, card, event))


# --- 8.3 on whom -----------------------------------------------------------------------------------------------------


def _brought_into_support(g: Board, event: Event) -> Callable[[Hex], int]:
    outside = [g.place[u] for u in g.on_map_of(SOVIET) if not supported(g) >> g.place[u] & 1]
    far = g.charts.constants.forward_support_range

    def count(h: Hex) -> int:
        zone = within(g.map.grid, 1 << h, far)
        return sum(zone >> p & 1 for p in outside)

    return count


def _to_front_objective(g: Board, front: str) -> Callable[[Hex], int | None]:
    """Closest to the objective marker of the units' own front, if it is in play."""

    def away(h: Hex) -> int | None:
        fronts = {g.forces.higher[u] for u in g.units_of(h, SOVIET)} & ({front} if front else set(g.forces.higher))
        found = [g.ground.distances(o)[h] for f in fronts if (o := g.objective_of(f)) != NO_HEX]
        return min(found, default=None)

    return away


def preferences(g: Board, card: Card, event: Event) -> tuple[Preference, ...]:
    """8.3 The event's preferences, by the words of the pack."""
    side = GERMAN if event.action == "disperse" else SOVIET
    by_9_7 = dict(
        zip(("supplied_german_adjacent", "supplied_german_proximate"), position_preferences(g, ""), strict=False)
    )

    def one(letter: str, word: str) -> Preference:
        rule = f"8.3{letter}"
        match word:
            case "most_units_brought_into_support":
                return most(rule, "most units brought into support", _brought_into_support(g, event))
            case "vp_hex":
                return those(rule, "a VP hex", lambda: g.ground.vp_hexes)
            case "closest_to_front_objective":
                return least(rule, "closest to the front objective", _to_front_objective(g, event_front(card, event)))
            case "isolated":
                isolated = bits(g.place[u] for u in g.on_map_of(side) if g.status[u] & ISOLATED)
                return those(rule, "isolated", lambda: isolated)
            case "most_steps":
                return most(rule, "most steps", g.steps_in)
            case "fewest_steps":
                return least(rule, "fewest steps", g.steps_in)
            case "adjacent_to_soviet_unit":
                return those(rule, "beside a Soviet unit", lambda: beside(g, g.hexes_of(SOVIET)))
            case "least_strength":
                return least(rule, "the least strength", lambda h: g.strength_in(h, side))
            case "highest_hex":
                return highest_number(g, rule)
            case "lowest_hex":
                return lowest_number(g, rule)
        found = by_9_7[word]
        return Preference(rule, found.what, found.keep)

    return tuple(one("abcdefgh"[i], word) for i, word in enumerate(event.prefer))


def event_choice(g: Board, card: Card, event: Event) -> Choice:
    return choose(_hexes(g, card, event), preferences(g, card, event))


# --- what it does ----------------------------------------------------------------------------------------------------


def conduct_event(g: Board, card: Card, event: Event) -> None:
    """8.11 Carry the event out."""
    g.tell(f"{event.name}: {event.effect}", "8.11", event=event.id, card=card.id)
    match event.action:
        case "return_hand_card":
            _delay_command(g)
        case "place_garrisons":
            place_garrisons(g, event.front)
        case "remove_dispersed":
            for u in _units(g, card, event):
                g.set_status(u, DISPERSED, False)
                g.tell(f"{g.name(u)} is no longer dispersed", "8.11", unit=g.id(u))
        case _:
            for _ in range(max(1, event.hexes)):
                found = event_choice(g, card, event)
                if found.hex == NO_HEX:
                    break
                _act_on(g, event, found)


def _delay_command(g: Board) -> None:
    hand = german_pile(g, HAND)
    i = hand[g.dice.pick(len(hand))]
    g.cards[i] = DRAW
    g.happened(OFF_MAP)
    card = g.charts.cards[i]
    g.tell(f"{card.name} ({card.id}) goes from the German hand back to the draw pile", "8.11", card=card.id)


def _act_on(g: Board, event: Event, found: Choice) -> None:
    h = found.hex
    if g.events is not None:
        g.tell(f"{event.name} in {g.ground.name(h)}", "8.11", hex=g.hex_name(h), trace=found.as_json(g))
    match event.action:
        case "place_marker":
            g.mark(h, FORWARD_SUPPORT)
        case "restore_supply":
            air_resupply(g, h, SOVIET)
        case "disperse":
            disperse_hex(g, h, GERMAN)
        case "place_ip":
            place_ip(g, h, "14.21")
