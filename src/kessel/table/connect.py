"""Play a seat by its link: a person at the terminal, or a program."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from kessel.bots import has_level, levels
from kessel.core import snapshot
from kessel.core.board import Board
from kessel.core.errors import BadInput
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.title import title
from kessel.core.view import LogEntry, View
from kessel.table.remote import Remote
from kessel.table.terminal import HELP, one_turn, show_view
from kessel.table.worker import decide


class RemoteDesk:
    """What the terminal needs, from a server."""

    def __init__(self, remote: Remote) -> None:
        self.remote = remote
        self.version = 0

    def view(self) -> View:
        view = self.remote.view()
        self.version = view.version
        return view

    def act(self, do: str) -> None:
        self.remote.act(do, self.version)

    def undo(self) -> None:
        self.remote.undo(self.version)

    def why(self, do: str) -> str:
        refusal = self.remote.why(do)
        return "" if refusal is None else f"{refusal['rule']}: {refusal['reason']}"

    def log(self) -> list[LogEntry]:
        return self.remote.log()

    def board(self) -> Board:
        known = self.remote.known()
        fresh = Game.new(known.game, known.scenario, seed=0, options=known.options, pack=Pack(known.game))
        return snapshot.load(known.board, fresh.board, title(known.game).procedures)


def play_by_link(link: str, out: Console) -> None:
    """A person plays the seat of the link at the terminal."""
    desk = RemoteDesk(_seat(link, out))
    out.print(HELP, markup=False)
    for view in _news(desk.remote):
        if view.waiting:
            out.print(f"The game begins when all have come; {' and '.join(view.waiting)} is still open.", markup=False)
            continue
        if view.question is not None and view.question.side != view.seat:
            out.print(f"{view.question.side} decides: {view.question.prompt}", markup=False)
        while (now := desk.view()).question is not None and now.question.side == now.seat:
            if not one_turn(desk, now, out):
                return
    show_view(desk.view(), out)


def play_as_program(link: str, level: str, out: Console) -> None:
    """A program plays the seat of the link, to the end of the game."""
    remote = _seat(link, out)
    for view in _news(remote):
        while not view.waiting and (now := remote.view()).question is not None and now.question.side == now.seat:
            if not has_level(now.game, level):
                raise BadInput(f"{now.game} has no program {level!r}; there are {', '.join(levels(now.game))}")
            task = remote.known()
            if task.version == now.version:
                remote.act(decide(task, level).do, task.version)


def _seat(link: str, out: Console) -> Remote:
    """The seat of a link. Who comes by invitation is told the seat's own link and how to get it back if it is lost."""
    remote, taken = Remote.sit_down(link)
    if taken is not None:
        out.print(f"You sit as {taken.side}. Keep both links to yourself:", markup=False)
        out.print(f"  your seat     {remote.base}/table/{remote.table}#{taken.token}", soft_wrap=True, markup=False)
        out.print(
            f"  if it is lost {remote.base}/recover/{remote.table}#{taken.recovery}", soft_wrap=True, markup=False
        )
    return remote


def _news(remote: Remote) -> Iterator[View]:
    """Every view that is newer than all that were dealt with before."""
    seen: tuple[int, int] = (-1, 0)
    for view in remote.views():
        now = (view.version, -len(view.waiting))
        if now > seen or view.question is None:
            yield view
            seen = now
