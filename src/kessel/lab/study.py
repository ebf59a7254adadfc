"""Studies: series of games of several scenarios and variants, compared.

    title = "What if the second Kharkov reserve came earlier?"
    game = "kharkov43"
    scenarios = ["campaign"]
    programs = ["greedy"]
    games = 100

    [[variant]]
    name = "as it is"

    [[variant]]
    name = "stronger line"
    set = [{file = "tables/crt.csv", row = "4", column = "2-1", value = "DR2 Adv2"}]

    [[event]]
    name = "Kharkov falls"
    place = "Kharkov"
    side = "soviet"
    history = 5

    [[count]]
    name = "hold checks"
    rules = ["12.53c"]

docs/simulation.md tells of all keys.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from math import sqrt
from pathlib import Path

import msgspec

from kessel.bots import player
from kessel.core.errors import BadInput
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.title import title
from kessel.lab.overlay import Change, write_overlay
from kessel.lab.simulate import Result, simulate
from kessel.report.course import owners_of


class Variant(msgspec.Struct, forbid_unknown_fields=True):
    """One way to play: changed values, folders of an overlay, options, other programs."""

    name: str = "as it is"
    set: list[Change] = []
    packs: list[str] = []
    options: dict[str, str] = {}
    programs: list[str] = []


class Dated(msgspec.Struct, forbid_unknown_fields=True):
    """The turn at whose end a side first has taken a place, or first after another event; and when history had it.

    With `units` (ids, `*` for any letters): the turn in which one of them, or the `least`-th, first came to one of the
    places. With `rules` and no place: the turn in which the log first told of one of these rules. With `milestone` and
    no place: the turn at whose end that was first so (`Title.milestones`).
    """

    name: str
    place: str | list[str] = []
    side: str = ""
    history: int = 0
    after: str = ""
    units: list[str] = []
    least: int = 1
    rules: list[str] = []
    milestone: str = ""

    @property
    def places(self) -> list[str]:
        return [self.place] if isinstance(self.place, str) else self.place


class Count(msgspec.Struct, forbid_unknown_fields=True):
    """How often the log tells of some rules, or a verb is done (`german hasty`), in a game.

    With `units` (ids, `*` for any letters): how many times one of them took part in what those verbs do.
    """

    name: str
    rules: list[str] = []
    verbs: list[str] = []
    units: list[str] = []


class Study(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    game: str
    scenarios: list[str]
    programs: list[str]
    games: int | dict[str, int]
    """Of each series, or by scenario: some take a second, some a minute."""
    name: str = ""
    """Of the marks in a page of the documentation; left out: that of the file."""
    about: str = ""
    seed: int = 0
    variant: list[Variant] = []
    event: list[Dated] = []
    count: list[Count] = []

    def games_of(self, scenario: str) -> int:
        return self.games if isinstance(self.games, int) else self.games.get(scenario, 0)

    @property
    def variants(self) -> list[Variant]:
        return self.variant or [Variant()]


@dataclass(slots=True)
class Series:
    """The games of one scenario and variant."""

    scenario: str
    variant: Variant
    results: list[Result]
    levels: tuple[str, ...] = ()
    dates: dict[str, list[int]] = field(default_factory=dict)
    """By event: the turn in each game, 0 for never."""


def read_study(path: Path) -> Study:
    """BadInput says what is wrong with it, before anything is played."""
    try:
        study = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Study)
    except OSError as e:
        raise BadInput(f"the file cannot be read: {e.strerror}", str(path)) from None
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as e:
        raise BadInput(f"this is no study: {e}", str(path)) from None
    try:
        _check(study)
    except BadInput as e:
        raise BadInput(e.message, str(path)) from None
    study.name = study.name or path.stem
    return study


def _check(study: Study) -> None:
    t, pack = title(study.game), Pack(study.game)
    for scenario in study.scenarios:
        t.scenario(pack, scenario)
    if not study.scenarios or any(study.games_of(x) < 1 for x in study.scenarios):
        raise BadInput("a study needs a scenario, and a game of each at least")
    names = [v.name for v in study.variants]
    if len({slug(n) for n in names}) < len(names):
        raise BadInput("two variants have the same name")
    for programs in (study.programs, *(v.programs for v in study.variants if v.programs)):
        if len(programs) != len(t.played):
            raise BadInput(f"{t.id} needs {len(t.played)} program(s), not {len(programs)}")
        for level in programs:
            player(t.id, level)
    known = set(pack.map.name.values())
    for i, event in enumerate(study.event):
        if sum(map(bool, (event.rules, event.places, event.milestone))) != 1:
            raise BadInput(f"{event.name} needs either places and the side, or rules, or a milestone")
        if event.places:
            t.side(event.side)
        for place in event.places:
            if place not in known:
                raise BadInput(f"the map has no place {place!r} ({event.name})")
        if event.after and event.after not in [e.name for e in study.event[:i]]:
            raise BadInput(f"{event.name} comes after {event.after!r}, which is no event before it")


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "variant"


def run_study(
    study: Study, folder: Path, *, workers: int = 1, each: Callable[[Result], None] | None = None
) -> list[Series]:
    """Play what has not been played yet; finished games are kept in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for v in study.variants:
        packs = tuple(Path(p).absolute() for p in v.packs)
        if v.set:
            own = folder / "overlays" / slug(v.name)
            write_overlay(study.game, v.set, own)
            packs = (*packs, own.absolute())
        for scenario in study.scenarios:
            levels = tuple(v.programs or study.programs)
            results = simulate(
                study.game, scenario, levels, study.games_of(scenario), seed=study.seed, workers=workers,
                options=v.options, packs=packs or None, each=each, wide=True,
                resume=folder / f"{scenario}-{slug(v.name)}.jsonl",
            )  # fmt: skip
            series = Series(scenario, v, results, levels)
            begun = [_begun(study, scenario, v, packs, r.seed) for r in results] if study.event else []
            series.dates = {
                e.name: [date(study, e, r, b) for r, b in zip(results, begun, strict=True)] for e in study.event
            }
            found.append(series)
    return found


