"""A table for the terminal: one prompt, the legal choices, and a reason for every no."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from rich.console import Console

from kessel.bots import decide, player
from kessel.core.board import Board
from kessel.core.errors import BadInput, KesselError
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.record import read_record
from kessel.core.title import title, titles
from kessel.core.view import LogEntry, View

SHOWN = 40
HELP = """a number or an action's text plays it; other words:
  list [WORD]   the choices (that contain WORD)       board   the text board
  why ACTION    why an action is not allowed          undo    take back the last action
  log           the last actions                      quit    leave; the game is kept"""


class Desk(Protocol):
    """Where a person plays: a game in this process, or a seat at a table elsewhere."""

    def view(self) -> View: ...
    def act(self, do: str) -> None: ...
    def undo(self) -> None: ...
    def why(self, do: str) -> str:
        """Why an action is not allowed; empty if it is."""
        ...

    def log(self) -> list[LogEntry]: ...
    def board(self) -> Board: ...


class GameDesk:
    """All sides of a game in this process."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def view(self) -> View:
        return self.game.view(self.game.side if self.game.side >= 0 else None)

    def act(self, do: str) -> None:
        self.game.play(do)

    def undo(self) -> None:
        self.game.undo()

    def why(self, do: str) -> str:
        refusal = self.game.why_not(do)
        return "" if refusal is None else str(refusal)

    def log(self) -> list[LogEntry]:
        return self.game.log()

    def board(self) -> Board:
        return self.game.board


def show_game(game: Game, seat: int | None, out: Console) -> None:
    show_view(game.view(seat), out)


def show_view(view: View, out: Console) -> None:
    out.print(f"[bold]{title(view.game).name}[/bold] {view.scenario}: {view.table.turn}, {view.table.phase}")
    for track in view.table.tracks:
        if track.says:
            out.print(f"  {track.name}: {track.says}", markup=False)
    if view.outcome is not None:
        out.print(f"  over: {view.outcome}", markup=False)
    q = view.question
    if q is not None:
        out.print(f"  {q.side} is asked ({q.rule}): {q.prompt}", markup=False)
        for i, c in enumerate(q.choices[:SHOWN], start=1):
            out.print(f"  {i:4} {c.text}", markup=False)
        if len(q.choices) > SHOWN:
            out.print(f"       and {len(q.choices) - SHOWN} more")


def play_at_terminal(
    game_scenario: str, path: Path | None, opponent: str, side: str, seed: int | None, out: Console
) -> None:
    if path is not None and path.exists():
        game = Game.replay(read_record(path), where=str(path))
    else:
        name, _, scenario = (game_scenario or first_scenario()).partition("/")
        game = Game.new(name, scenario, seed=seed)
    desk, programs = GameDesk(game), {}
    if opponent:
        mine = game.title.side(side) if side else game.title.played[0]
        programs = {s: player(game.title.id, opponent, s) for s in game.title.played if s != mine}
    out.print(HELP, markup=False)
    while not game.over:
        if game.side in programs:
            t = game.title
            program = programs[game.side]
            entry = game.play(decide(program, t, game.board, game.side))
            out.print(f"{t.sides[entry.side]}: {entry.text} ({program.reason})", markup=False)
        elif not one_turn(desk, desk.view(), out):
            break
        if path is not None:
            game.save(path)
    show_game(game, None, out)


def first_scenario() -> str:
    """The one to begin with, of the first game that has any."""
    for t in titles().values():
        scenarios = t.scenarios(Pack(t.id))
        if scenarios:
            return f"{t.id}/{next((s for s in scenarios if s.first), scenarios[0]).id}"
    raise BadInput("there is no game to play")


def one_turn(desk: Desk, view: View, out: Console) -> bool:
    """Show what is asked and obey one line of input; False to leave."""
    show_view(view, out)
    try:
        words = input("> ").split()
    except EOFError:
        return False
    try:
        return _obey(desk, view, words, out)
    except KesselError as e:
        out.print(str(e), style="red", markup=False)
        return True


def _obey(desk: Desk, view: View, words: list[str], out: Console) -> bool:
    choices = [c.text for c in view.question.choices] if view.question is not None else []
    match words:
        case []:
            pass
        case ["quit"]:
            return False
        case ["help"]:
            out.print(HELP, markup=False)
        case ["undo"]:
            desk.undo()
        case ["board"]:
            from kessel.render.text import text_board

            out.print(text_board(desk.board()), markup=False)
        case ["log"]:
            for e in desk.log()[-20:]:
                out.print(f"{e.side}: {e.text}", markup=False)
        case ["list", *rest]:
            for i, text in enumerate(choices, start=1):
                if not rest or rest[0] in text:
                    out.print(f"{i:4} {text}", markup=False)
        case ["why", *rest]:
            out.print(desk.why(" ".join(rest)) or "it is allowed", markup=False)
        case [number] if number.isdigit():
            if not 1 <= int(number) <= len(choices):
                raise BadInput(f"there are {len(choices)} choices, not {number}")
            desk.act(choices[int(number) - 1])
        case _:
            desk.act(" ".join(words))
    return True
