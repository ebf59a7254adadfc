"""A tiny game for tests of the engine: two sides push one piece each along a line; a die decides a duel."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

from kessel.core.action import Notation
from kessel.core.board import Board
from kessel.core.breakdown import Refusal
from kessel.core.dice import Dice
from kessel.core.forces import Forces
from kessel.core.pack import Pack
from kessel.core.procedure import AGAIN, DONE, PASS, Action, Call, Options, Out, Procedure, ask, auto
from kessel.core.terrain import BoardDoc, GridDoc, Map
from kessel.core.title import Option, Outcome, Scenario, Title
from kessel.core.verbs import NOT_NOW, Choice
from kessel.core.view import Piece, SideView


class ToyBoard(Board):
    track_names = ("turn", "score")


def toy_board(seed: int = 1) -> ToyBoard:
    names = [f"{i},0" for i in range(6)]
    m = Map(BoardDoc(hexes=" ".join(names), grid=GridDoc("axial")))
    g = ToyBoard(m, Forces(["red", "blue"], [0, 1]))
    g.steps[0] = g.steps[1] = 1
    g.move(0, m.grid.hex("0,0"))
    g.move(1, m.grid.hex("5,0"))
    g.dice = Dice(seed)
    g.stack = [Match()]
    return g


@dataclass(slots=True)
class Match(Procedure):
    @auto("1")
    def next_turn(self, g: ToyBoard) -> Out:
        if g.turn == 6:
            return DONE
        g.set_track("turn", g.turn + 1)
        return Call(PlayerTurn(g.turn % 2), again=True)


@dataclass(slots=True)
class PlayerTurn(Procedure):
    side: int
    steps_left: int = 2

    def why_not_walk(self, g: ToyBoard, u: int, h: int) -> Refusal | None:
        if not g.map.grid.adjacent(g.place[self.side], h):
            return Refusal("2.2", "a piece moves one hex at a time")
        return NOT_NOW if g.occupied(h) else None

    walk = Choice("side", "2.1", "Move your piece, or pass.", passing=None, alone=True, when=lambda p, g: p.steps_left)

    @walk.verb(
        "move",
        among=lambda p, g: [(p.side, n) for n in g.map.grid.around[g.place[p.side]]],
        why_not=why_not_walk,
    )
    def go(self, g: ToyBoard, u: int, h: int) -> Out:
        g.move(self.side, h)
        self.steps_left -= 1
        return AGAIN

    @auto("3")
    def meet(self, g: ToyBoard) -> Out:
        if g.map.grid.adjacent(g.place[0], g.place[1]):
            return Duel(self.side)
        return None


@dataclass(slots=True)
class Duel(Procedure):
    attacker: int

    @ask("attacker", "3.1")
    def fight(self, g: ToyBoard) -> Generator[Options, Action, Out]:
        """Fight?"""
        action = yield Options((), ("fight",), PASS)
        if action == PASS:
            return DONE
        if g.die() + g.die() >= 8:
            g.set_track("score", g.track("score") + 1)
        return None


class Toy(Title):
    id = "toy"
    name = "Toy"
    sides = ("red", "blue")
    notation = Notation(["move {unit} {hex}", "fight"])

    def scenarios(self, pack: Pack) -> list[Scenario]:
        return [Scenario("duel", "Duel", 6, options=(Option("fog", "Fog", "9"),))]

    def new(self, pack: Pack, scenario: str, options: Mapping[str, str], dice: Dice) -> Board:
        return toy_board()

    def outcome(self, g: Board) -> Outcome | None:
        return Outcome(0 if g.track("score") else 1, "win", "4", {"score": g.track("score")}) if not g.stack else None

    def view(self, g: Board, side: int | None) -> SideView:
        return SideView(
            turn=f"Turn {g.turn}",
            pieces=[
                Piece(n, self.sides[s], g.place_name(g.place[u]))
                for u, (n, s) in enumerate(zip(g.forces.ids, g.forces.side, strict=True))
            ],
        )

    def from_position(self, doc: Any, pack: Pack) -> Board:
        return toy_board()


TOY = Toy()
