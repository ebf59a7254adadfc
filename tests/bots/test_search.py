"""The player that looks ahead: the choice between plans, trials that play alike, a plan that travels with the seat."""

from __future__ import annotations

import random
from functools import cache

import msgspec
import pytest

from kessel.bots import Planner, decide, player
from kessel.bots.don42.domain import DOMAIN
from kessel.bots.search.choice import Chosen, Halving
from kessel.bots.search.plans import PLAIN, Order, Plan, join, orders_of
from kessel.bots.search.player import SearchPlayer, in_words, plans_for
from kessel.bots.search.trials import KeyedDice, Trial
from kessel.bots.stalingrad42.domain import DOMAIN as STALINGRAD
from kessel.core import snapshot
from kessel.core.board import Board
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import asked, legal, push
from kessel.core.title import title
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.stalingrad42.data.forces import AXIS
from kessel.games.stalingrad42.data.forces import SOVIET as SOVIETS
from kessel.table.worker import Task
from kessel.table.worker import decide as work
from tests.games.stalingrad42.test_34_maskirovka import ARMY, INSIDE, phase

HERON = title("don42")


def order(formation: str, script: str = "storm") -> Order:
    return Order(formation, script, (("risk", 0.1),), f"{formation or 'everybody'} {script}s")


def plans(n: int) -> list[Plan]:
    return [(order(f"{i}A"),) for i in range(n)]


def trials(true: dict[Plan, float], noise: float, seed: int, most: int) -> tuple[Halving, list[tuple[Plan, int]]]:
    """Values with a known mean: luck common to all plans, and some of each."""
    luck, own, asked_for = random.Random(seed), random.Random(seed + 1), []
    common = [luck.gauss(0, 50) for _ in range(500)]

    def value(plan: Plan, salt: int) -> float:
        asked_for.append((plan, salt))
        return common[salt] + true.get(plan, 0.0) + own.gauss(0, noise)

    return Halving(value, lambda n: len(asked_for) + n <= most, caution=1.0), asked_for


def test_the_better_plan_is_found_through_the_common_luck() -> None:
    several = plans(6)
    hits = 0
    for seed in range(30):
        search, _ = trials({several[4]: 12.0}, 6.0, seed, 60)
        hits += search.run(several, 6).plan[:1] == several[4]
    assert hits >= 24


def test_plain_stays_where_nothing_is_better() -> None:
    """Among equals PLAIN is kept in most cases, though the best of six looks better every time."""
    kept = 0
    for seed in range(40):
        search, _ = trials({}, 6.0, seed, 60)
        kept += search.run(plans(6), 6).plan == PLAIN
    assert kept >= 14
    worse = dict.fromkeys(plans(6), -15.0)
    for seed in range(20):
        assert trials(worse, 6.0, seed, 60)[0].run(plans(6), 6).plan == PLAIN


def test_a_lead_that_is_sure_but_small_changes_nothing() -> None:
    """Where trials hardly differ, errors are small too: a plan must also lead by what is worth a change."""
    first, *_ = several = plans(4)
    for lead, chosen in ((1.5, PLAIN), (4.0, first)):
        search, _ = trials({first: lead}, 0.01, 3, 60)
        search.least = 2.0
        assert search.run(several, 4).plan == chosen


@pytest.mark.parametrize("most", [0, 1, 5, 7, 20, 41])
def test_no_round_is_begun_that_cannot_end(most: int) -> None:
    several = plans(6)
    search, asked_for = trials({several[0]: 30.0}, 1.0, 1, most)
    search.run(several, 6)
    assert len(asked_for) <= most
    salts = {salt for _, salt in asked_for}
    for plan in {p for p, _ in asked_for}:
        had = sorted(s for p, s in asked_for if p == plan)
        assert had == list(range(len(had))), "it had all rounds up to when it was dropped"
    assert sorted(s for p, s in asked_for if p == PLAIN) == sorted(salts)


