"""The command line. Exit codes: 0 ok, 1 the answer is no or a check failed, 2 bad input."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.table import Column
from rich.table import Table as RichTable

from kessel import library
from kessel.cli_lab import app as lab_app
from kessel.cli_shared import AsJson, emit, out, pairs, split
from kessel.core.analysis import read_position
from kessel.core.errors import BadInput, IllegalAction, KesselError, Malformed, WrongRecord
from kessel.core.game import Game, outcome_json
from kessel.core.overlaycheck import strange_folders
from kessel.core.pack import OVERLAY_VARIABLE, Pack, check_overlay, overlay_folders
from kessel.core.packcheck import check_pack
from kessel.core.provenance import provenance_of
from kessel.core.record import read_record
from kessel.core.rules import coverage, find, statements
from kessel.core.title import title, titles

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Operational wargames of the Eastern Front, every rule enforced."
)
pack_app = typer.Typer(no_args_is_help=True, help="The charts, counters and maps of a game.")
app.add_typer(pack_app, name="pack")
app.add_typer(lab_app)
UsageError: Any = typer.BadParameter.__base__

ADMIN_VARIABLE = "KESSEL_ADMIN"


def main() -> None:
    try:
        sys.exit(app(standalone_mode=False))
    except UsageError as e:
        misused(e)
    except (IllegalAction, WrongRecord) as e:
        fail(str(e), 1)
    except KesselError as e:
        fail(str(e), 2)
    except typer.Abort:
        fail("stopped", 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as e:
        fail(f"{e.filename}: {e.strerror}" if e.filename else str(e), 2)
    except (LookupError, TypeError, ValueError, AttributeError) as e:
        if not os.environ.get(OVERLAY_VARIABLE):
            raise
        what = f"the data in {os.environ[OVERLAY_VARIABLE]} cannot be played with ({type(e).__name__}: {e})"
        fail(f"{what}; `kessel pack check` may say more", 2)


def misused(e: Any) -> None:
    """A wrong word, option or number on the command line; without a message the help has been shown instead."""
    message = str(e.format_message()).rstrip(".?")
    if not message:
        sys.exit(2)
    path = e.ctx.command_path if e.ctx else "kessel"
    command = path.removeprefix("kessel").strip()
    said = message[0].lower() + message[1:]
    fail(f"{command}: {said}; see {path} --help" if command else f"{said}; see {path} --help", 2)


def fail(message: str, code: int) -> None:
    print(f"kessel: {message}", file=sys.stderr)
    sys.exit(code)


@app.callback()
def options(
    packs: Annotated[
        list[Path] | None, typer.Option("--packs", help="A folder that overlays pack files; may be given again.")
    ] = None,
) -> None:
    if packs:
        os.environ[OVERLAY_VARIABLE] = os.pathsep.join(map(str, packs))
    for folder in overlay_folders():
        check_overlay(folder)


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games with their scenarios, sides and how much of each pack is stated, public or reconstructed."""
    from kessel.bots import what_levels_do

    found: list[dict[str, Any]] = []
    for t in titles().values():
        pack = Pack(t.id)
        scenarios = [
            {
                "id": s.id,
                "name": s.name,
                "turns": s.turns,
                "about": s.about,
                "options": {o.id: {"rule": o.rule, "values": list(o.values), "default": o.default} for o in s.options},
            }
            for s in t.scenarios(pack)
        ]
        counts = provenance_of(pack)
        found.append(
            {
                "id": t.id,
                "name": t.name,
                "about": t.about,
                "sides": list(t.sides),
                "played": [t.sides[i] for i in t.played],
                "scenarios": scenarios,
                "provenance": {k: counts.get(k, 0) for k in ("stated", "public", "reconstructed")},
                "programs": what_levels_do(t.id),
                "pack": pack.digest,
            }
        )
    if as_json:
        emit(found)
        return
    table = RichTable(Column("game", no_wrap=True), "scenario", "turns", "what it is")
    for g in found:
        for s in g["scenarios"]:
            table.add_row(f"{g['id']}/{s['id']}", s["name"], str(s["turns"]), s["about"])
    out.print(table, soft_wrap=False)
    for g in found:
        p = g["provenance"]
        total = sum(p.values()) or 1
        shares = ", ".join(f"{round(100 * n / total)} % {k}" for k, n in p.items())
        out.print(f"{g['name']}: {shares}")
    told: dict[str, str] = {}
    for g in found:
        told |= {name: words for name, words in g["programs"].items() if name not in told}
    for name, words in told.items():
        out.print(f"program {name}: {words}")


