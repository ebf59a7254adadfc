"""2.31, 2.22 Cards and chits as a player sees them: what each can do, and why not now."""

from __future__ import annotations

from typing import Any

from kessel.core.dice import NeedRoll, Scripted
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Action, asked, options, push
from kessel.core.view import Card, Half, Use
from kessel.games.kharkov43.board import ASIDE, AVAILABLE, DRAW, DRAWN, HAND, OUT, PILES, Board
from kessel.games.kharkov43.combat.battle import Battle
from kessel.games.kharkov43.combat.chits import examine, examined_chits, hit_totals, situations
from kessel.games.kharkov43.combat.tactics import german_words, why_not_tactic
from kessel.games.kharkov43.data.cards import Card as Printed
from kessel.games.kharkov43.data.cards import Chit
from kessel.games.kharkov43.data.forces import GERMAN, SIDES
from kessel.games.kharkov43.data.situations import HIT, hits_said, situation_said
from kessel.games.kharkov43.turn.german_activation import named_corps
from kessel.games.kharkov43.turn.german_cards import printed_line, why_not_command

RULES = {
    "activate": "5.2",
    "kampfgruppe": "5.2",
    "one_unit": "5.2",
    "deploy": "5.3",
    "replace": "5.5",
    "event": "5.4",
    "special_event": "5.4",
}
PRINTED = {"activate": "activate_corps", "event": "event"}
"""How the card itself calls a command, where that is another word."""


def cards_of(g: Board, side: int | None) -> list[Card]:
    """The hand is the German player's own. Supplementals in the draw pile or available are shown as one pile."""
    found = []
    for i, card in enumerate(g.charts.cards):
        pile = g.cards[i]
        where = PILES[pile]
        if pile == OUT:
            continue
        if card.is_german and pile in (DRAW, AVAILABLE):
            where = "draw" if card.primary else "draw or available"
        if card.is_german and side != GERMAN and where in ("hand", "draw", "draw or available"):
            where = "hidden"
        lines = [f"value {card.command_value}", *(t.replace("_", " ") for t in card.tactics_on(g.turn))]
        owner = SIDES[GERMAN] if card.is_german else SIDES[1 - GERMAN]
        made = Card(id=card.id, name=card.name, where=where, side=owner, lines=lines, value=str(card.command_value))
        if side == GERMAN and pile == HAND:
            made.about, made.uses, made.tactics = _whom(g, card), _uses(g, card), _tactics(g, card)
        found.append(made)
    return [*found, *_chits(g)]


def _whom(g: Board, card: Printed) -> str:
    units = [u for c in named_corps(card) for u in g.forces.in_formation(c)]
    here = sum(g.on_map(u) for u in units)
    if len(units) == 1:
        return f"its unit is {'on' if here else 'not on'} the map"
    return f"{here or 'none'} of its {len(units)} units on the map" if units else ""


def _uses(g: Board, card: Printed) -> list[Use]:
    """The commands printed on the card, and the one every card has; each with why it cannot be played now."""
    found = []
    for word, rule in RULES.items():
        line = printed_line(card, PRINTED.get(word, word), g.turn)
        any_event = word == "event" and printed_line(card, "any_event", g.turn) is not None
        if line is None and word != "one_unit" and not any_event:
            continue
        why = why_not_command(g, card, word)
        says = _says(g, card, word, line.hexes if line else 0, line.steps if line else 0, line.event if line else "")
        found.append(Use(word, says, rule, "" if why is None else why.reason))
    return found


def _says(g: Board, card: Printed, word: str, hexes: int, steps: int, event: str) -> str:
    if word in ("event", "special_event"):
        return g.charts.events[event].name if event in g.charts.events else "An event of your choice"
    one = len(named_corps(card)) == 1
    return {
        "activate": f"Activate {'the corps' if one else 'a corps'}: all its units move and fight",
        "kampfgruppe": f"Kampfgruppe: units within {hexes} hexes of each other move and fight",
        "one_unit": "Activate one unit, once a turn",
        "deploy": "Deploy reserves onto the map",
        "replace": f"Restore {steps} {'step' if steps == 1 else 'steps'}",
    }[word]


def _tactics(g: Board, card: Printed) -> list[Use]:
    """12.3 In a fight each with why it cannot be played now; of a card that is played as any tactic those that can."""
    b, known = next((p for p in reversed(g.stack) if isinstance(p, Battle)), None), g.charts.tactics
    printed = card.tactics_on(g.turn)
    if b is None:
        return [Use(word, known[word].name if word in known else "Any tactic", "12.3") for word in printed]
    whys = {word: why_not_tactic(g, b, card.id, word) for word in german_words(g, card)}
    found = [Use(w, known[w].name, "12.3", why.reason if why else "") for w, why in whys.items()]
    if all(word in known for word in printed):
        return found
    return [use for use in found if not use.why] or [Use("any", "Any tactic", "12.3", "none of them helps now")]


