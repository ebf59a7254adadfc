"""12.3 Combat tactics: when a tactic helps, where Soviet tactics come from, and how the German player plays his.

What a tactic does is data (`Tactic`, `Part`); its numbers are read where they count: strength in `battle`, chits and
hits in `chits`, retreat in `retreat`, advance in `advance`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.hexset import within
from kessel.core.procedure import Action
from kessel.core.verbs import NOT_NOW
from kessel.games.kharkov43.board import AUXILIARY, DISPERSED, HAND, IN_PLAY, OFF_MAP, UNSUPPLIED, Board
from kessel.games.kharkov43.combat.battle import Battle, is_supported, part_of
from kessel.games.kharkov43.combat.chits import why_it_is_weak, why_it_overwhelms
from kessel.games.kharkov43.combat.improved_positions import place_ip, remove_ip, why_not_ip
from kessel.games.kharkov43.combat.joining import soviet_units_join, why_not_joinable
from kessel.games.kharkov43.combat.strengths import is_in_barrage_zone
from kessel.games.kharkov43.data.cards import Card, Part, Tactic
from kessel.games.kharkov43.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.kharkov43.system.cards.soviet_deck import NO_CARD, draw_tactic_card
from kessel.games.kharkov43.turn.piles import german_pile, soviet_pile

WILD = "any"
ARTILLERY = "artillery"

# --- 12.3, 12.31 when a tactic helps ---------------------------------------------------------------------------------


def kind_of(tactic: Tactic) -> str:
    """Fixed Artillery counts as Artillery."""
    return tactic.counts_as or tactic.id


def is_applied(g: Board, b: Battle, tactic: Tactic, attacking: bool) -> bool:
    applied = b.tactics if attacking else b.counter
    return kind_of(tactic) in (kind_of(g.charts.tactics[t]) for t in applied)


def can_add_up(part: Part) -> bool:
    """12.3 A second tactic of the same kind helps only if it adds something to the first."""
    return bool(part.strength or part.own or part.enemy or part.joins)


def why_not_benefit(g: Board, b: Battle, name: str, attacking: bool) -> Refusal | None:
    """12.3, 12.31 Why a tactic gives that side of the combat nothing but, perhaps, a chit."""
    tactic, side = g.charts.tactics[name], b.side if attacking else b.defender_side
    rule = "12.31" if side == SOVIET else "12.3"
    if SIDES[side] not in tactic.sides:
        return Refusal(rule, f"{tactic.name} is not a {SIDES[side].capitalize()} tactic")
    part = part_of(tactic, attacking)
    if part is None or part.only not in ("", SIDES[side]):
        role = "attack" if attacking else "defence"
        return Refusal(rule, f"{tactic.name} never helps a {SIDES[side].capitalize()} {role}")
    if part.terrain and g.map.terrain[b.target] not in part.terrain:
        return Refusal(rule, f"{tactic.name} helps only against {', '.join(part.terrain)}")
    if tactic.range and (refusal := why_not_in_range(g, b)):
        return refusal
    if is_applied(g, b, tactic, attacking) and (side == SOVIET or not can_add_up(part)):
        return Refusal(rule, f"{g.charts.tactics[kind_of(tactic)].name} is applied already")
    if part.places_ip and (refusal := why_not_ip(g, b.target, side)):
        return refusal
    if part.joins:
        return why_not_joinable(g, b, tactic, part, attacking)
    return None


def why_not_in_range(g: Board, b: Battle) -> Refusal | None:
    """12.31 Fixed Artillery reaches so many hexes beyond the artillery line as the calendar says."""
    far = g.charts.calendar[g.turn].far
    if within(g.map.grid, g.ground.east_zone, far) >> b.target & 1:
        return None
    return Refusal("12.31", f"{g.hex_name(b.target)} is more than {far} hexes beyond the artillery line")


def apply_tactic(g: Board, b: Battle, name: str, attacking: bool, why: str, rule: str = "12.3") -> None:
    """12.3 The tactic counts from now on. Improved positions are placed or removed at once, Soviet units join."""
    tactic = g.charts.tactics[name]
    part = part_of(tactic, attacking)
    side = b.side if attacking else b.defender_side
    if attacking:
        b.tactics = (*b.tactics, name)
    else:
        b.counter = (*b.counter, name)
    role = "attack" if attacking else "defence"
    g.tell(f"{tactic.name} is applied to the {SIDES[side].capitalize()} {role}: {why}", rule, tactic=name)
    if part is None:
        return
    if part.removes_ip:
        remove_ip(g, b.target, "14.24")
    if part.places_ip:
        place_ip(g, b.target, "14.21")
    if part.joins and side == SOVIET:
        soviet_units_join(g, b, tactic, part, attacking)


# --- 12.3 Soviet attack: four sources --------------------------------------------------------------------------------


class Source(NamedTuple):
    tactic: str
    why: str
    rule: str


def standing_tactics(g: Board, b: Battle) -> Iterator[Source]:
    """12.35, 12.36 What every Soviet attack gets: barrage on game-turns 1 and 2, NKVD in a STAVKA activation."""
    if is_in_barrage_zone(g, b.target):
        yield Source(ARTILLERY, "Soviet artillery barrage", "12.36")
    card = g.charts.cards[b.card] if b.card >= 0 else None
    if card is None or card.is_german or not card.activation_tactic:
        return
    if g.reads("stavka_nkvd") == "every_attack" or is_supported(g, b):
        yield Source(card.activation_tactic, f"activated by {card.name}", "12.35")


def apply_standing_tactics(g: Board, b: Battle) -> None:
    """12.3 The first two sources. A17: they count for overwhelming attacks too, with their chits."""
    if g.reads("overwhelming_tactics") == "none" and why_it_overwhelms(g, b):
        return
    for source in standing_tactics(g, b):
        if not is_applied(g, b, g.charts.tactics[source.tactic], True):
            apply_tactic(g, b, source.tactic, True, source.why, source.rule)


def why_not_soviet_tactics(g: Board, b: Battle) -> Refusal | None:
    """12.3 Cards are drawn and auxiliary tactics applied only in supported attacks that are not overwhelming."""
    if why := why_it_overwhelms(g, b):
        return why
    if not is_supported(g, b):
        return Refusal("13.52", "all attacking and defending units are outside Soviet support")
    return None


def draw_attack_card(g: Board, b: Battle) -> None:
    """12.3 The third source: a card drawn. Each tactic on it gives a chit, even if it helps nothing else."""
    if why := why_not_soviet_tactics(g, b):
        g.tell(f"no card is drawn: {why.reason}", why.rule)
        return
    b.soviet_card = draw_tactic_card(g)
    if b.soviet_card == NO_CARD:
        return
    card = g.charts.cards[b.soviet_card]
    for name in card.tactics_on(g.turn):
        if refusal := why_not_benefit(g, b, name, True):
            b.idle = (*b.idle, name)
            g.tell(f"{g.charts.tactics[name].name} gives a chit only: {refusal.reason}", "12.3", tactic=name)
        else:
            apply_tactic(g, b, name, True, f"drawn with {card.id}")


def why_not_auxiliary(g: Board, b: Battle) -> Refusal | None:
    """12.31 Why the auxiliary card's tactics are not applied to this attack: all of them must help it."""
    boxed = soviet_pile(g, AUXILIARY)
    if not boxed:
        return Refusal("12.31", "no card is in the auxiliary box")
    card = g.charts.cards[boxed[0]]
    names = card.tactics_on(g.turn)
    if not names:
        return Refusal("12.31", f"{card.id} lists no combat tactic")
    if why := why_not_soviet_tactics(g, b):
        return why
    drawn = g.charts.cards[b.soviet_card].tactics_on(g.turn) if b.soviet_card != NO_CARD else ()
    for name in names:
        if name in drawn:
            return Refusal("12.31", f"{g.charts.tactics[name].name} is on the card drawn for this attack")
        if refusal := why_not_benefit(g, b, name, True):
            return refusal
    return None


