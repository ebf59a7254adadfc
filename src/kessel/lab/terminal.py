"""A table for the terminal: one prompt, the legal choices, and a reason for every no."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from kessel.bots import player
from kessel.core.errors import BadInput, KesselError
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.record import read_record
from kessel.core.title import titles

SHOWN = 40
HELP = """a number or an action's text plays it; other words:
  list [WORD]   the choices (that contain WORD)       board   the text board
  why ACTION    why an action is not allowed          undo    take back the last action
  log           the last actions                      quit    leave; the record is kept"""


def show_game(game: Game, seat: int | None, out: Console) -> None:
    view = game.view(seat)
    out.print(f"[bold]{game.title.name}[/bold] {game.scenario}: {view.table.turn}, {view.table.phase}")
    for track in view.table.tracks:
        out.print(f"  {track.name}: {track.text or track.value}", markup=False)
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
        name, _, scenario = (game_scenario or _first_scenario()).partition("/")
        game = Game.new(name, scenario, seed=seed)
    programs = {}
    if opponent:
        mine = game.title.side(side) if side else game.title.played[0]
        programs = {s: player(game.title.id, opponent, s) for s in game.title.played if s != mine}
    out.print(HELP, markup=False)
    while not game.over:
        if game.side in programs:
            t = game.title
            program = programs[game.side]
            entry = game.play(program.choose(t, t.known_to(game.board, game.side), game.side))
            out.print(f"{t.sides[entry.side]}: {entry.text} ({program.reason})", markup=False)
        elif not _turn(game, out):
            break
        if path is not None:
            game.save(path)
    show_game(game, None, out)


def _first_scenario() -> str:
    for t in titles().values():
        scenarios = t.scenarios(Pack(t.id))
        first = next((s for s in scenarios if s.first), scenarios[0])
        return f"{t.id}/{first.id}"
    raise BadInput("there is no game to play")


def _turn(game: Game, out: Console) -> bool:
    """One line of input; False to leave."""
    show_game(game, game.side, out)
    try:
        words = input("> ").split()
    except EOFError:
        return False
    try:
        return _obey(game, words, out)
    except KesselError as e:
        out.print(str(e), style="red", markup=False)
        return True


def _obey(game: Game, words: list[str], out: Console) -> bool:
    match words:
        case []:
            pass
        case ["quit"]:
            return False
        case ["help"]:
            out.print(HELP, markup=False)
        case ["undo"]:
            game.undo()
        case ["board"]:
            from kessel.render.text import text_board

            out.print(text_board(game.board), markup=False)
        case ["log"]:
            for e in game.entries[-20:]:
                out.print(f"{game.title.sides[e.side]}: {e.text}", markup=False)
        case ["list", *rest]:
            for i, text in enumerate(game.legal_texts(), start=1):
                if not rest or rest[0] in text:
                    out.print(f"{i:4} {text}", markup=False)
        case ["why", *rest]:
            out.print(str(game.why_not(" ".join(rest)) or "it is allowed"), markup=False)
        case [number] if number.isdigit():
            choices = game.legal()
            if not 1 <= int(number) <= len(choices):
                raise BadInput(f"there are {len(choices)} choices, not {number}")
            game.play(choices[int(number) - 1])
        case _:
            game.play(" ".join(words))
    return True