# --- chits ---------------------------------------------------------------------------------------------------------


def battle_on(g: Board) -> Battle | None:
    b = next((p for p in reversed(g.stack) if isinstance(p, Battle) and p.drawn), None)
    if b is None or not all(_faces(g, u, b.target) for u in b.attackers):
        return None
    return b if all(g.place[u] == b.target for u in b.defenders) else None


def _faces(g: Board, u: Unit, target: Hex) -> bool:
    """Whether an attacker still stands before the hex: when one of them or of the defenders is lost or has left, all is
    settled."""
    h = g.place[u]
    return g.map.is_hex(h) and g.map.grid.distance(h, target) == 1


def _chits(g: Board) -> list[Card]:
    b, found = battle_on(g), []
    for i, chit in enumerate(g.charts.chits):
        if g.chits[i] not in (ASIDE, DRAWN):
            continue
        halves = [
            Half(situation_said(w), hits_said(h))
            for w, h in ((chit.front, chit.front_hits), (chit.back, chit.back_hits))
        ]
        where = "aside" if g.chits[i] == ASIDE else "settled" if b is None else "drawn"
        made = Card(id=chit.id, name="chit", where=where, halves=halves)
        made.lines = [f"{half.when}: {half.does}" for half in halves]
        if b is not None and where == "drawn":
            _judge(g, b, chit, made)
        found.append(made)
    return found


def _judge(g: Board, b: Battle, chit: Chit, made: Card) -> None:
    """12.41 Which half counts in this combat, or why none does."""
    s = situations(g, b, len(b.drawn))
    one = examine(chit, s, b.side)
    if one.retained:
        front = one.situation in chit.front.split()
        made.halves[0 if front else 1].counts = True
    else:
        made.about = f"does not count: there is neither {made.halves[0].when} nor {made.halves[1].when}"


def hits_so_far(g: Board) -> str:
    """12.5 What the chits drawn come to, in words; empty where none are."""
    b = battle_on(g)
    if b is None:
        return ""
    totals = hit_totals(g, b, examined_chits(g, b))
    return f"{totals.defender.total} on the defender, {totals.attacker.total} on the attacker"


def in_words(g: Board, found: dict[str, Any]) -> dict[str, Any]:
    """The preview of an attack as it is read: situations and tactics by their names."""
    if "hits" in found:
        return {"chits drawn": found["chits_drawn"], **_prospect(found)}
    if "situations" not in found:
        return found
    known = g.charts.tactics
    true = [(f"{situation_said(s['situation'])}: {s['why']}", s["rule"]) for s in found["situations"]]
    holds = [{"reason": said, "rule": rule} for said, rule in true]
    named = {side: ", ".join(known[w].name for w in words) for side, words in found["tactics"].items() if words}
    return {**found, "situations": holds, "tactics": named, "prospects": [_prospect(p) for p in found["prospects"]]}


def _prospect(p: dict[str, Any]) -> dict[str, Any]:
    """What so many chits bring."""
    mean = p["expected"]
    said = f"{mean['defender_hits']:.1f} on the defender, {mean['attacker_hits']:.1f} on the attacker"
    chances = {}
    for hits, chance in p["hits"].items():
        on = dict(HIT.findall(hits))
        chances[f"{on['D']} on the defender, {on['A']} on the attacker"] = chance
    found = {"chits in all": p["chits"], "hits on average": said, "chances of hits": chances}
    if "defender" in p:
        told = {k.replace("_", " "): v for k, v in p["defender"].items()}
        found["steps lost on average"] = f"{told.pop('steps lost'):.1f}"
        found["chances that the defender"] = told
    return found


# --- before a card is played ---------------------------------------------------------------------------------------


def played(g: Board, action: Action) -> dict[str, Any]:
    """5.1 Whom a card would activate and where they could go, or whom it would bring, before it is chosen."""
    h = g.copy()
    h.dice = Scripted(())
    try:
        push(h, action)
    except NeedRoll:
        return {}
    if asked(h) != GERMAN or not h.stack:
        return {}
    units: dict[str, None] = {}
    reach: dict[str, None] = {}
    corps: list[str] = []
    for a in options(h):
        if a[0] in ("move", "strategic", "deploy", "unit", "replace"):
            units[h.id(a[1])] = None
            reach |= {h.hex_name(a[2]): None} if len(a) > 2 else {}
        elif a[0] == "kg":
            reach[h.hex_name(a[1])] = None
        elif a[0] == "corps":
            corps.append(a[1])
    found = {"units": list(units), "reach": list(reach), "corps": corps}
    return {k: v for k, v in found.items() if v}
