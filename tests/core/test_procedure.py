import subprocess
import sys
from fractions import Fraction

import pytest

from kessel.core.dice import Scripted
from kessel.core.errors import IllegalAction
from kessel.core.procedure import (
    PASS,
    Options,
    apply,
    asked,
    legal,
    load_stack,
    outcomes,
    procedures_of,
    push,
    run,
    save_stack,
    why_not,
)

from .toy import Duel, Match, PlayerTurn, ToyBoard, toy_board


def meeting() -> ToyBoard:
    g = toy_board()
    run(g)
    grid = g.map.grid
    g.move(0, grid.hex("3,0"))
    apply(g, PASS)
    return g


def test_run_stops_at_the_first_question() -> None:
    g = toy_board()
    run(g)
    assert isinstance(g.stack[-1], PlayerTurn)
    assert asked(g) == 1
    assert g.turn == 1


def test_legal_changes_nothing() -> None:
    g = toy_board()
    run(g)
    before = g.digest()
    assert legal(g) == [PASS, ("move", 1, g.map.grid.hex("4,0"))]
    assert g.digest() == before


def test_a_list_is_made_anew_when_the_board_has_changed() -> None:
    g = toy_board()
    run(g)
    grid = g.map.grid
    assert legal(g) == legal(g) == [PASS, ("move", 1, grid.hex("4,0"))]
    g.move(1, grid.hex("3,0"))
    assert ("move", 1, grid.hex("2,0")) in legal(g)
    h = g.copy()
    h.move(1, grid.hex("2,0"))
    push(h, ("move", 1, grid.hex("1,0")))
    assert (g.place[1], h.place[1]) == (grid.hex("3,0"), grid.hex("1,0"))
    assert ("move", 1, grid.hex("2,0")) in legal(g)


def test_choices_can_be_listed_again_after_a_look_at_the_first() -> None:
    found = Options(iter([("a",), ("b",)]))
    assert found.exist()
    assert list(found) == list(found) == [("a",), ("b",)]
    assert found.allows(("b",))
    assert not found.allows(("c",))
    assert not Options(iter([])).exist()


def test_apply_refuses_what_is_not_listed_and_names_the_rule() -> None:
    g = toy_board()
    run(g)
    before = g.digest()
    with pytest.raises(IllegalAction, match=r"one hex at a time \(2\.2\)"):
        apply(g, ("move", 1, g.map.grid.hex("2,0")))
    with pytest.raises(IllegalAction, match="not your decision"):
        apply(g, PASS, side=0)
    assert g.digest() == before
    assert why_not(g, PASS) is None


def test_a_called_procedure_returns_to_its_caller() -> None:
    g = meeting()
    push(g, ("move", 0, g.map.grid.hex("4,0")))
    push(g, PASS)
    assert [type(p) for p in g.stack] == [Match, PlayerTurn, Duel]
    g.dice = Scripted([3, 5])
    push(g, ("fight",))
    assert g.track("score") == 1
    assert [type(p) for p in g.stack] == [Match, PlayerTurn]


def test_outcomes_are_all_the_ways_the_dice_can_fall() -> None:
    g = meeting()
    push(g, ("move", 0, g.map.grid.hex("4,0")))
    push(g, PASS)
    found = list(outcomes(g, ("fight",)))
    assert len(found) == 36
    assert sum(w for w, _, _ in found) == 1
    assert sum(w for w, _, h in found if h.track("score")) == Fraction(15, 36)


def test_a_stack_is_saved_by_names_and_loads_equal() -> None:
    g = meeting()
    known = procedures_of(Match.__module__)
    assert load_stack(save_stack(g), known) == g.stack


def test_procedures_are_the_classes_of_their_modules_while_nothing_is_collected() -> None:
    """`dataclass(slots=True)` leaves a twin of each class behind until the collector runs."""
    code = (
        "import gc; gc.disable()\n"
        "from kessel.core.title import titles\n"
        "import sys\n"
        "for t in titles().values():\n"
        "    for name, cls in t.procedures.items():\n"
        "        assert getattr(sys.modules[cls.__module__], name) is cls, name\n"
        "    assert t.procedures\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_copy_shares_nothing() -> None:
    g = meeting()
    h = g.copy()
    before = g.digest()
    assert h.digest() == before
    while h.stack:
        push(h, legal(h)[-1])
    assert g.digest() == before
