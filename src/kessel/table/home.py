"""`kessel play` and `kessel serve`: a server for oneself with the page opened, or one for others."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

from rich.console import Console

from kessel.bots import levels
from kessel.core.errors import BadInput
from kessel.core.pack import Pack
from kessel.core.title import title
from kessel.table.answers import Made
from kessel.table.notify import Notifying, parse_smtp
from kessel.table.page import STATIC
from kessel.table.remote import Remote
from kessel.table.seats import PROGRAM, seat_for
from kessel.table.serve import Place, announce, data_folder, open_page, run, running
from kessel.table.settings import Settings

BOTH = "me"
"""The opponent's seat is played at the same screen."""


def play_in_browser(
    game_scenario: str,
    out: Console,
    *,
    opponent: str | None = None,
    side: str = "",
    seed: int | None = None,
    port: int | None = None,
    data: Path | None = None,
    browser: bool = True,
) -> None:
    """Open the page; with a scenario, at a new table of it. A server that runs already on the same data is used."""
    if not (STATIC / "index.html").is_file():
        raise BadInput("the page is not built; run `make play` once, or play with --terminal")
    wanted = new_table(game_scenario, opponent, side, seed) if game_scenario else None
    folder = data or data_folder()

    def show(at: str) -> None:
        page = at + "/"
        if wanted is not None:
            page = _begin(at, wanted)
        out.print(page, soft_wrap=True, markup=False)
        if browser:
            open_page(page)

    at = running(folder)
    if at is not None:
        show(at)
        return

    def ready(at: str) -> None:
        announce(folder, at)
        show(at)
        draw_maps(folder / "maps")
        out.print("Ctrl+C ends the server; every game is kept.", markup=False)

    run(Place(port=port, data=folder), ready, log_level="warning")


def draw_maps(folder: Path) -> None:
    """Draw what was never drawn here, beside the server, so that nobody waits for it."""
    command = [sys.executable, "-m", "kessel.table.maps", str(folder)]
    with contextlib.suppress(OSError):
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def new_table(game_scenario: str, opponent: str | None, side: str, seed: int | None) -> dict[str, object]:
    """What to ask of the server for `GAME/SCENARIO`; BadInput before anything is started."""
    game, slash, scenario = game_scenario.partition("/")
    t, pack = title(game), Pack(game)
    if not slash:
        raise BadInput(f"name a scenario, as in {game}/{t.scenarios(pack)[0].id}")
    t.scenario(pack, scenario)
    mine = t.side(side) if side else t.played[0]
    other = f"{PROGRAM}:{opponent or levels(game)[-1]}" if opponent != BOTH else BOTH
    seats = {t.sides[i]: "me" if i == mine else other for i in t.played}
    for name, who in seats.items():
        seat_for(game, name, who)
    return {"game": game, "scenario": scenario, "seats": seats, "seed": seed}


def _begin(at: str, wanted: dict[str, object]) -> str:
    """The link of the first seat; where several are played here, the page that lists the table."""
    made: Made = Remote(at).call("/tables", wanted, form=Made)
    if len(made.tokens) > 1:
        return at + "/"
    return f"{at}/table/{made.id}#{next(iter(made.tokens.values()), made.watch)}"


def serve(place: Place, out: Console, *, share: bool, smtp: str, webhooks: bool, link: str, log_level: str) -> None:
    """A server for others: seats are held by their links alone."""
    place.settings.one_person = place.local and not share
    place.settings.notify = Notifying(
        webhooks=webhooks, anywhere=place.settings.one_person, smtp=parse_smtp(smtp) if smtp else None, link=link
    )

    def ready(at: str) -> None:
        out.print(at + "/", soft_wrap=True, markup=False)

    run(place, ready, log_level=log_level)


__all__ = ["Place", "Settings", "play_in_browser", "serve"]
