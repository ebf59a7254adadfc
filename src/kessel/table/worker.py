"""What a program needs to decide, and the process it thinks in.

    python -m kessel.table.worker

reads one `Task` a line, with the program's name and what is wanted of it, and writes one `Decision` a line. It
ends when its input ends: when the server is killed, so are its workers.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import msgspec

from kessel.bots import Planner, Player, player
from kessel.bots.advice import Advice, advise
from kessel.bots.program import Program
from kessel.bots.wanted import Wanted, wanted
from kessel.core import snapshot
from kessel.core.dice import Dice
from kessel.core.errors import BadInput
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.title import title

Want: TypeAlias = Literal["choice", "advice", "attacks"]


class Task(msgspec.Struct, forbid_unknown_fields=True):
    """One decision to be made: a board without anything the side may not know, and no seed of the table's dice."""

    game: str
    scenario: str
    options: dict[str, str]
    pack: str
    """The digest of the data it is played with."""
    version: int
    side: str
    board: dict[str, Any]
    seed: int = 0
    """What the program takes its own chances from."""
    memory: dict[str, Any] | None = None
    """What the program of this seat remembered after its last decision: its plan for the turn."""
    table: str = ""
    """Where it plays: the program remembers there what it planned, if its side has asked it before. Without a table it
    is a new one."""


class Decision(msgspec.Struct, omit_defaults=True):
    do: str = ""
    reason: str = ""
    error: str = ""
    plan: str = ""
    """What it wants in this turn, and why."""
    memory: dict[str, Any] | None = None
    """What it must be told when it is asked again."""
    advice: Advice | None = None
    """All that is behind it, where a person asked for advice."""
    wanted: list[Wanted] = []
    """Attacks it would still make, where a person is about to end the phase."""


def decide(task: Task, level: str, want: Want = "choice") -> Decision:
    """What the program of that level does in the side's place, and what for; or what else is wanted of it."""
    t = title(task.game)
    fresh = _fresh(task.game, task.scenario, tuple(sorted(task.options.items())))
    if fresh.pack.digest != task.pack:
        raise BadInput(f"the table plays with other data of {task.game} (pack {task.pack}, here {fresh.pack.digest})")
    g = snapshot.load(task.board, fresh.board, t.procedures)
    g.dice = Dice(task.seed)
    if want == "attacks":
        return Decision(wanted=wanted(t, g))
    if want == "advice":
        advice = advise(t, g, program=player(task.game, level, task.seed))
        return Decision(advice.do, advice.reason, advice=advice)
    program = _program(task, level)
    if task.memory is not None and isinstance(program, Planner):
        program.recall(task.memory)
    action = program.choose(t, g.copy(), t.side(task.side))
    found = Decision(t.notation.text(g, action), program.reason)
    if isinstance(program, Planner):
        found.plan, found.memory = program.words, program.remember()
    return found


SEATS = 32
"""Programs at tables that are remembered."""
_seated: dict[tuple[str, str, str], Program[Any]] = {}


def _program(task: Task, level: str) -> Player:
    """The program in that seat, which remembers its plans; the one that has not been asked for longest is forgotten.
    A player without plans is always a new one."""
    made = player(task.game, level, task.seed)
    if not task.table or not isinstance(made, Program):
        return made
    seat = task.table, task.side, level
    found = _seated[seat] = _seated.pop(seat, made)
    if len(_seated) > SEATS:
        del _seated[next(iter(_seated))]
    return found


@lru_cache(maxsize=8)
def _fresh(game: str, scenario: str, options: tuple[tuple[str, str], ...]) -> Game:
    return Game.new(game, scenario, seed=0, options=dict(options), pack=Pack(game))


def main() -> None:
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a program prints must not be taken for an answer
    for line in sys.stdin.buffer:
        level, task, want = msgspec.json.decode(line, type=tuple[str, Task, Want])
        try:
            decision = decide(task, level, want)
        except Exception as e:  # one bad task must not end the worker; the server logs what it was
            decision = Decision(error=f"{type(e).__name__}: {e}")
        try:
            answers.write(msgspec.json.encode(decision) + b"\n")
        except BrokenPipeError:  # nobody waits for it any more
            return


if __name__ == "__main__":
    main()