def test_where_the_choice_is_sure_trials_are_saved() -> None:
    first, *others = several = plans(6)
    for lead, chosen in ((20.0, first), (-20.0, PLAIN)):
        search, asked_for = trials({**dict.fromkeys(others, -20.0), first: lead}, 0.5, 2, 200)
        assert search.run(several, 6).plan == chosen
        assert len(asked_for) < 40
    used = []
    for seed in range(10):
        search, asked_for = trials({first: 1.0}, 5.0, seed, 200)
        search.run(several, 6)
        used.append(len(asked_for))
    assert sum(n == 200 for n in used) >= 7, "here little is sure"


def test_orders_are_joined_by_formation() -> None:
    a, b, again = (order("62A"),), (order("64A", "hold"),), (order("62A", "careful"),)
    assert join([a, b, again]) == (*a, *b)
    assert join([(order(""),), a]) == (order(""),)
    assert join([a, (order(""),)]) == a
    assert orders_of((order(""), order("62A"))) == {None: {"risk": 0.1}, "62A": {"risk": 0.1}}


def test_words_name_what_is_wanted_and_what_was_rejected() -> None:
    assert in_words(Chosen()) == ""
    assert in_words(Chosen(PLAIN, 0.0, 5)) == "No plan did better than going on as usual."
    told = in_words(Chosen((order("62A", "hold"),), 11.6, 7, [((order("64A"),), 2.0, 3), ((order(""),), -4.2, 1)]))
    assert told == (
        "62A holds: +12 Victory Points against going on as usual, in 7 trials. Rejected: everybody storms (-4)."
    )


# --- with Strike of the Heron ----------------------------------------------------------------------------------------


@cache
def soviet_turn() -> Board:
    """A board at which the Soviets begin a turn."""
    g = Game.new("don42", "crossing-the-don", seed=4).board
    g.events = None
    programs = {side: player("don42", "greedy", side) for side in HERON.played}
    while g.turn < 4 or asked(g) != SOVIET or DOMAIN.moment(g, SOVIET) is None:
        push(g, decide(programs[asked(g)], HERON, g, asked(g)))
    return g


def test_a_roll_is_decided_by_what_it_is_for() -> None:
    g = soviet_turn().copy()
    one, two = KeyedDice(b"x", g), KeyedDice(b"x", g)
    first = [one.roll(6), one.roll(10), one.roll(6)]
    assert [two.roll(10), two.roll(6), two.roll(6)] == [first[1], first[0], first[2]]
    assert len({KeyedDice(b"%d" % i, g).roll(1000) for i in range(20)}) > 15
    assert type(one.copy()).__name__ == "Dice"


def test_trials_of_one_plan_come_to_the_same() -> None:
    g = soviet_turn()
    before = g.digest()
    one, two = (Trial(HERON, DOMAIN, g, SOVIET, 1) for _ in range(2))
    plan = (DOMAIN.orders(g, SOVIET)[0],)
    values = [one.value(plan, 0), one.value(PLAIN, 0), two.value(PLAIN, 0), two.value(plan, 0)]
    assert values[0] == values[3]
    assert values[1] == values[2]
    assert one.value(plan, 0) == values[0]
    assert one.done == 2, "the same plan with the same luck is played once"
    assert g.digest() == before


def test_orders_are_for_formations_and_places_on_the_map() -> None:
    g = soviet_turn()
    for side in (GERMAN, SOVIET):
        found = DOMAIN.orders(g, side)
        assert len(found) > 8
        names = {g.command_name(u) for u in g.units_on_map(side)}
        for x in found:
            assert x.formation in names | {""}
            assert (x.formation or "everybody") in x.words
            goal = dict(x.changes).get("focus")
            if goal is not None:
                assert g.ground.name(int(goal)) in x.words
                assert g.control[g.objective_index[int(goal)]] != side
            DOMAIN.program(0, dict(x.changes))


def searcher() -> SearchPlayer:
    found = player("don42", "lookahead?rollouts=16", 1)
    assert isinstance(found, SearchPlayer)
    assert isinstance(found, Planner)
    return found


