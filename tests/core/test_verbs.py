"""A choice of several verbs: its list, its refusals and what each verb does."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from kessel.core.breakdown import Refusal
from kessel.core.hexset import bits
from kessel.core.procedure import (
    AGAIN,
    DONE,
    PASS,
    Action,
    Call,
    Options,
    Out,
    Procedure,
    Return,
    auto,
    hand_over,
    into,
    options,
    push,
    run,
    takes,
    why_not,
)
from kessel.core.procedure import legal as legal_actions
from kessel.core.verbs import NOT_NOW, Choice

from .toy import ToyBoard, toy_board


@dataclass(slots=True)
class Works(Procedure):
    side: int = 0
    done: tuple[int, ...] = ()
    closed: bool = False

    build = Choice("side", "8.0", "Dig, mend, or end.", passing=DONE, when=lambda p, g: not p.closed)

    @build.verb("dig", legal=lambda p, g: bits(h for h in (1, 3) if h not in p.done))
    def dig(self, g: ToyBoard, h: int) -> Out:
        self.done = (*self.done, h)
        return AGAIN

    def why_not_mend(self, g: ToyBoard, a: int, b: int) -> Refusal | None:
        if a == b:
            return Refusal("8.2", "a bridge joins two hexes")
        return NOT_NOW if (a, b) != (1, 2) else None

    @build.verb("mend", among=lambda p, g: [(1, 1), (1, 2), (2, 3)], why_not=why_not_mend)
    def mend(self, g: ToyBoard, a: int, b: int) -> Out:
        self.closed = True
        return AGAIN

    @build.verb("rest", why_not=lambda p, g: None if p.done else Refusal("8.3", "nothing is dug yet"))
    def rest(self, g: ToyBoard) -> Out:
        return DONE

    @build.verb("sing", plain=False)
    def sing(self, g: ToyBoard) -> Out:
        return AGAIN


def at(p: Procedure) -> ToyBoard:
    g = toy_board()
    g.stack = [p]
    run(g)
    return g


def test_pass_then_plain_verbs_then_the_others_in_the_order_written() -> None:
    assert legal_actions(at(Works())) == [PASS, ("dig", 1), ("dig", 3), ("mend", 1, 2), ("sing",)]
    g = at(Works(done=(1,)))
    assert legal_actions(g) == [PASS, ("rest",), ("dig", 3), ("mend", 1, 2), ("sing",)]
    assert options(g).plain() == (PASS, ("rest",))
    assert options(g).prompt == "Dig, mend, or end."


def test_each_verb_does_its_own() -> None:
    g = at(Works())
    push(g, ("dig", 3))
    works = g.stack[-1]
    assert isinstance(works, Works)
    assert works.done == (3,)
    push(g, ("sing",))
    push(g, ("mend", 1, 2))
    assert not g.stack, "the question no longer arises"


def test_passing_leads_where_the_choice_says() -> None:
    g = at(Works())
    push(g, PASS)
    assert not g.stack


def test_refusals_are_those_of_the_verb() -> None:
    g = at(Works())

    def why(action: Action) -> str:
        found = why_not(g, action)
        assert found is not None
        return str(found)

    assert why(("mend", 1, 1)) == "a bridge joins two hexes (8.2)"
    assert why(("mend", 2, 3)).startswith("this is not one of the choices now; asked is: Dig")
    assert why(("rest",)) == "nothing is dug yet (8.3)"
    assert "not one of the choices" in why(("dig", 2))
    assert "not one of the choices" in why(("dig", 2, 3))
    assert "not one of the choices" in why(("fly",))
    assert why_not(g, ("mend", 1, 2)) is None


@dataclass(slots=True)
class OneByOne(Procedure):
    side: int = 0
    left: int = 1

    pick = Choice("side", "1", "Pick.", passing=None, alone=True)

    @pick.verb("take", legal=lambda p, g: range(p.left))
    def take(self, g: ToyBoard, n: int) -> Out:
        self.left -= 1
        return AGAIN


def test_alone_pass_stays_when_nothing_else_is_left() -> None:
    g = at(OneByOne())
    push(g, ("take", 0))
    assert legal_actions(g) == [PASS]
    push(g, PASS)
    assert not g.stack


def test_every_lists_the_verbs_in_an_order_of_its_own() -> None:
    @dataclass(slots=True)
    class Moves(Procedure):
        side: int = 0
        go = Choice("side", "1", "Go.", every=lambda p, g: [("b", 1), ("a", 1), ("b", 2)])

        @go.verb("a", why_not=lambda p, g, n: None if n == 1 else NOT_NOW)
        def a(self, g: ToyBoard, n: int) -> Out:
            return DONE

        @go.verb("b", why_not=lambda p, g, n: None if n < 3 else NOT_NOW)
        def b(self, g: ToyBoard, n: int) -> Out:
            return DONE

    assert legal_actions(at(Moves())) == [("b", 1), ("a", 1), ("b", 2)]


def test_a_rule_may_refuse_all_other_verbs() -> None:
    @dataclass(slots=True)
    class Loss(Procedure):
        side: int = 0
        lose = Choice("side", "1", "Lose.", otherwise=lambda p, g: Refusal("12.6", "a step must be lost"))

        @lose.verb("lose", legal=lambda p, g: [1], why_not=lambda p, g, u: None if u == 1 else NOT_NOW)
        def take(self, g: ToyBoard, u: int) -> Out:
            return DONE

    g = at(Loss())
    assert str(why_not(g, PASS)) == str(why_not(g, ("fly", 3))) == "a step must be lost (12.6)"
    assert str(why_not(g, ("lose", 2))) == "this is not one of the choices now; asked is: Lose. (1)"


# --- what a procedure hands over -------------------------------------------------------------------------------------


@dataclass(slots=True)
class Reroll(Procedure):
    @auto("28.1")
    def roll(self, g: ToyBoard) -> Out:
        return Return(6)


@dataclass(slots=True)
class Fight(Procedure):
    @auto("8")
    def fight(self, g: ToyBoard) -> Out:
        hand_over(g, self, ("won", 2))
        return None

    @auto("8")
    def rest(self, g: ToyBoard) -> Out:
        return None


@dataclass(slots=True)
class Battle(Procedure):
    die: int = 0
    how: tuple[str, int] = ("", 0)

    rolled_again = into("die", Reroll)

    @takes(Fight)
    def fought(self, g: ToyBoard, how: tuple[str, int]) -> None:
        self.how = how

    @auto("1")
    def begin(self, g: ToyBoard) -> Out:
        return Reroll()

    @auto("2")
    def fight(self, g: ToyBoard) -> Out:
        return Call(Fight())

    @auto("3")
    def end(self, g: ToyBoard) -> Out:
        g.set_track("score", 100 * self.die + self.how[1])
        return None


def test_a_called_procedure_hands_values_to_its_caller() -> None:
    assert at(Battle()).track("score") == 602


@dataclass(slots=True)
class Raid(Fight):
    """A kind of fight of which the battle knows nothing."""


def test_what_is_taken_from_a_class_is_taken_from_those_made_from_it() -> None:
    battle, raid = Battle(), Raid()
    g = toy_board()
    g.stack = [battle, raid]
    hand_over(g, raid, ("lost", 1))
    assert battle.how == ("lost", 1)


@dataclass(slots=True)
class Warned(Procedure):
    side: int = 0
    danger: bool = False

    go = Choice("side", "8.0", "Go on.", notice=lambda p, g: "Mind the gap." if p.danger else "")

    @go.verb("pass")
    def step(self, g: ToyBoard) -> Out:
        self.danger = True
        return AGAIN


def test_a_notice_stands_behind_the_prompt_while_it_is_so() -> None:
    g = toy_board()
    g.stack = [Warned()]
    run(g)
    assert options(g).prompt == "Go on."
    push(g, PASS)
    assert options(g).prompt == "Go on. Mind the gap."
    assert options(g).open_prompt == "Go on.", "for the side that is not asked"


@pytest.mark.parametrize(
    ("prompt", "says", "read"),
    [
        ("Choose a unit to move or to bring in, or end the phase.", "", "End the phase"),
        ("Give the step to a corps, or place a brigade, or lose it.", "", "Lose it"),
        ("Let the roll stand, or have a die rolled again.", "Let the roll stand", "Let the roll stand"),
    ],
)
def test_passing_reads_as_what_it_does(prompt: str, says: str, read: str) -> None:
    assert Options([], PASS, prompt=prompt, says=says).passing() == read