@app.command()
def new(
    game_scenario: Annotated[str, typer.Argument(metavar="GAME/SCENARIO")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write the record.")],
    seed: Annotated[int | None, typer.Option(help="The dice; random if left out.")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", help="name=value; may be given again.")] = None,
) -> None:
    """Start a game and write its record."""
    game, scenario = split(game_scenario)
    if output.exists():
        raise BadInput("there is a file already; a game is never overwritten", str(output))
    Game.new(game, scenario, seed=seed, options=pairs(option)).save(output)


@app.command()
def show(
    record: Path,
    as_json: AsJson = False,
    side: Annotated[str, typer.Option(help="What this side sees; left out, the side that must decide.")] = "",
) -> None:
    """Show where a game stands: turn, who must decide what, and the choices."""
    from kessel.table.terminal import show_game

    game = Game.replay(read_record(record), where=str(record))
    seat = game.title.side(side) if side else (game.side if game.side >= 0 else None)
    if as_json:
        import msgspec

        print(msgspec.json.encode(game.view(seat)).decode())
    else:
        show_game(game, seat, out)


@app.command()
def replay(
    record: Path,
    verify: Annotated[bool, typer.Option("--verify", help="Only check every action, die and digest.")] = False,
    commitment: Annotated[str, typer.Option(help="The commitment you noted at the table; must be the record's.")] = "",
    entropy: Annotated[str, typer.Option(help="What you added to the dice; must be in them.")] = "",
    as_json: AsJson = False,
) -> None:
    """Play a record again, checking every action, every die and every digest. Exit code 1 if it does not hold."""
    game = Game.replay(read_record(record), where=str(record))
    if entropy and not commitment:
        raise BadInput("what you added is checked together with --commitment", "--entropy")
    if commitment:
        game.record.check_pledge(commitment, entropy)
    doubts = game.record.doubts()
    result = game.outcome()
    doc = {
        "game": game.title.id,
        "scenario": game.scenario,
        "actions": len(game.entries),
        "over": game.over,
        "digest": game.board.digest(),
        "outcome": None if result is None else outcome_json(game.title, result),
        "doubts": doubts,
    }
    if as_json:
        emit(doc)
    elif verify:
        print(f"{record}: {doc['actions']} actions, all as recorded" + (f"; but {doubts}" if doubts else ""))
    else:
        for n, e in enumerate(game.entries, start=1):
            dice = " ".join(str(r.value) for r in e.dice)
            print(f"{n:5} {game.title.sides[e.side]:8} {e.text}" + (f"   dice {dice}" if dice else ""))


@app.command()
def analyze(
    position: Path,
    as_json: Annotated[
        bool | None, typer.Option("--json/--text", help="JSON, or words; left out: words on a terminal.")
    ] = None,
) -> None:
    """Answer the questions a position asks. `-` reads standard input."""
    raw = sys.stdin.buffer.read() if str(position) == "-" else read(position)
    found = at(position, lambda: library.analyze(raw))
    if as_json or (as_json is None and not sys.stdout.isatty()):
        emit(found)
        return
    from kessel.table.told import tell_answers

    print(tell_answers(found))


T = TypeVar("T")


def at(position: Path, what: Callable[[], T]) -> T:
    """What is wrong with a position's text is told by line, as JSON paths cannot tell it."""
    try:
        return what()
    except Malformed as e:
        name = "standard input" if str(position) == "-" else str(position)
        raise BadInput(e.message, f"{name}:{e.line}:{e.column}") from None


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as e:
        raise BadInput(f"the file cannot be read: {e.strerror}", str(path)) from None


@app.command()
def rules(
    game: str,
    number: Annotated[str, typer.Argument(help="A rule number; with those below it.")] = "",
    covered: Annotated[bool, typer.Option("--coverage", help="Count the statements that a test proves.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a game's rules in our words, or how many of them the tests prove."""
    pack = Pack(title(game).id)
    if covered:
        from kessel.lab.coverage import proven

        show_coverage(coverage(pack, proven(game)[0], number), as_json)
        return
    found = find(pack, number) if number else statements(pack)
    if as_json:
        emit([asdict(s) for s in found])
        return
    for s in found:
        print(f"{s.rule:10} {s.title}")
        if number and s.source:
            print(f"{'':10} {s.source}")


def show_coverage(doc: dict[str, Any], as_json: bool) -> None:
    if as_json:
        emit(doc)
        return
    table = RichTable("chapter", "statements", "covered", "%")
    for chapter, c in doc["chapters"].items():
        share = 100 * c["covered"] / c["statements"]
        table.add_row(chapter, str(c["statements"]), str(c["covered"]), f"{share:.0f}")
    out.print(table, soft_wrap=False)
    out.print(f"{doc['covered']} of {doc['statements']} statements; {doc['notes']} are notes")


@pack_app.command("check")
def pack_check(game: Annotated[str, typer.Argument(help="A game; all if left out.")] = "") -> None:
    """Check a game's data: schema, references, adjacency, set-ups. Errors as file:line."""
    faults = [f for folder in overlay_folders() for f in strange_folders(folder, list(titles()))]
    for t in [title(game)] if game else titles().values():
        faults.extend(check_pack(t, Pack(t.id)))
    for fault in faults:
        print(fault)
    if faults:
        sys.exit(1)
    out.print("sound")


@app.command("map")
def draw_map(
    game: str,
    output: Annotated[Path, typer.Option("-o", "--output", help="FILE.svg or FILE.png")],
    area: Annotated[str, typer.Option(help="Two corner hexes (1010-2520), or an area of the board.")] = "",
    position: Annotated[Path | None, typer.Option(help="Draw this position's units.")] = None,
    zoom: Annotated[float, typer.Option(min=0.05, max=4, help="Size of a PNG; a hex is 97 pixels wide at 1.")] = 1.0,
) -> None:
    """Draw a game's map, or a position on it."""
    from kessel.render import map_svg, write_picture

    t, pack = title(game), Pack(game)
    drawn, view = pack.map, None
    if position is not None:
        raw = read(position)
        found, board, _ = at(position, lambda: read_position(raw))
        if found.id != t.id:
            raise BadInput(f"the position is one of {found.id}, not of {game}", str(position))
        drawn, view = board.map, t.view(board, None)
    svg = map_svg(drawn, area=area or None, view=view, title=t.name, embed_fonts=output.suffix.lower() == ".svg")
    write_picture(svg, output, zoom=zoom)


Port = Annotated[int | None, typer.Option(min=0, max=65535, help="Left out: 8642, or a free one if that is taken.")]
Data = Annotated[Path | None, typer.Option("--data", help="Where the tables are kept; the user's data folder.")]


@app.command()
def play(
    game_scenario: Annotated[str, typer.Argument(metavar="GAME/SCENARIO")] = "",
    terminal: Annotated[bool, typer.Option("--terminal", help="Play here instead of in the browser.")] = False,
    record: Annotated[Path | None, typer.Option(help="At the terminal: go on with this record, or write it.")] = None,
    opponent: Annotated[
        str | None, typer.Option(help="A program for the other side, or 'me'; the best one in the browser.")
    ] = None,
    side: Annotated[str, typer.Option(help="Your side, if a program plays the other.")] = "",
    seed: int | None = None,
    port: Port = None,
    data: Data = None,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Play in the browser: the list of games, or a new game of a scenario at once. Or at the terminal."""
    if terminal or record is not None:
        from kessel.table.terminal import play_at_terminal

        if side and game_scenario:
            title(split(game_scenario)[0]).side(side)
        other = "" if opponent in (None, "me") else opponent or ""
        play_at_terminal(game_scenario, record, other, side, seed, out)
        return
    from kessel.table.home import play_in_browser

    play_in_browser(game_scenario, out, opponent=opponent, side=side, seed=seed, port=port, data=data, browser=browser)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="0.0.0.0 to be reached from other machines.")] = "127.0.0.1",
    port: Port = None,
    data: Data = None,
    db: Annotated[str, typer.Option(help="A database instead: postgresql://USER@HOST/NAME.")] = "",
    share: Annotated[
        bool, typer.Option("--share", help="Seats are held by their links alone; always so beyond this machine.")
    ] = False,
    fsync: Annotated[
        bool, typer.Option("--fsync", help="Wait for the disk at every action: power failures lose nothing.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes in which programs think.")] = 1,
    turn_seconds: Annotated[float, typer.Option(min=1, help="How long a program may think about a turn.")] = 60,
    webhooks: Annotated[bool, typer.Option("--webhooks", help="Tell persons of their turn by webhook.")] = False,
    smtp: Annotated[
        str, typer.Option(envvar="KESSEL_SMTP", help="And by mail: smtp://USER:PASSWORD@HOST:PORT/sender@example.org")
    ] = "",
    link: Annotated[str, typer.Option(help="The address under which others find the page; stands in mails.")] = "",
    proxy: Annotated[
        list[str] | None, typer.Option(help="A proxy whose X-Forwarded-For counts, by address or network; again.")
    ] = None,
    admin_key: Annotated[
        str, typer.Option(envvar=ADMIN_VARIABLE, help="With this key all tables can be listed and removed.")
    ] = "",
    tables_an_address: Annotated[int, typer.Option(min=1, help="Tables kept of one address.")] = 50,
    tables_a_minute: Annotated[int, typer.Option(min=1, help="New tables of one address.")] = 10,
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error.")] = "info",
) -> None:
    """Serve tables to others. The log goes to standard error, one JSON document a line."""
    from kessel.table.addresses import check_proxies
    from kessel.table.home import Place, Settings
    from kessel.table.home import serve as serve_tables

    if log_level not in ("debug", "info", "warning", "error"):
        raise BadInput(f"a log level is debug, info, warning or error, not {log_level!r}")
    if admin_key and len(admin_key) < 16:
        raise BadInput("an administrator's key has 16 characters or more", "--admin-key")
    settings = Settings(
        workers=workers,
        turn_seconds=turn_seconds,
        proxies=check_proxies(proxy or []),
        admin=admin_key,
        tables_an_address=tables_an_address,
        tables_a_minute=tables_a_minute,
    )
    place = Place(host=host, port=port, data=data, db=db, fsync=fsync, settings=settings)
    serve_tables(place, out, share=share, smtp=smtp, webhooks=webhooks, link=link, log_level=log_level)


@app.command()
def tables(
    server: Annotated[str, typer.Argument(metavar="URL", help="A server's address: http://HOST:PORT")],
    admin_key: Annotated[str, typer.Option(envvar=ADMIN_VARIABLE, help="The administrator's key.")] = "",
    delete: Annotated[list[str] | None, typer.Option(help="Throw this table away; may be given again.")] = None,
    as_json: AsJson = False,
) -> None:
    """For a server's administrator: list its tables, or throw some away."""
    from kessel.table.remote import Remote

    remote = Remote(server, token=admin_key)
    for table in delete or []:
        remote.call(f"/tables/{table}", method="DELETE")
    found = remote.call("/admin/tables")
    if as_json:
        emit(found)
        return
    for row in found:
        played = f"{row['version']} actions" if row["played"] else "never played"
        print(f"{row['id']:14} {row['game']}/{row['scenario']:24} {played:16} made by {row['made_by']}")


@app.command()
def connect(
    link: Annotated[str, typer.Argument(metavar="URL", help="A seat's link, an invitation or a recovery link.")],
    bot: Annotated[str, typer.Option(help="Let this program play the seat.")] = "",
) -> None:
    """Play a seat at a table elsewhere, from the terminal or as a program."""
    from kessel.table.connect import play_as_program, play_by_link

    if bot:
        play_as_program(link, bot, out)
    else:
        play_by_link(link, out)


if __name__ == "__main__":
    main()
