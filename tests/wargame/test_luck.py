"""The luck of a game: every die is in the ledger, and what could be expected of it is exact."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from kessel.core.dice import NeedRoll, Scripted
from kessel.core.game import Game
from kessel.core.procedure import push
from kessel.core.title import titles
from kessel.games.kharkov43.data.situations import hits_said
from kessel.games.korsun44.combat.odds import result_at
from kessel.games.stalingrad42.combat.crt import column_number, tables
from kessel.wargame.luck import FIGHT, Ledger, Throw, ledger
from tests.lab.played import followed

GAMES = [t.id for t in titles().values()]


@cache
def luck(game: str) -> Ledger:
    return ledger(followed(game)[0])


def told(game: str, pattern: str) -> Iterator[tuple[Throw, re.Match[str]]]:
    for throw in luck(game).counted:
        found = re.search(pattern, throw.event["what"]) if throw.event is not None else None
        if found:
            yield throw, found


@pytest.mark.parametrize("game", GAMES)
def test_every_die_is_in_the_ledger(game: str) -> None:
    played = followed(game)[0]
    for number, entry in enumerate(played.entries, start=1):
        if entry.dice:
            assert [r for t in luck(game) if t.entry == number for r in t.dice] == list(entry.dice)
    assert [t.entry for t in luck(game)] == sorted(t.entry for t in luck(game))


@pytest.mark.parametrize("game", GAMES)
def test_chances_add_up_and_what_came_is_among_them(game: str) -> None:
    found = luck(game)
    assert len(found.counted) >= len(found) / 2
    for throw in found.counted:
        assert sum(p for p, _ in throw.falls) == 1
        assert throw.fell in [f for _, f in throw.falls]
        assert 0 < throw.chance < 1
        assert sum(p * (f.worth - throw.expected) for p, f in throw.falls) == 0


@pytest.mark.parametrize("game", GAMES)
def test_one_sides_luck_is_the_others_misfortune(game: str) -> None:
    ours, theirs = luck(game).sums()
    assert ours.luck == -theirs.luck
    assert ours.luck == sum(t.luck if t.fell and t.fell.side == 0 else -t.luck for t in luck(game).counted)
    assert ours.fights + theirs.fights + ours.checks + theirs.checks == len(luck(game).counted)
    assert ours.hits == sum(t.hits(0) for t in luck(game).counted)


@pytest.mark.parametrize("game", GAMES)
def test_reading_a_game_leaves_it_as_it_was(game: str) -> None:
    played = followed(game)[0]
    before = played.board.digest()
    luck(game)
    assert played.board.digest() == before


# --- worked by hand --------------------------------------------------------------------------------------------------


def test_an_effectiveness_check_is_passed_at_the_rating_or_less() -> None:
    """A rating of 6 on a die of ten: six chances in ten, and nothing else hangs on it but half a step."""
    found = list(told("bug41", r"(passes|fails) its check .*: (\d+)([+-]\d+)? against (\d+)"))
    assert found
    for throw, m in found:
        good = Fraction(int(m[4]) - int(m[3] or 0), 10)
        assert throw.chance == (good if m[1] == "passes" else 1 - good)
        assert throw.luck == (1 - good if m[1] == "passes" else -good) / 2


def test_an_army_wakes_on_two_dice() -> None:
    """6 or more on two dice: 26 of 36."""
    ways = {n: sum(a + b >= n for a, b in product(range(1, 7), repeat=2)) for n in range(2, 13)}
    assert ways[6] == 26
    found = list(told("don42", r"needs (\d+)\+, rolled (\d+)"))
    assert found
    for throw, m in found:
        good = Fraction(ways[int(m[1])], 36)
        assert throw.chance == (good if int(m[2]) >= int(m[1]) else 1 - good)


def test_a_die_on_the_combat_results_table() -> None:
    """Each of the six results of a column is worth the steps it takes, and half of one for a retreat."""
    played = followed("stalingrad42")[0]
    cells = tables(played.board.charts).columns  # type: ignore[attr-defined]
    found = list(told("stalingrad42", r"^die (\d) on (\S+):"))
    assert found
    for throw, m in found:
        column = cells[column_number(m[2])]
        assert throw.fell is not None
        attacker = throw.fell.side
        assert throw.expected_hits(1 - attacker) == Fraction(sum(c.defender_loss for c in column), 6)
        assert throw.expected_hits(attacker) == Fraction(sum(c.attacker_loss for c in column), 6)
        assert throw.hits(attacker) == column[int(m[1]) - 1].attacker_loss
        back = Fraction(sum(c.retreat > 0 for c in column), 12)
        assert throw.expected == throw.expected_hits(1 - attacker) - throw.expected_hits(attacker) + back


def test_of_two_dice_the_better_one_counts() -> None:
    """26.2 A Planned Offensive rolls twice and takes one: the ledger has both dice, worth what the better one is."""
    played = followed("stalingrad42")[0]
    cells = tables(played.board.charts).columns  # type: ignore[attr-defined]
    found = [t for t in luck("stalingrad42") if len(t.dice) == 2]
    assert found
    for throw in found:
        odds = next(m[1] for e in played.entries[throw.entry - 1].events if (m := re.search(r" (\d+-\d+)$", e["what"])))
        column = cells[column_number(odds)]
        worth = [Fraction(c.defender_loss - c.attacker_loss) + Fraction(c.retreat > 0, 2) for c in column]
        assert throw.expected == sum(max(a, b) for a in worth for b in worth) / 36
        assert throw.fell is not None
        assert throw.fell.worth == max(worth[r.value - 1] for r in throw.dice)


def test_two_dice_give_thirty_six_falls() -> None:
    """The German's black die and the Soviet's red one: the chance of the sum decides, armor apart."""
    g = followed("korsun44")[0].board
    found = [t for t, _ in told("korsun44", r"; black \d, red \d: ")]
    plain = [t for t in found if not any("armor" in f.result for _, f in t.falls)]
    assert plain
    for throw in plain:
        assert throw.event is not None
        column = g.charts.odds.index(throw.event["column"])  # type: ignore[attr-defined]
        ways = Counter(result_at(g, column, a + b).said for a, b in product(range(1, 7), repeat=2))  # type: ignore[arg-type]
        assert {f.result: p for p, f in throw.falls} == {r: Fraction(n, 36) for r, n in ways.items()}
    for throw in found:
        assert (throw.chance * 36).denominator == 1


def test_a_chit_is_as_likely_as_any_other_in_the_cup() -> None:
    """What was counted out, against drawing each chit of the cup in its place."""
    played = followed("kharkov43")[0]
    throw = next(t for t, _ in told("kharkov43", r"^chit: ") if not t.before)
    assert throw.fell is not None
    sides = throw.dice[0].sides
    assert all((p * sides).denominator == 1 for p, _ in throw.falls)
    entry = played.entries[throw.entry - 1]
    first = next(i for i, r in enumerate(entry.dice) if r == throw.dice[0])
    hits: dict[str, int] = {}
    for value in range(1, sides + 1):
        said = drawn(played, throw.entry - 1, [*(r.value for r in entry.dice[:first]), value])
        said = said.replace("minus ", "-")
        a, d = (re.search(rf"(-?\d+) hits? on the {who}", said) for who in ("attacker", "defender"))
        one = hits_said(f"A{a[1] if a else 0} D{d[1] if d else 0}")
        hits[one] = hits.get(one, 0) + 1
    assert {f.result: p for p, f in throw.falls} == {r: Fraction(n, sides) for r, n in hits.items()}


def drawn(played: Game, number: int, dice: list[int]) -> str:
    """What is told of the last of these dice when an action is done again with them."""
    g = played.at(number)
    g.dice, g.events = Scripted(dice), []
    with suppress(NeedRoll):
        push(g, played.entries[number].action)
    return next(
        str(e["what"]) for e in reversed(g.events) if str(e["what"]).startswith("chit") and "dark" not in e["what"]
    )


def test_two_chits_and_a_die_are_counted_out() -> None:
    """Twelve chits for the attacker, the eleven left for the defender, ten faces: 1320 ways."""
    found = [t for t in luck("bug41").counted if t.fell and t.fell.kind == FIGHT and len(t.dice) == 3]
    assert found
    for throw in found:
        ways = 1
        for r in throw.dice:
            ways *= r.sides
        assert ways == 12 * 11 * 10
        assert all((p * ways).denominator == 1 for p, _ in throw.falls)
