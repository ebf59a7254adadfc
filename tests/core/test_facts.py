"""Facts are kept as long as they hold, and no longer."""

from __future__ import annotations

import pytest

from kessel.core.board import Board
from kessel.core.facts import FOREVER, GAME, LAST, NOW, Lifetimes, amend, fact, forget, kept_facts
from kessel.core.forces import Forces
from kessel.core.terrain import BoardDoc, GridDoc, Map

FACTS = Lifetimes()
PLACES = FACTS.until("place", by_side=True)
WEATHER = FACTS.until("weather", "place")
ON_WEATHER = FACTS.ended_by("weather")

calls: list[str] = []


@fact(NOW)
def anything(g: Field) -> int:
    calls.append("anything")
    return 1


@fact(PLACES)
def places_of(g: Field, side: int) -> tuple[int, ...]:
    calls.append(f"places {side}")
    return tuple(p for u, p in enumerate(g.place) if g.forces.side[u] == side)


@fact(PLACES)
def near(g: Field, side: int, u: int) -> int:
    calls.append(f"near {side} {u}")
    return 7


@fact(WEATHER)
def going(g: Field, u: int) -> int:
    calls.append(f"going {u}")
    return 3


@fact(WEATHER)
def road(g: Field, u: int, h: int) -> int:
    calls.append(f"road {u} {h}")
    return 4


@fact(FOREVER)
def printed(g: Field) -> int:
    calls.append("printed")
    return 5


@fact(GAME)
def agreed(g: Field, word: str) -> int:
    calls.append(f"agreed {word}")
    return 6


@fact(LAST)
def joined(g: Field, side: int, ends: int, through: int) -> int:
    calls.append(f"joined {side}")
    return ends | through


class Field(Board):
    derived = ("seen", "notes")
    lifetimes = FACTS
    seen: set[int]
    notes: list[int]


@pytest.fixture
def g() -> Field:
    names = [f"{i},0" for i in range(6)]
    g = Field(Map(BoardDoc(hexes=" ".join(names), grid=GridDoc("axial"))), Forces(["red", "blue"], [0, 1]))
    g.steps[0] = g.steps[1] = 1
    g.seen, g.notes = {1}, [2]
    calls.clear()
    return g


def asked(g: Field) -> list[str]:
    """What must be found anew when everything is asked."""
    calls.clear()
    anything(g)
    for side in (0, 1):
        places_of(g, side)
        near(g, side, 5)
    going(g, 1)
    road(g, 1, 2)
    printed(g)
    return calls[:]


EVERYTHING = ["anything", "places 0", "near 0 5", "places 1", "near 1 5", "going 1", "road 1 2"]


def test_a_fact_is_found_once(g: Field) -> None:
    assert asked(g) == [*EVERYTHING, "printed"]
    assert asked(g) == []


def test_a_fact_ends_with_what_it_names_and_by_side(g: Field) -> None:
    asked(g)
    g.happened(ON_WEATHER)
    assert asked(g) == ["anything", "going 1", "road 1 2"]
    g.move(1, 2)
    assert asked(g) == ["anything", "places 1", "near 1 5", "going 1", "road 1 2"]
    g.set_status(0, 1)
    assert asked(g) == ["anything"]
    g.changed()
    assert asked(g) == EVERYTHING


def test_copies_know_what_the_board_knew_and_share_no_store(g: Field) -> None:
    asked(g)
    h = g.copy()
    assert asked(h) == []
    h.move(0, 1)
    assert asked(g) == []
    assert asked(g.lean()) == EVERYTHING


def test_the_last_answer_is_kept_while_it_is_made_of_the_same(g: Field) -> None:
    assert [joined(g, 0, 1, 2), joined(g, 1, 4, 2), joined(g, 0, 1, 2)] == [3, 6, 3]
    assert calls == ["joined 0", "joined 1"]
    g.move(0, 3)
    h = g.copy()
    assert (joined(h, 0, 1, 8), joined(g, 0, 1, 2)) == (9, 3)
    assert calls == ["joined 0", "joined 1", "joined 0"]
    assert sorted(args for _, args, _ in kept_facts(g)) == [(0, 1, 2), (1, 4, 2)]
    g.changed()
    assert not list(kept_facts(g))


def test_what_a_game_settles_is_known_to_all_its_boards(g: Field) -> None:
    h = g.copy()
    assert agreed(h, "a") == agreed(g, "a") == agreed(g.lean(), "a") == 6
    g.changed()
    assert agreed(g, "a") == 6
    assert calls == ["agreed a"]


def test_what_is_derived_is_copied(g: Field) -> None:
    h = g.copy()
    h.seen.add(9)
    h.notes.append(9)
    assert (g.seen, g.notes) == ({1}, [2])


def test_a_kept_fact_can_be_brought_up_to_date(g: Field) -> None:
    amend(g, places_of, 0, by=lambda found: (*found, 99))
    assert places_of(g, 0) == (-1,)
    amend(g, places_of, 0, by=lambda found: (*found, 99))
    assert places_of(g, 0) == (-1, 99)
    forget(g, places_of, 0)
    assert places_of(g, 0) == (-1,)


def test_what_is_kept_can_be_looked_through(g: Field) -> None:
    asked(g)
    found = {(make.__name__, args): value for make, args, value in kept_facts(g)}
    assert found[("places_of", (1,))] == (-1,)
    assert found[("near", (0, 5))] == 7
    assert found[("road", (1, 2))] == 4
    assert ("printed", ()) not in found


def test_a_cause_nobody_names_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no fact ends with rain"):
        FACTS.ended_by("rain")
