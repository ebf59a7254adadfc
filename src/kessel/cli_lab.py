"""The commands for many games: series of them, what comes up in them, how quick it all is, and reports."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from kessel.cli_shared import AsJson, emit, out, pairs, split
from kessel.core.errors import BadInput
from kessel.core.pack import Pack
from kessel.core.title import title

app = typer.Typer()


def programs_of(game: str, bots: str, otherwise: str) -> tuple[str, ...]:
    """The programs of the played sides, as greedy:random."""
    t = title(game)
    levels = tuple(bots.split(":")) if bots else (otherwise,) * len(t.played)
    if len(levels) != len(t.played):
        names = ":".join(t.sides[i] for i in t.played)
        raise BadInput(f"{game} needs {len(t.played)} program(s), for {names}, not {bots!r}")
    return levels


@app.command()
def census(
    game_scenario: Annotated[str, typer.Argument(metavar="GAME[/SCENARIO]")],
    bots: Annotated[str, typer.Option(help="Programs of the sides, as greedy:random; left out: the best.")] = "",
    games: Annotated[int, typer.Option(min=1, help="Of each scenario.")] = 5,
    seed: int = 0,
    as_json: AsJson = False,
) -> None:
    """Let programs play whole games and count every step, verb and chapter of the rules: what never comes up?"""
    from kessel.bots import levels, player
    from kessel.lab.census import as_json as census_json
    from kessel.lab.census import show, take_census

    game, _, scenario = game_scenario.partition("/")
    programs = programs_of(game, bots, levels(title(game).id)[-1])
    for level in programs:
        player(game, level)
    t, pack = title(game), Pack(game)
    scenarios = [t.scenario(pack, scenario).id] if scenario else [s.id for s in t.scenarios(pack)]
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(game_scenario, total=games * len(scenarios))
        found = take_census(game, scenarios, programs, games, seed=seed, each=lambda: progress.advance(task))
    if as_json:
        emit(census_json(found))
    else:
        show(found, out)


@app.command()
def sim(
    game_scenario: Annotated[str, typer.Argument(metavar="GAME/SCENARIO")],
    bots: Annotated[str, typer.Option(help="Programs of the sides, as greedy:random; left out: random.")] = "",
    games: Annotated[int, typer.Option(min=1)] = 10,
    seed: int = 0,
    workers: Annotated[int, typer.Option(min=1)] = 1,
    option: Annotated[list[str] | None, typer.Option("--option", help="name=value; may be given again.")] = None,
    as_json: AsJson = False,
    verify: Annotated[bool, typer.Option(help="Replay every record and compare.")] = True,
    resume: Annotated[
        Path | None, typer.Option(help="Keep finished games in this file; those it has are not played again.")
    ] = None,
    ray: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Play on this Ray cluster; local: on one of --workers, started here.")
    ] = "",
    out_file: Annotated[
        Path | None, typer.Option("--out", help="Write FILE.sqlite or FILE.parquet: a row a game, a row a turn.")
    ] = None,
) -> None:
    """Let programs play many games and check every one. Exit code 1 if any has a fault."""
    from kessel.lab.keep import check_out, games_of, turns_of, write_tables
    from kessel.lab.simulate import simulate, summary, tell_summary

    if out_file is not None:
        check_out(out_file)
    game, scenario = split(game_scenario)
    levels = programs_of(game, bots, "random")
    title(game).scenario(Pack(game), scenario)
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(game_scenario, total=games)
        results = simulate(
            game,
            scenario,
            levels,
            games,
            seed=seed,
            workers=workers,
            options=pairs(option),
            verify=verify,
            each=lambda _: progress.advance(task),
            resume=resume,
            ray=ray,
        )
    if out_file is not None:
        tables = {"games": games_of, "turns": turns_of}
        rows = {name: list(of(game, scenario, levels, results)) for name, of in tables.items()}
        write_tables(out_file, rows)
    doc = summary(game, results)
    if as_json:
        emit(doc)
    else:
        print("\n".join(tell_summary(doc)))
    if doc["faults"] or doc["replay_mismatches"] or doc["finished"] != doc["games"]:
        sys.exit(1)


@app.command()
def report(
    record: Path,
    output: Annotated[Path, typer.Option("-o", "--output", help="FILE.html")],
) -> None:
    """Write an after-action report of a game: maps by turn, decisive fights, supply, luck, losses; one page of HTML."""
    from kessel.core.game import Game
    from kessel.core.record import read_record
    from kessel.report.page import report as page_of

    if output.suffix.lower() not in (".html", ".htm"):
        raise BadInput("a report is written as .html", str(output))
    output.write_text(page_of(Game.replay(read_record(record), where=str(record))), encoding="utf-8")


WHOLE = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


@app.command(context_settings=WHOLE)
def arena(ctx: typer.Context) -> None:
    """Programs against each other: run, test, ratings, report, suite. `kessel arena --help` says more."""
    try:
        from kessel.lab.arena.commands import app as commands
    except ModuleNotFoundError as e:
        raise BadInput(f"this needs {e.name}, which is not installed; get it with: pip install 'kessel[lab]'") from None
    sys.exit(commands(args=ctx.args, prog_name="kessel arena", standalone_mode=False))


@app.command()
def study(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A folder for report.html, games.sqlite and finished games.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1)] = 1,
    games: Annotated[int | None, typer.Option(min=1, help="Of each series; left out: as the study says.")] = None,
    write: Annotated[Path | None, typer.Option(help="Put the figures between the study marks of this page.")] = None,
) -> None:
    """Play a study's series of games and report on them. What was played already is not played again."""
    from kessel.lab.study import read_study
    from kessel.lab.study_files import make_study

    doc = read_study(file)
    doc.games = games or doc.games
    folder = output or Path(f"{file.stem}-study")
    total = sum(map(doc.games_of, doc.scenarios)) * len(doc.variants)
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(doc.title, total=total)
        found = make_study(doc, folder, workers=workers, page=write, each=lambda _: progress.advance(task))
    for path in found:
        print(path)


@app.command()
def bench(as_json: AsJson = False, only: Annotated[str, typer.Option(help="Names that contain this.")] = "") -> None:
    """Measure against references in the same run."""
    try:
        from kessel.lab.bench import run_benchmarks, show_benchmarks

        found = run_benchmarks(only)
    except ModuleNotFoundError as e:
        raise BadInput(f"this needs {e.name}, which is not installed; get it with: pip install 'kessel[lab]'") from None
    if not found:
        raise BadInput(f"no benchmark has {only!r} in its name", "--only")
    if as_json:
        emit(found)
    else:
        show_benchmarks(found, out)
