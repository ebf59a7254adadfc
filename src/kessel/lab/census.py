"""A census of whole games between programs: which steps, verbs and chapters of the rules ever come up, and which never.

What no program meets is proved by no series of games, however long: those parts need a scripted game among the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Column
from rich.table import Table as RichTable

from kessel.bots import decide, player
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import Procedure, Step, asked
from kessel.core.rules import Statement, statements
from kessel.core.title import Title, title
from kessel.lab.simulate import STEP_LIMIT


@dataclass(slots=True)
class Tally:
    """How often something came up."""

    count: int = 0
    games: int = 0
    first: str = ""
    """The game in which it came up first: its scenario and seed."""
    last: str = ""

    def add(self, game: str) -> None:
        self.count += 1
        self.first = self.first or game
        self.games += self.last != game
        self.last = game


@dataclass(slots=True)
class Census:
    """What came up in the games counted so far."""

    title: Title
    steps: dict[str, Tally] = field(default_factory=dict)
    verbs: dict[str, Tally] = field(default_factory=dict)
    chapters: dict[str, Tally] = field(default_factory=dict)
    played: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    now: str = ""
    """The game that is counted now; empty while a program thinks, which plays on boards of its own."""

    def __post_init__(self) -> None:
        self.steps = {f"{name}.{s.name}": Tally() for name, cls in self._procedures() for s in cls.steps}
        self.verbs = {verb: Tally() for verb in self.title.notation.verbs}
        self.chapters = {s.chapter: Tally() for s in statements(Pack(self.title.id))}

    def _procedures(self) -> list[tuple[str, type[Procedure]]]:
        return sorted(self.title.procedures.items())

    def rule_of(self, step: str) -> str:
        procedure, _, name = step.partition(".")
        cls = self.title.procedures[procedure]
        return cls.steps[cls.index[name]].rule

    def saw(self, p: Procedure, step: Step) -> None:
        self.steps[f"{type(p).__name__}.{step.name}"].add(self.now)
        self.cited(step.rule)

    def cited(self, rule: str) -> None:
        chapter = Statement(rule, "", "", "").chapter
        if chapter in self.chapters:
            self.chapters[chapter].add(self.now)

    def decided(self, verb: str, events: Iterable[dict[str, Any]]) -> None:
        self.verbs[verb].add(self.now)
        for event in events:
            self.cited(str(event.get("rule", "")))


@contextmanager
def counting(census: Census) -> Iterator[None]:
    """While this lasts, every step the rules carry out by themselves is counted."""
    changed: list[tuple[Step, Callable[[Any, Any], Any]]] = []
    seen: set[int] = set()
    for cls in census.title.procedures.values():
        for step in cls.steps:
            if step.who is None and id(step) not in seen:
                seen.add(id(step))
                changed.append((step, step.fn))
                step.fn = _counted(census, step, step.fn)
    try:
        yield
    finally:
        for step, fn in changed:
            step.fn = fn


def _counted(census: Census, step: Step, fn: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def run(p: Any, g: Any) -> Any:
        if census.now:
            census.saw(p, step)
        return fn(p, g)

    return run


def take_census(
    game: str,
    scenarios: list[str],
    levels: tuple[str, ...],
    games: int,
    *,
    seed: int = 0,
    each: Callable[[], None] = lambda: None,
) -> Census:
    """Count so many whole games of each scenario between these programs."""
    census = Census(title(game))
    pack = Pack(game)
    with counting(census):
        for scenario in scenarios:
            for n in range(seed, seed + games):
                count_game(census, scenario, levels, n, pack)
                each()
    return census


def count_game(census: Census, scenario: str, levels: tuple[str, ...], seed: int, pack: Pack) -> None:
    """Play one game to its end and count it."""
    t = census.title
    name = census.now = f"{scenario} {seed}"
    playing = Game.new(t.id, scenario, seed=seed, pack=pack)
    census.played.append(name)
    for event in playing.opening:
        census.cited(str(event.get("rule", "")))
    programs = {side: player(t.id, level, seed * 31 + side) for side, level in zip(t.played, levels, strict=True)}
    for _ in range(STEP_LIMIT):
        if playing.over:
            break
        side = asked(playing.board)
        census.now = ""
        action = decide(programs[side], t, playing.board, side)
        census.now = name
        count_action(census, playing, lambda action=action, side=side: playing.play(action, side))  # type: ignore[misc]
    else:
        census.unfinished.append(name)
    census.now = ""


def count_action(census: Census, playing: Game, play: Callable[[], Any]) -> None:
    """Carry out one action of a game that is counted."""
    p = playing.board.stack[-1]
    step = p.step
    assert step is not None
    census.saw(p, step)
    entry = play()
    census.decided(entry.action[0], entry.events)


# --- telling ---------------------------------------------------------------------------------------------------------


def as_json(census: Census) -> dict[str, Any]:
    def rows(found: dict[str, Tally]) -> dict[str, Any]:
        return {k: {"count": t.count, "games": t.games, "first": t.first} for k, t in found.items() if t.count}

    return {
        "game": census.title.id,
        "games": census.played,
        "unfinished": census.unfinished,
        "chapters": rows(census.chapters),
        "verbs": rows(census.verbs),
        "steps": {k: {"rule": census.rule_of(k), **v} for k, v in rows(census.steps).items()},
        "never": {
            "chapters": [k for k, t in census.chapters.items() if not t.count],
            "verbs": [k for k, t in census.verbs.items() if not t.count],
            "steps": [k for k, t in census.steps.items() if not t.count and not _is_base(census, k)],
        },
    }


def _is_base(census: Census, step: str) -> bool:
    """Whether a step that never came up is one of a procedure that only others are made from."""
    name = step.partition(".")[0]
    cls, every = census.title.procedures[name], census.title.procedures.values()
    seen = any(t.count for k, t in census.steps.items() if k.partition(".")[0] == name)
    return not seen and any(issubclass(other, cls) and other is not cls for other in every)


def show(census: Census, out: Console) -> None:
    """The same as tables to read, what never came up last."""
    doc = as_json(census)
    for what in ("chapters", "verbs", "steps"):
        table = RichTable(
            Column(what[:-1], no_wrap=True),
            *([Column("rule", no_wrap=True)] if what == "steps" else []),
            Column("times", justify="right"),
            Column("games", justify="right"),
            "first in",
        )
        for name, row in sorted(doc[what].items(), key=lambda x: _order(x[0]) if what == "chapters" else x[0]):
            rule = [row["rule"]] if what == "steps" else []
            table.add_row(name, *rule, str(row["count"]), str(row["games"]), row["first"])
        out.print(table)
    for what, names in doc["never"].items():
        out.print(f"never among the {what} ({len(names)}): {', '.join(names) or 'none'}")
    if census.unfinished:
        out.print(f"not finished: {', '.join(census.unfinished)}")


def _order(chapter: str) -> tuple[str, int]:
    digits = "".join(c for c in chapter if c.isdigit())
    return chapter.rstrip("0123456789"), int(digits or 0)