def apply_auxiliary(g: Board, b: Battle) -> None:
    """12.31 The fourth source."""
    boxed = soviet_pile(g, AUXILIARY)
    if not boxed:
        return
    card = g.charts.cards[boxed[0]]
    if why := why_not_auxiliary(g, b):
        g.tell(f"the tactics of the auxiliary card {card.id} are not applied: {why.reason}", "12.31", card=card.id)
        return
    b.auxiliary = boxed[0]
    for name in card.tactics_on(g.turn):
        apply_tactic(g, b, name, True, f"auxiliary card {card.id}", "12.31")


# --- 12.3 German attack: the Soviet card -----------------------------------------------------------------------------


def why_not_defence_card(g: Board, b: Battle) -> Refusal | None:
    """12.3, 12.39 Why no Soviet card is drawn against a German attack."""
    if why := why_it_is_weak(g, b):
        return why
    if not is_supported(g, b):
        return Refusal("13.52", "the defending units are outside Soviet support")
    if all(g.status[u] & (DISPERSED | UNSUPPLIED) for u in b.defenders):
        return Refusal("12.3", "all defending units are dispersed or unsupplied")
    return None


def draw_defence_card(g: Board, b: Battle) -> None:
    """12.3 One Soviet card against a German attack; its tactics are applied if they help the defence."""
    if why := why_not_defence_card(g, b):
        g.tell(f"no Soviet card is drawn: {why.reason}", why.rule)
        return
    b.soviet_card = draw_tactic_card(g)
    if b.soviet_card == NO_CARD:
        return
    card = g.charts.cards[b.soviet_card]
    for name in card.tactics_on(g.turn):
        if refusal := why_not_benefit(g, b, name, False):
            g.tell(f"{g.charts.tactics[name].name} does not help: {refusal.reason}", "12.3", tactic=name)
        else:
            apply_tactic(g, b, name, False, f"drawn with {card.id}")


