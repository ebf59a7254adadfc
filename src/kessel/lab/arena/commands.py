"""`kessel arena`: pairs of games between programs, sequential tests, ratings, the position suite, the report."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress, TaskID

from kessel.bots import player
from kessel.core.errors import BadInput
from kessel.core.pack import Pack
from kessel.core.title import title
from kessel.lab.arena import fit as fits
from kessel.lab.arena import report as reports
from kessel.lab.arena import suite as suites
from kessel.lab.arena.matches import Pair, PairScore, pairs
from kessel.lab.arena.ratings import Ratings
from kessel.lab.arena.series import Tested, codes, mean_and_error, play_pairs, rate_kept, run_test
from kessel.lab.arena.sprt import Test, elo_of, interval
from kessel.lab.arena.store import DEFAULT, Store

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Which program is stronger, by how much, and how sure is that?"
)
Db = Annotated[Path, typer.Option("--db", help="The file the games are kept in.")]
Wheres = Annotated[str, typer.Option("--games", help="GAME/SCENARIO, several with commas between.")]
Workers = Annotated[int, typer.Option(min=1, help="Processes.")]
OnRay = Annotated[
    str, typer.Option("--ray", metavar="ADDRESS", help="Play on a Ray cluster; local starts one of --workers here.")
]
Rollouts = Annotated[
    int, typer.Option(min=0, help="For programs that look ahead: so many trials a turn instead of seconds.")
]
Seed = Annotated[int, typer.Option(help="The first seed.")]
AllCode = Annotated[bool, typer.Option("--all-code", help="Also games played by other code than today's.")]


def _wheres(text: str) -> list[str]:
    found = [x.strip() for x in text.split(",") if x.strip()]
    for x in found:
        game, slash, scenario = x.partition("/")
        if not slash:
            raise BadInput(f"name a scenario, as in {game}/{title(game).scenarios(Pack(game))[0].id}", "--games")
        title(game).scenario(Pack(game), scenario)
    return found


def _level(name: str, rollouts: int, wheres: list[str]) -> str:
    """The program with its fixed number of trials, so that its games are the same on every machine."""
    for where in wheres:
        made = player(where.partition("/")[0], name)
        if rollouts and hasattr(made, "rollouts") and "rollouts=" not in name:
            name += f"{',' if '?' in name else '?'}rollouts={rollouts}"
    return name


@contextmanager
def _progress(what: str, total: int) -> Iterator[tuple[Progress, TaskID]]:
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        yield progress, progress.add_task(what, total=total)


def _tell(a: str, b: str, scores: list[PairScore]) -> None:
    mean, low, high = interval([s.score for s in scores])
    better, error = mean_and_error([s.better for s in scores])
    print(f"{a} against {b}: {len(scores)} pairs, score {2 * mean:.2f} of 2 ({2 * low:.2f} to {2 * high:.2f}),")
    print(f"  {elo_of(mean):+.0f} Elo, {better:+.1f} Victory Points better on the same side (error {error:.1f})")
    for where in dict.fromkeys(f"{s.pair.game}/{s.pair.scenario}" for s in scores):
        some = [s for s in scores if f"{s.pair.game}/{s.pair.scenario}" == where]
        mean, low, high = interval([s.score for s in some])
        better, error = mean_and_error([s.better for s in some])
        sides = [sum(s.games[i] for s in some) for i in range(len(some[0].games))]
        won = ", ".join(f"{n:g} as {title(some[0].pair.game).sides[i]}" for i, n in enumerate(sides))
        print(f"  {where}: {len(some)} pairs, {2 * mean:.2f} of 2 ({2 * low:.2f} to {2 * high:.2f}); won {won};")
        print(f"    {better:+.1f} Victory Points (error {error:.1f})")


@app.command()
def run(
    games: Wheres,
    players: Annotated[str, typer.Option(help="Programs, several with semicolons between: greedy;greedy?risk=0.1")],
    pairs_: Annotated[int, typer.Option("--pairs", min=1, help="Seeds for every two programs and scenario.")] = 10,
    seed: Seed = 0,
    rollouts: Rollouts = 0,
    workers: Workers = 1,
    ray: OnRay = "",
    baseline: Annotated[bool, typer.Option(help="Also the first program against itself, for margins by side.")] = False,
    db: Db = DEFAULT,
) -> None:
    """Let every two of some programs play pairs: each seed twice, with sides exchanged. Goes on where it stopped."""
    wheres = _wheres(games)
    names = [_level(x.strip(), rollouts, wheres) for x in players.replace(";", "\n").splitlines() if x.strip()]
    if len(names) < 2 and not baseline:
        raise BadInput("name two programs or more, with a semicolon between", "--players")
    store, seeds = Store(db), range(seed, seed + pairs_)
    wanted: list[Pair] = [p for a, b in combinations(names, 2) for p in pairs(wheres, a, b, seeds)]
    if baseline:
        wanted += pairs(wheres, names[0], names[0], seeds)
    scores: dict[tuple[str, str], list[PairScore]] = {}
    with _progress("pairs", len(wanted)) as (progress, task):
        for score in play_pairs(store, wanted, workers, ray):
            scores.setdefault((score.pair.a, score.pair.b), []).append(score)
            progress.advance(task)
    for (a, b), several in scores.items():
        _tell(a, b, several)


@app.command("test")
def compare(
    new: Annotated[str, typer.Argument(help="A program, as elite or greedy?risk=0.1")],
    old: Annotated[str, typer.Argument(help="The program it is to beat.")],
    games: Wheres,
    sprt: Annotated[str, typer.Option(help="Not stronger than, at least that much stronger, in Elo.")] = "0,60",
    most: Annotated[int, typer.Option(min=1, help="Seeds at most.")] = 200,
    seed: Seed = 0,
    rollouts: Rollouts = 0,
    workers: Workers = 1,
    ray: OnRay = "",
    db: Db = DEFAULT,
) -> None:
    """Play pairs until it is known whether a program is stronger than another. Exit code 1 if it is not shown to be."""
    wheres = _wheres(games)
    try:
        elo0, elo1 = (float(x) for x in sprt.split(","))
    except ValueError:
        raise BadInput("two numbers with a comma between, as 0,60", "--sprt") from None
    if elo0 >= elo1:
        raise BadInput("the second number is the larger one", "--sprt")
    a, b = _level(new, rollouts, wheres), _level(old, rollouts, wheres)
    wanted = pairs(wheres, a, b, range(seed, seed + most))
    with _progress("pairs at most", most * len(wheres)) as (progress, task):

        def each(now: Tested) -> None:
            progress.update(task, advance=1, description=f"LLR {now.llr:+.2f}")

        found = run_test(Store(db), wanted, Test(elo0, elo1), workers=workers, ray=ray, each=each)
    _tell(a, b, found.scores)
    low, high = found.test.bounds
    print(f"LLR {found.llr:+.2f} between {low:+.2f} and {high:+.2f}: {found.verdict}")
    if found.verdict != "stronger":
        sys.exit(1)


def _codes(store: Store, all_code: bool) -> dict[str, str] | None:
    return None if all_code else codes({m.game for m, _ in store.games()})


@app.command()
def ratings(
    db: Db = DEFAULT,
    reference: Annotated[str, typer.Option(help="The program rated 0.")] = "greedy",
    where: Annotated[str, typer.Option("--game", help="Of one GAME/SCENARIO only.")] = "",
    all_code: AllCode = False,
) -> None:
    """Rate all programs that played, with the advantage of the first side in each scenario."""
    store = Store(db)
    found: Ratings = rate_kept(store, _codes(store, all_code), reference, where)
    for p, r in found.players.items():
        print(f"{r.elo:+7.0f}  {r.low:+7.0f} to {r.high:+5.0f}  {p}")
    for name, r in found.advantages.items():
        t = title(name.partition("/")[0])
        print(f"{r.elo:+7.0f}  {r.low:+7.0f} to {r.high:+5.0f}  {t.sides[t.played[0]]} in {name}")


@app.command()
def report(
    output: Annotated[Path, typer.Argument(help="A page (.html), or a document whose ladder is written anew (.md).")],
    db: Db = DEFAULT,
    reference: Annotated[str, typer.Option(help="The program rated 0.")] = "greedy",
    all_code: AllCode = False,
) -> None:
    """Write the report: a page with plots, or the tables into docs/opponents.md."""
    store = Store(db)
    found = reports.find(store, _codes(store, all_code), reference)
    if output.suffix == ".md":
        reports.put_into(output, reports.markdown(found))
    else:
        output.write_text(reports.page(found))


@app.command()
def fit(
    where: Annotated[str, typer.Argument(metavar="GAME/SCENARIO")],
    rows: Annotated[Path, typer.Option(help="The file positions are kept in; those it has are not played again.")],
    gather: Annotated[int, typer.Option(min=0, help="Games of greedy against itself whose positions are added.")] = 0,
    seed: Seed = 1000,
    output: Annotated[Path | None, typer.Option("--out", help="Where the weights go: bots/<id>/worth.json.")] = None,
) -> None:
    """Fit what a position is worth to how games ended, and say how well it foretells games it has not seen."""
    game, _, scenario = _wheres(where)[0].partition("/")
    with _progress(where, gather) as (progress, task):
        found = fits.gather(rows, game, scenario, range(seed, seed + gather), lambda: progress.advance(task))
    if len({r.seed for r in found}) < fits.FOLDS:
        raise BadInput(f"{rows} has too few games for a fit", "--gather")
    for word, several in fits.held_out(found, scenario).items():
        for x in several:
            told = f"correlation {x.correlation:+.2f}, error {x.error:.0f} Victory Points, log loss {x.log_loss:.3f}"
            print(f"{word:7} turns {x.turns:8} {x.rows:5} positions: {told}")
    mean, error = fits.advantage(found, scenario)
    print(f"log loss of a game less than by points: {mean:+.3f} (error {error:.3f})")
    worth = fits.fit(found, scenario)
    for name, w in worth.parts.items():
        print(f"{name:15} {w.at(1):+8.3f} at the beginning, {w.at(0):+8.3f} at the end")
    if output is not None:
        output.write_bytes(msgspec.json.format(msgspec.json.encode(worth), indent=1) + b"\n")


@app.command()
def suite(
    games: Wheres,
    level: Annotated[str, typer.Option("--player", help="The program whose turns are measured.")] = "",
    gather: Annotated[int, typer.Option(min=0, help="First keep positions of so many more games.")] = 0,
    every: Annotated[int, typer.Option(min=1, help="One player turn in so many.")] = 5,
    seed: Seed = 500,
    most: Annotated[int, typer.Option(min=1, help="Positions of each scenario.")] = 50,
    dice: Annotated[int, typer.Option(min=1, help="Times each is played out.")] = 3,
    turns: Annotated[int, typer.Option(min=0, help="Game turns played out; 0: to the end.")] = 0,
    rollouts: Rollouts = 0,
    db: Db = DEFAULT,
) -> None:
    """What one turn of a program is worth against one of greedy, from kept positions played out by greedy."""
    wheres, store = _wheres(games), Store(db)
    for where in wheres:
        game, _, scenario = where.partition("/")
        if gather:
            added = suites.gather(store, game, scenario, range(seed, seed + gather), every)
            print(f"{where}: {added} positions kept")
        if not level:
            continue
        found = suites.positions(store, game, scenario)[:most]
        name = _level(level, rollouts, [where])
        values: dict[int, list[float]] = {}
        with _progress(where, len(found)) as (progress, task):
            for gain in suites.gains(store, found, name, dice, turns):
                values.setdefault(gain.position.side, []).append(gain.mean)
                progress.advance(task)
        everything = [x for several in values.values() for x in several]
        for what, several in [(title(game).sides[s], v) for s, v in sorted(values.items())] + [("both", everything)]:
            mean, error = mean_and_error(several)
            print(f"{where} {what}: {mean:+.2f} Victory Points a turn (error {error:.2f}), {len(several)} positions")
