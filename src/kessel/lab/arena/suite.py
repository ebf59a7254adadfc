"""The position suite: what one turn of a program is worth, from positions of recorded games.

From each position the program plays the rest of the game turn; then `greedy` plays both sides to the end, several
times with fresh dice, the same for every program. The gain of a turn is the margin reached, less the one reached where
`greedy` plays that turn too. Some hundred turns tell as much as many whole games.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from kessel.bots import decide, player
from kessel.core import snapshot
from kessel.core.board import Board
from kessel.core.dice import Dice
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import asked, push
from kessel.core.title import Title, title
from kessel.lab.arena.matches import code_of, pack_of
from kessel.lab.arena.store import Store

STEP_LIMIT = 60_000


@dataclass(frozen=True, slots=True)
class Position:
    id: str
    game: str
    scenario: str
    turn: int
    side: int
    board: bytes


@dataclass(frozen=True, slots=True)
class Gain:
    """What a program's turn came to from a position."""

    position: Position
    plain: tuple[float, ...]
    """Margins for the side that moves, by dice, where the reference plays the turn."""
    ours: tuple[float, ...]

    @property
    def mean(self) -> float:
        return sum(a - b for a, b in zip(self.ours, self.plain, strict=True)) / len(self.plain)


def gather(store: Store, game: str, scenario: str, seeds: range, every: int, reference: str = "greedy") -> int:
    """Keep positions at the start of player turns of games between the reference and itself: every so many turns."""
    t, added = title(game), 0
    for seed in seeds:
        playing = Game.new(game, scenario, seed=seed, pack=Pack(game))
        g = playing.board
        g.events = None
        programs = {s: player(game, reference, seed * 31 + s) for s in t.played}
        count, last = seed % every, turn_key(t, g)
        for _ in range(STEP_LIMIT):
            if not g.stack:
                break
            side = asked(g)
            now = turn_key(t, g)
            if now != last and now[1] == side:
                last, count = now, count + 1
                if count % every == 0:
                    added += _keep(store, game, scenario, seed, g, side)
            push(g, decide(programs[side], t, g, side))
    return added


def _keep(store: Store, game: str, scenario: str, seed: int, g: Board, side: int) -> bool:
    doc = msgspec.json.encode(snapshot.save(g))
    id_ = hashlib.blake2b(doc + game.encode() + scenario.encode(), digest_size=8).hexdigest()
    return store.add_position((id_, game, scenario, seed, g.turn, side, pack_of(game)), doc)


def turn_key(t: Title, g: Board) -> tuple[int, int]:
    """What names a player turn."""
    return g.turn, t.turn_of(g)


def positions(store: Store, game: str, scenario: str) -> list[Position]:
    rows = store.positions(game, scenario, pack_of(game))
    return [Position(i, game, scenario, turn, side, board) for i, _, turn, side, board in rows]


@cache
def _fresh(game: str, scenario: str) -> Game:
    return Game.new(game, scenario, seed=0, pack=Pack(game))


def board_of(p: Position, salt: int) -> Board:
    """The position with dice of its own."""
    doc: dict[str, Any] = msgspec.json.decode(p.board)
    g = snapshot.load(doc, _fresh(p.game, p.scenario).board, title(p.game).procedures)
    g.events = None
    g.dice = Dice(f"{p.id} {salt}".encode())
    return g


def play_out(
    p: Position, level: str, salt: int, turns: int = 0, reference: str = "greedy", plan: dict[str, Any] | None = None
) -> float:
    """The margin for the side that moves, at the end or after so many game turns, if that program plays this game turn:
    all of it, for a side may have phases before and after the other's. A program that plans the turn may find its plan
    in `plan`, and puts it there.
    """
    t, g = title(p.game), board_of(p, salt)
    programs = {s: player(p.game, reference, 17 * salt + s) for s in t.played}
    plain = programs[p.side]
    programs[p.side] = player(p.game, level, 17 * salt + p.side)
    ours: Any = programs[p.side]
    if plan:
        ours.recall(plan)
    for _ in range(STEP_LIMIT):
        if not g.stack or (turns and g.turn >= p.turn + turns):
            break
        if g.turn != p.turn and programs[p.side] is not plain:
            if plan is not None and hasattr(ours, "remember"):
                plan.update(ours.remember() or {})
            programs[p.side] = plain
        side = asked(g)
        push(g, decide(programs[side], t, g, side))
    return result_of(t, g, p.side)


def result_of(t: Title, g: Board, side: int) -> float:
    """Victory Points for a side; in a game that counts none, 1 for a win."""
    points = t.standing(g, side)
    out = t.outcome(g)
    return points if points or out is None or out.winner is None else 1.0 if out.winner == side else -1.0


def margins(store: Store, p: Position, level: str, dice: int, turns: int, reference: str) -> tuple[float, ...]:
    """By dice: what the turn came to. What is kept already is not played again."""
    about: list[object] = [p.id, p.game, p.scenario, level, dice, turns, reference, pack_of(p.game), code_of(p.game)]
    found = store.find_turn(about)
    if found is None:
        plan: dict[str, Any] = {}
        found = tuple(play_out(p, level, salt, turns, reference, plan) for salt in range(dice))
        store.add_turn(about, found)
    return found


def gains(
    store: Store, found: list[Position], level: str, dice: int, turns: int = 0, reference: str = "greedy"
) -> Iterator[Gain]:
    for p in found:
        plain, ours = (margins(store, p, who, dice, turns, reference) for who in (reference, level))
        yield Gain(p, plain, ours)