# --- 12.3, 12.33, 12.34 German tactics -------------------------------------------------------------------------------


def why_not_german_tactics(g: Board, b: Battle) -> Refusal | None:
    """12.3, 12.9, 13.21 At least one German unit in the combat must be supplied and undispersed."""
    units = b.attackers if b.side == GERMAN else b.defenders
    if any(not g.status[u] & (DISPERSED | UNSUPPLIED) for u in units):
        return None
    return Refusal("12.3", "no German unit in this combat is supplied and undispersed")


def german_words(g: Board, card: Card) -> list[str]:
    """12.33 The tactics a German card may be played as; a wild card as any of them."""
    return _spelled_out(g, card.tactics_on(g.turn))


def _spelled_out(g: Board, words: Iterable[str]) -> list[str]:
    found: list[str] = []
    for word in words:
        found += [t.id for t in g.charts.tactics.values() if SIDES[GERMAN] in t.sides] if word == WILD else [word]
    return list(dict.fromkeys(found))


def bonus_words(g: Board, b: Battle) -> list[str]:
    """12.34 Every attack of a Von Manstein activation gets one tactic of the player's choice."""
    if b.side != GERMAN or b.bonus_used or b.card < 0 or not g.charts.cards[b.card].activation_tactic:
        return []
    return _spelled_out(g, [g.charts.cards[b.card].activation_tactic])


def tactic_plays(g: Board, b: Battle) -> list[Action]:
    """All tactics the German player may play now: `tactic CARD TACTIC`."""
    if why_not_german_tactics(g, b):
        return []
    found: list[Action] = []
    if bonus := bonus_words(g, b):
        found += [("tactic", g.charts.cards[b.card].id, t) for t in bonus]
    for i in german_pile(g, HAND):
        card = g.charts.cards[i]
        found += [("tactic", card.id, t) for t in german_words(g, card)]
    helps = {t: why_not_benefit(g, b, t, b.side == GERMAN) is None for t in {a[2] for a in found}}
    return [a for a in found if helps[a[2]]]


def why_not_tactic(g: Board, b: Battle, name: str, tactic: str) -> Refusal | None:
    """Why that tactic can't be played with that card now."""
    if name not in g.charts.card_ids or tactic not in g.charts.tactics:
        return NOT_NOW
    if refusal := why_not_german_tactics(g, b):
        return refusal
    i = g.charts.card_index(name)
    card = g.charts.cards[i]
    if i == b.card and g.cards[i] != HAND:
        if b.bonus_used:
            return Refusal("12.34", "the attack has had its tactic of this activation")
        words = bonus_words(g, b)
        if not words:
            return Refusal("12.34", f"{card.name} gives its attacks no tactic")
    elif g.cards[i] != HAND:
        return Refusal("12.3", f"{card.id} is not in your hand")
    else:
        words = german_words(g, card)
    if tactic not in words:
        return Refusal("12.3", f"{card.id} can't be played as {g.charts.tactics[tactic].name}")
    return why_not_benefit(g, b, tactic, b.side == GERMAN)


def play_tactic(g: Board, b: Battle, name: str, tactic: str) -> None:
    """12.3 The card is played; it is discarded after the combat. The activating card only lends its bonus (12.34)."""
    i = g.charts.card_index(name)
    card = g.charts.cards[i]
    if g.cards[i] == HAND:
        b.played = (*b.played, i)
        g.cards[i] = IN_PLAY
        g.happened(OFF_MAP)
        why, rule = f"{card.name} ({card.id}) is played", "12.3"
    else:
        b.bonus_used = True
        why, rule = f"activated by {card.name}", "12.34"
    apply_tactic(g, b, tactic, b.side == GERMAN, why, rule)
