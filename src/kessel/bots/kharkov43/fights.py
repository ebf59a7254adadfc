"""Attacks: which are worth it, which tactics, how many chits, and how hits are taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kessel.bots.kharkov43.estimates import (
    ARMOR,
    ATTACKER_HITS,
    DEFENDER_HITS,
    FLANKED,
    SOVIET_CARD,
    WEAKENED,
    beyond_one,
    by_odds,
    hits_done,
)
from kessel.bots.kharkov43.situation import Situation, worth
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Hex
from kessel.core.procedure import Action
from kessel.games.kharkov43.board import RESERVE, Board
from kessel.games.kharkov43.combat.battle import Battle, alive
from kessel.games.kharkov43.combat.joining import german_joins, join
from kessel.games.kharkov43.combat.odds import Prospect, prospects
from kessel.games.kharkov43.combat.tactics import play_tactic, why_not_defence_card
from kessel.games.kharkov43.data.cards import Part
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET


def estimate(s: Situation, target: Hex, places: Mapping[Unit, Hex]) -> float:
    """About what an attack with these units would bring."""
    g, d = s.g, s.defended(target)
    if not d.strength:
        return 0.0
    weak, steps = d.weak, d.steps
    most = sum(2 if g.steps[u] == 3 else 1 for u in places) + weak
    drawn = max(steps, min(most, 9))
    odds, hexes = sum(g.strength(u) for u in places) / d.strength, set(places.values())
    rate = by_odds(DEFENDER_HITS, odds) / d.terrain + WEAKENED * weak
    if not d.town and is_flanked(g, hexes):
        rate += FLANKED
    if not d.armor and any(g.is_armor(u) for u in places):
        rate += ARMOR
    card = s.draws_card(target, weak, most)
    mean = max(0.1, drawn * rate - SOVIET_CARD * card)
    done = hits_done(round(mean, 1), d.spared, steps, d.hold, is_trapped(s, target, hexes), d.back)
    lost = drawn * by_odds(ATTACKER_HITS, odds) + 0.3 * SOVIET_CARD * card
    if weak:
        lost = beyond_one(lost)
    gain = done.lost * s.w.soviet_step + done.gone * d.value + done.eliminated
    gain += max(0.0, done.lost - done.gone * steps) * d.siege
    gain += s.w.dispersed * d.units * max(0.0, done.scattered - done.eliminated)
    return gain + s.w.spent_card * card - min(lost, 1 + 0.4 * max(0.0, lost - 1)) * s.w.step


def is_flanked(g: Board, hexes: set[Hex]) -> bool:
    """12.41 From three hexes, or from two that do not touch."""
    if len(hexes) < 2:
        return False
    distance = g.map.grid.distance
    return len(hexes) >= 3 or any(distance(a, b) > 1 for a in hexes for b in hexes)


def is_trapped(s: Situation, target: Hex, hexes: set[Hex]) -> bool:
    """Whether a retreat would lead next to German units, with attackers in these hexes."""
    g = s.g
    held = s.german_zoc
    for h in hexes:
        held |= g.map.grid.near[h] | 1 << h
    return not g.map.grid.near[target] & ~held & ~g.hexes_of(GERMAN)


# --- exact odds ----------------------------------------------------------------------------------------------------


def attack_value(s: Situation, b: Battle, p: Prospect) -> float:
    """What a German attack brings with that many chits, by the exact chances."""
    value, siege = s.hex_value(b.target), s.siege(b.target)
    found = s.w.spent_card * (b.soviet_card < 0 and not b.drawn and why_not_defence_card(s.g, b) is None)
    for r, chance in p.results.floats():
        gain = r.lost * (s.w.soviet_step + (0.0 if r.retreated or r.eliminated else siege))
        if r.eliminated:
            gain += value + 1.0
        elif r.retreated:
            gain += value + (s.w.dispersed * len(b.defenders) if r.retreated == 2 else 0.0)
        found += chance * gain
    steps = sum(s.g.steps[u] for u in b.attackers)
    for h, chance in p.hits.floats():
        found -= chance * s.w.step * min(steps, (0, 1, 1.5, 1.6)[h.attacker] if h.attacker < 4 else h.attacker - 1.5)
    return found


def best_draw(s: Situation, b: Battle) -> tuple[int, float]:
    """The number of chits in all that promises most, and what it promises."""
    return max(((p.chits, attack_value(s, b, p)) for p in prospects(s.g, b)), key=lambda x: (x[1], -x[0]))


def hits_cost(s: Situation, b: Battle, hits: int) -> float:
    """What so many hits on German defenders cost, taken as well as they can be."""
    g = s.g
    units = alive(g, b.defenders)
    steps = sum(g.steps[u] for u in units)
    if not hits or not units:
        return 0.0
    town = s.w.vp * g.ground.vp_value(b.target)
    stand = s.w.step * min(hits, steps) + (town + 1.0 if hits >= steps else 0.0)
    back = min(hits, 2)
    away = 0.8 * town + 0.4 + (s.w.dispersed * len(units) if back == 2 else 0.0) + s.w.step * min(steps, hits - back)
    return min(stand, away)


def defence_value(s: Situation, b: Battle) -> float:
    """What a Soviet attack brings the Germans: mostly a loss."""
    found = 0.0
    for h, chance in prospects(s.g, b)[-1].hits.floats():
        found += chance * (0.8 * s.w.soviet_step * h.attacker - hits_cost(s, b, h.defender))
    return found


def best_tactic(s: Situation, b: Battle, plays: Iterable[Action]) -> tuple[Action | None, float]:
    """The tactic that helps most, and by how much; None if no card is worth it."""
    g = s.g
    judge = _attack if b.side == GERMAN else defence_value
    now = judge(s, b)
    best: tuple[Action | None, float] = (None, 0.0)
    seen: dict[str, float] = {}
    for a in plays:
        _, card, name = a
        free = g.charts.card_index(card) == b.card
        part = g.charts.tactics[name].attack if b.side == GERMAN else g.charts.tactics[name].defence
        if part is None or (part.joins and b.side == SOVIET and not g.ground.vp_hexes >> b.target & 1):
            continue
        if name not in seen:
            h, c = g.copy(), b.copy()
            assert isinstance(c, Battle)
            play_tactic(h, c, *a[1:])
            left = bring_in(s, h, c, part) if part.joins else 0.0
            seen[name] = judge(Situation(h, s.w), c) - now - left
        gain = seen[name] - (0.0 if free else card_cost(s, card))
        if gain > best[1]:
            best = (a, gain)
    return best


def best_join(s: Situation, joins: Iterable[tuple[Unit, Hex]]) -> tuple[Unit, Hex]:
    """The strongest unit that leaves no town bare, to the best place."""
    g = s.g

    def value(x: tuple[Unit, Hex]) -> tuple[float, float, int]:
        u, h = x
        return (g.strength(u) - left_behind(s, u, h), s.stand(u, h), -u)

    return max(joins, key=value)


def left_behind(s: Situation, u: Unit, h: Hex) -> float:
    """What is lost where a unit comes from that goes to another hex."""
    here = s.g.place[u]
    others = s.strength(here) - s.g.strength(u)
    return s.post_gain(here, others, s.g.strength(u)) if h != here else 0.0


def bring_in(s: Situation, g: Board, b: Battle, part: Part) -> float:
    """Bring in the units a tactic allows, as the player will; what they leave behind."""
    origin, lost = NO_HEX, 0.0
    while joins := german_joins(g, b, part, b.side == GERMAN, origin):
        u, h = best_join(s, joins)
        origin, lost = g.place[u], lost + left_behind(s, u, h)
        join(g, b, u, h, b.side == GERMAN)
    return lost


def _attack(s: Situation, b: Battle) -> float:
    return best_draw(s, b)[1]


def card_cost(s: Situation, card: str) -> float:
    """Cards of armies command more than those of a Kampfgruppe; all are dearer while reserves wait to be deployed."""
    g = s.g
    kind = g.charts.card(card).kind
    waiting = sum(g.strength(u) for u in g.forces.of_side(GERMAN) if g.box[u] == RESERVE)
    rank = 1.5 if kind in ("army", "army_group", "manstein") else 0.9 if kind == "corps_kampfgruppe" else 1.1
    return (s.w.card + s.w.waiting * waiting) * rank


# --- hits ----------------------------------------------------------------------------------------------------------


def least_loss(g: Board, units: Iterable[Unit]) -> Unit:
    """The unit that can spare a step: not its last one, the least strength lost."""

    def cost(u: Unit) -> tuple[float, int]:
        left = g.steps[u] - 1
        after = g.forces.strength[u][left] if left else 0
        return (g.strength(u) - after + (2.5 if not left else 0.0), u)

    return min(units, key=cost)


def take_hits(s: Situation, p: Any, actions: list[Action]) -> tuple[Action, str]:
    """A hit on German defenders: stand and lose a step, or give way."""
    g = s.g
    units = alive(g, p.defenders)
    losses = [a for a in actions if a[0] == "lose"]
    retreats = [a for a in actions if a[0] == "retreat"]
    scatters = [a for a in actions if a[0] == "scatter"]
    steps, hits = sum(g.steps[u] for u in units), p.defender_hits
    town = s.w.vp * g.ground.vp_value(p.target)
    stand = s.w.step * min(hits, steps) + (town + 1.5 if hits >= steps else 0.0)
    pressure = s.pressure(p.target)
    after = sum(g.strength(u) for u in units) * max(0, steps - hits) / max(1, steps)
    if pressure > 5 * max(1.0, after):
        stand += 0.35 * town + 0.5
    best: tuple[float, Action] | None = (stand, ("lose", least_loss(g, [a[1] for a in losses]))) if losses else None
    lost = {r.path: r.losses for n in (1, 2) for r in (p.routes(g, n) if retreats else ())}
    for a in retreats:
        back = len(a[1])
        gone = max(0, hits - back) + lost.get(a[1], 0)
        cost = 0.8 * town + 0.3 + s.w.step * min(steps, gone) + (1.5 if gone >= steps else 0.0)
        cost += s.w.dispersed * len(units) if back == 2 else 0.0
        cost += place_cost(s, units, a[1][-1]) if gone < steps else 0.0
        if best is None or cost < best[0]:
            best = (cost, a)
    for a in scatters:
        cost = 0.8 * town + 0.5 + s.w.step * max(0, min(steps, hits - a[1])) + s.w.dispersed * (a[1] - 1) * len(units)
        if best is None or cost < best[0]:
            best = (cost, a)
    assert best is not None
    why = "it can hold out" if best[1][0] == "lose" else "it would be lost if it stood"
    return best[1], why


def place_cost(s: Situation, units: Iterable[Unit], h: Hex) -> float:
    """What is bad about ending a retreat there."""
    g = s.g
    cost = 0.0
    if not s.supplied >> h & 1:
        cost += 1.0
    strength = s.strength(h) + sum(g.strength(u) for u in units)
    for u in units:
        cost += 0.5 * s.danger(h, strength, u) - 0.3 * s.post_gain(h, s.strength(h), g.strength(u))
    return cost


def advance_gain(s: Situation, b: Any, u: Unit, path: tuple[Hex, ...]) -> float:
    """What an advance is worth: the town taken, the better place."""
    g = s.g
    h = path[-1]
    along = sum(sorted(g.strength(v) for v in alive(g, b.attackers) if g.place[v] != h)[-2:])
    gain = s.score(u, h, along) - s.score(u, g.place[u])
    for x in path:
        if g.towns_of(SOVIET) >> x & 1 and not g.units(x):
            gain += s.w.vp * g.ground.vp_value(x)
    if not s.supplied >> h & 1 and not s.supplied >> g.place[u] & 1:
        gain -= 0.5
    return gain - 0.05 * worth(g, u)