def test_the_plan_travels_with_the_seat() -> None:
    """One player for the turn, or a new one for every decision that is told what the last one remembered."""
    whole, alone, memory, boards = [], [], None, (soviet_turn().copy(), soviet_turn().copy())
    one = searcher()
    g = boards[0]
    for _ in range(25):
        whole.append(decide(one, HERON, g, SOVIET))
        assert whole[-1] in legal(g)
        push(g, whole[-1])
        assert asked(g) == SOVIET
    assert 0 < one.rollouts <= 16, "it thought once"
    g = boards[1]
    for i in range(25):
        new = searcher()
        if memory is not None:
            new.recall(memory)
        alone.append(decide(new, HERON, g, SOVIET))
        push(g, alone[-1])
        assert (new.rollouts > 0) is (i == 0)
        memory = new.remember()
        assert new.words == one.words
    assert memory is not None
    assert memory == one.remember()
    assert alone[0] == whole[0]


def test_whole_numbers_of_a_plan_stay_whole_on_the_way() -> None:
    """Through JSON, as between the server and its workers: hexes and distances are counted with."""
    g = soviet_turn()
    for some in DOMAIN.orders(g, SOVIET):
        one, two = searcher(), searcher()
        one._turn, one.plan = repr(DOMAIN.moment(g, SOVIET)), (some,)
        two.recall(msgspec.json.decode(msgspec.json.encode(one.remember())))
        assert two.plan == one.plan
        kinds = [[type(v) for _, v in p.changes] for plan in (one.plan, two.plan) for p in plan]
        assert kinds[0] == kinds[1]
        two.choose(HERON, g, SOVIET)


def test_a_worker_hands_the_plan_on() -> None:
    g = soviet_turn()
    task = Task(
        game="don42",
        scenario="crossing-the-don",
        options=Game.new("don42", "crossing-the-don", seed=0).options,
        pack=Pack("don42").digest,
        version=1,
        side="soviet",
        board=snapshot.save(HERON.known_to(g, SOVIET)),
        seed=3,
    )
    first = work(task, "lookahead?rollouts=16")
    assert first.memory is not None
    assert first.plan
    task.memory = {**first.memory, "words": "as before"}
    again = work(task, "lookahead?rollouts=16")
    assert (again.do, again.plan) == (first.do, "as before"), "the plan was not made anew"
    assert work(task, "greedy").memory is None


def test_trials_do_not_know_what_is_hidden() -> None:
    """Two games that differ only in which Holding Box is whose: the Axis imagines the same worlds, and both ways."""
    t, g = title("stalingrad42"), phase(ARMY | INSIDE)
    swapped = g.copy()
    swapped.assigned[0], swapped.assigned[1] = swapped.assigned[1], swapped.assigned[0]

    def worlds(board: Board) -> list[tuple[str, bytes]]:
        trial = Trial(t, STALINGRAD, t.known_to(board, AXIS), AXIS, 7)
        return [(h.digest(), bytes(h.assigned[:2])) for h in map(trial.world, range(16))]  # type: ignore[attr-defined]

    assert worlds(g) == worlds(swapped)
    assert {assigned for _, assigned in worlds(g)} == {bytes([3, 5]), bytes([5, 3])}
    ours = Trial(t, STALINGRAD, t.known_to(g, SOVIETS), SOVIETS, 7)
    shown = {bytes(ours._seen_by(ours.world(n), AXIS).assigned[:2]) for n in range(16)}  # type: ignore[attr-defined]
    assert shown == {bytes([3, 5]), bytes([5, 3])}, "nor is the other side told in trials"
    assert {bytes(ours.world(n).assigned[:2]) for n in range(4)} == {bytes(g.assigned[:2])}  # type: ignore[attr-defined]


def test_plans_are_cut_to_the_time_there_is() -> None:
    """What one trial takes decides how many plans are compared; with time for none the program does as always."""
    assert [plans_for(n) for n in (1, 5, 6, 40)] == [0, 0, 1, 20]
    assert all(plans_for(n) <= plans_for(n + 1) for n in range(60))
    g = Game.new("don42", "short-game", seed=3).board
    t, hurried = title("don42"), player("don42", "lookahead?seconds=0.0001", 5)
    plain = player("don42", "greedy", 5)
    assert isinstance(hurried, SearchPlayer)
    for _ in range(30):
        side = asked(g)
        action = decide(hurried, t, g, side)
        assert action == decide(plain, t, g, side)
        push(g, action)
    assert hurried.plan == PLAIN
    assert 1 <= hurried.rollouts <= 2