BEGUN = -1


def _begun(study: Study, scenario: str, v: Variant, packs: tuple[Path, ...], seed: int) -> dict[str, str]:
    """Who held what is named on the map when that game began."""
    pack = Pack(study.game, packs or None)
    playing = Game.new(study.game, scenario, seed=seed, options=v.options, pack=pack)
    return owners_of(playing.board, playing.title.view(playing.board, 0))


def date(study: Study, event: Dated, r: Result, begun: Mapping[str, str]) -> int:
    """The turn in which it happened in that game; 0: never; `BEGUN` where it was so from the beginning."""
    since = 0
    if event.after:
        before = next(e for e in study.event if e.name == event.after)
        since = date(study, before, r, begun)
        if not since:
            return 0
        since = max(since, 0)
    if event.rules:
        return min((turn for rule in event.rules if (turn := r.first.get(rule, 0)) > since), default=0)
    if event.milestone:
        return next((t.turn for t in r.turns if event.milestone in t.milestones and t.turn > since), 0)
    if event.units:
        been = [places for who, places in r.been.items() if _fits(who, [event.side], event.units)]
        came = [min((n for p in event.places if (n := places.get(p, 0)) > since), default=0) for places in been]
        return next(iter(sorted(filter(None, came))[event.least - 1 :]), 0)
    was = _held(event, begun)
    for t in r.turns:
        now = _held(event, t.owners)
        if now and not was and t.turn > since:
            return t.turn
        was = now
    return BEGUN if _held(event, begun) and not event.after else 0


def _held(event: Dated, owners: Mapping[str, str]) -> bool:
    return bool(event.places) and all(owners.get(p) == event.side for p in event.places)


def _fits(who: str, before: Sequence[str], units: Sequence[str]) -> bool:
    return any(fnmatchcase(who, f"{b} {u}") for b in before for u in units)


def share(won: int, games: int) -> tuple[float, float, float]:
    """A share in per cent, and the ends of its 95 % interval (Wilson's).

    >>> [round(x) for x in share(16, 30)], [round(x) for x in share(0, 10)]
    ([53, 36, 70], [0, 0, 28])
    """
    if not games:
        return 0.0, 0.0, 100.0
    z = 1.96
    p = won / games
    middle = (p + z * z / (2 * games)) / (1 + z * z / games)
    wide = z * sqrt(p * (1 - p) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return 100 * p, 100 * max(0.0, middle - wide), 100 * min(1.0, middle + wide)


def counts(study: Study, results: Sequence[Result]) -> dict[str, float]:
    """What a game sees of each thing that is counted, on average."""
    found = {}
    for c in study.count:
        if c.units:
            total = sum(n for r in results for key, n in r.seen.items() if _fits(key, c.verbs, c.units))
        else:
            total = sum(r.seen.get(key, 0) for r in results for key in (*c.rules, *c.verbs))
        found[c.name] = total / len(results) if results else 0.0
    return found
