"""Facts are kept as long as they hold, and no longer."""

from __future__ import annotations

import pytest

from kessel.core.board import Board
from kessel.core.facts import FOREVER, GAME, LAST, NOW, Lifetimes, amend, fact, forget, kept_facts, nearby, touched
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


@fact(WEATHER)
def ways(g: Field, u: int, most: int = 2) -> int:
    calls.append(f"ways {u} {most}")
    return most


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


def test_what_may_be_left_out_may_be_left_out(g: Field) -> None:
    calls.clear()
    assert [ways(g, 1), ways(g, 1), ways(g, 1, 3), ways(g, 1, 3)] == [2, 2, 3, 3]
    assert calls == ["ways 1 2", "ways 1 3"]
    g.happened(ON_WEATHER)
    assert ways(g, 1) == 2
    assert calls[2:] == ["ways 1 2"]


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


def test_copies_and_the_board_know_what_is_found_of_either_until_something_happens(g: Field) -> None:
    asked(g)
    h = g.copy()
    assert asked(h) == []
    near(h, 0, 3)
    assert (near(g, 0, 3), near(g.lean(), 0, 3)) == (7, 7)
    assert calls == ["near 0 3"] * 2
    h.move(0, 1)
    assert asked(g) == []
    assert (places_of(h, 0), places_of(g, 0)) == ((1,), (-1,))
    g.move(0, 2)
    assert (places_of(h, 0), places_of(g, 0)) == ((1,), (2,))
    assert asked(g.lean()) == EVERYTHING


def test_what_is_brought_up_to_date_on_a_copy_stays_there(g: Field) -> None:
    assert places_of(g, 0) == (-1,)
    h = g.copy()
    amend(h, places_of, 0, by=lambda found: (*found, 99))
    assert (places_of(h, 0), places_of(g, 0)) == ((-1, 99), (-1,))
    x = g.copy()
    forget(x, places_of, 0)
    calls.clear()
    assert places_of(g, 0) == (-1,)
    assert not calls


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


# --- facts of single units and hexes ---------------------------------------------------------------------------------

LOCAL = Lifetimes()
AROUND = LOCAL.near("weather")
ON_LOCAL_WEATHER = LOCAL.ended_by("weather")


@nearby(AROUND, 1)
def companions(g: Meadow, side: int, u: int) -> tuple[int, ...]:
    """The others in the hex and next to it."""
    calls.append(f"companions {u}")
    hexes = (g.place[u], *g.map.grid.around[g.place[u]])
    return tuple(v for h in hexes for v in g.units(h) if v != u)


@nearby(AROUND, 0, hexes=True)
def crowds(g: Meadow, side: int, h: int, more: int) -> int:
    calls.append(f"crowd {h}")
    return len(g.units(h)) + more if len(g.units(h)) > 1 else 0


@nearby(AROUND, 0, of=lambda g: (False, True, True, True))
def lonely(g: Meadow, side: int, u: int) -> bool:
    calls.append(f"lonely {u}")
    return len(g.units(g.place[u])) == 1


class Meadow(Board):
    lifetimes = LOCAL

    def on_the_map(self, side: int) -> list[int]:
        return [u for u, h in enumerate(self.place) if h >= 0 and self.forces.side[u] == side]

    def move(self, u: int, place: int) -> None:
        old = self.place[u]
        super().move(u, place)
        touched(self, ~u, *(h for h in (old, place) if h >= 0))


@pytest.fixture
def meadow() -> Meadow:
    m = Map(BoardDoc(hexes=" ".join(f"{q},0" for q in range(1, 10)), grid=GridDoc("axial")))
    g = Meadow(m, Forces(["a", "b", "c", "d"], [0, 0, 0, 1]))
    for u, name in enumerate(("1,0", "2,0", "8,0", "2,0")):
        g.move(u, m.grid.hex(name))
    calls.clear()
    return g


def test_only_what_stands_near_is_found_anew(meadow: Meadow) -> None:
    g, at = meadow, meadow.map.grid.hex
    assert companions(g, 0) == {0: (1, 3), 1: (3, 0)}  # c is alone: nothing is found for it
    assert calls == ["companions 0", "companions 1", "companions 2"]
    calls.clear()
    assert companions(g, 0) == {0: (1, 3), 1: (3, 0)}
    assert not calls
    g.move(2, at("9,0"))
    companions(g, 0)
    assert calls == ["companions 2"]
    calls.clear()
    g.move(2, at("3,0"))
    assert list(companions(g, 0).items()) == [(0, (1, 3)), (1, (3, 2, 0)), (2, (1, 3))]
    assert sorted(calls) == ["companions 1", "companions 2"]


def test_nobody_asks_for_units_it_is_never_found_for(meadow: Meadow) -> None:
    g, at = meadow, meadow.map.grid.hex
    assert list(lonely(g, 0)) == [2]
    g.move(1, at("1,0"))
    assert list(lonely(g, 0)) == [2]
    g.move(1, at("4,0"))
    assert list(lonely(g, 0)) == [1, 2]
    assert "lonely 0" not in calls


def test_who_leaves_the_map_is_in_no_list(meadow: Meadow) -> None:
    g = meadow
    companions(g, 0)
    crowds(g, 0, 10)
    g.move(0, -1)
    assert companions(g, 0) == {1: (3,)}
    g.move(1, -1)
    assert (companions(g, 0), crowds(g, 0, 10)) == ({}, {})


def test_hexes_are_kept_like_units(meadow: Meadow) -> None:
    g, at = meadow, meadow.map.grid.hex
    assert crowds(g, 0, 10) == {at("2,0"): 12}
    calls.clear()
    g.move(2, at("1,0"))
    assert crowds(g, 0, 10) == {at("1,0"): 12, at("2,0"): 12}
    assert calls == [f"crowd {at('1,0')}"]
    assert crowds(g, 0, 20) == {at("1,0"): 22, at("2,0"): 22}


def test_copies_mend_what_they_share_each_for_itself(meadow: Meadow) -> None:
    g, at = meadow, meadow.map.grid.hex
    companions(g, 0)
    h = g.copy()
    h.move(0, at("9,0"))
    assert companions(h, 0) == {0: (2,), 1: (3,), 2: (0,)}
    assert companions(g, 0) == {0: (1, 3), 1: (3, 0)}
    assert [(args, value) for _, args, value in kept_facts(h)] == [((0,), companions(h, 0))]


def test_what_its_lifetime_names_ends_it_everywhere(meadow: Meadow) -> None:
    g = meadow
    companions(g, 0)
    calls.clear()
    g.happened(ON_LOCAL_WEATHER)
    companions(g, 0)
    assert len(calls) == 3
