"""Lessons: a first battle in small steps, as data in the pack. `kessel.core.learning` plays them.

lessons/<name>.toml:

    title = "The road to Voronezh"          what the home page calls it
    minutes = 10
    seat = "axis"                           whose part is played
    scenario = "fall-blau"                  the scenario to go on with; its map is shown
    position = "voronezh.json"              beside this file, as docs/positions.md describes
    goal = "Take Voronezh ..."

    [[step]]
    title = "Shut the door behind them"
    text = "Two of your units with *one empty hex between them* hold it: a ZOC bond."
    do = "Click GD, then hex 2404."         what is to be done, if anything
    rules = ["7.1"]
    point = { units = ["GD"], hexes = ["2404"], arrow = ["2205", "2404"], overlay = "Axis ZOC bonds" }
    expect = [["move GD", "to 2404 *"]]     chains of actions, one of which is to be played
    or = { question = "zoc", side = "axis", ... }    instead of the last action: any that makes this answered so
    else = "{did} leaves 2403 open."        what another legal action is told before it is taken back
    then = "Nobody gets through any more."  what is said when it is done; left out: the next step follows at once
    happens = ["121Rfl is eliminated"]      what `then` speaks of: the log of the step must say it, in this order
    dice = [3]                              how the dice fall in this step
    enemy = ["pass"]                        what the other side answers; left out: its only choice, or that it passes
    forbid = { do = "to 2403 normal", after = ["move 121Rfl"], position = "closed.json", rule = "7.2", say = "..." }
                                            a refusal to be seen, on a board of its own
    seat, position                          from this step on
    ours = "..."                            what of it is reconstructed

A chain's link is the notation of an action, where `*` stands for anything; a link that ends in ` ...` may be played any
number of times; a list of links must be played in any order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from kessel.core.analysis import decode, refuse_doubles
from kessel.core.board import Board
from kessel.core.errors import BadInput, BadPack
from kessel.core.hexes import NO_HEX
from kessel.core.pack import Pack
from kessel.core.rules import statements
from kessel.core.title import Title, title

FOLDER = "lessons/"
MOST_WORDS = 60
"""A step says no more than this at once."""
REPEATED = " ..."

Link = str | list[str]
Chain = list[Link]


class Point(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What of the table a step speaks of."""

    units: list[str] = []
    hexes: list[str] = []
    arrow: list[str] = []
    overlay: str = ""


class Forbidden(msgspec.Struct, forbid_unknown_fields=True):
    """An action the rules refuse here, and what that teaches."""

    do: str
    rule: str
    say: str
    after: list[str] = []
    """Actions to be played before, on a board of its own."""
    position: str = ""
    """Where that board does not begin as the lesson stands."""


class Step(msgspec.Struct, forbid_unknown_fields=True, rename={"other": "else", "or_": "or"}):
    title: str
    text: str
    do: str = ""
    rules: list[str] = []
    point: Point = msgspec.field(default_factory=Point)
    expect: list[Chain] = []
    or_: dict[str, Any] = {}
    other: str = ""
    then: str = ""
    happens: list[str] = []
    dice: list[int] = []
    enemy: list[str] = []
    forbid: Forbidden | None = None
    seat: str = ""
    position: str = ""
    ours: str = ""

    @property
    def acts(self) -> bool:
        """Whether something is to be played in it."""
        return bool(self.expect or self.or_)


class Lesson(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    minutes: int
    seat: str
    scenario: str
    position: str
    goal: str
    step: list[Step]
    about: str = ""
    name: str = ""

    def seat_at(self, n: int) -> str:
        return next((s.seat for s in reversed(self.step[: n + 1]) if s.seat), self.seat)


def lesson_names(pack: Pack) -> list[str]:
    return [f.removeprefix(FOLDER).removesuffix(".toml") for f in pack.files() if _is_lesson(f)]


def _is_lesson(name: str) -> bool:
    return name.startswith(FOLDER) and name.endswith(".toml")


def read_lesson(pack: Pack, name: str) -> Lesson:
    file = f"{FOLDER}{name}.toml"
    if name not in lesson_names(pack):
        raise BadInput(f"{pack.game} has no lesson {name!r}; there are {', '.join(lesson_names(pack)) or 'none'}")
    try:
        found = msgspec.convert(pack.toml(file), type=Lesson)
    except msgspec.ValidationError as e:
        raise BadPack(str(e), pack.where(file)) from None
    found.name = name
    return found


def position_of(pack: Pack, file: str) -> Board:
    """The board of a position of a lesson."""
    name, t = FOLDER + file, title(pack.game)
    try:
        refuse_doubles(pack.text(name))
        g = t.from_position(decode(pack.text(name), t.position_type), pack)
    except BadPack:
        raise
    except BadInput as e:
        raise BadPack(str(e), pack.where(name)) from None
    return g


# --- chains ----------------------------------------------------------------------------------------------------------


def fits(pattern: str, text: str) -> bool:
    """
    >>> fits("to 2404 *", "to 2404 normal"), fits("to 2404 *", "to 2404"), fits("pass", "passes")
    (True, True, False)
    """
    parts = [re.escape(p) for p in pattern.removesuffix(REPEATED).split("*")]
    return re.fullmatch(".*".join(parts), text) is not None or (
        pattern.endswith(" *") and text == pattern.removesuffix(" *")
    )


def after(chain: Chain, text: str) -> Iterator[Chain]:
    """What is left of a chain when an action was played; nothing where the action is no part of it.

    >>> list(after(["attack 2303", ["add A", "add B"], "declare"], "attack 2303"))
    [[['add A', 'add B'], 'declare']]
    >>> list(after([["add A", "add B"], "declare"], "add B"))
    [[['add A'], 'declare']]
    >>> list(after(["add * ...", "declare"], "declare"))
    [[]]
    """
    if not chain:
        return
    first, rest = chain[0], chain[1:]
    if isinstance(first, list):
        for one in first:
            if fits(one, text):
                left = [x for x in first if x != one]
                yield [left, *rest] if left else rest
    elif first.endswith(REPEATED):
        if fits(first, text):
            yield chain
        yield from after(rest, text)
    elif fits(first, text):
        yield rest


def left_of(chains: list[Chain], played: list[str]) -> list[Chain]:
    """What is left of those chains that begin with these actions."""
    for text in played:
        chains = [rest for chain in chains for rest in after(chain, text)]
    return chains


def is_complete(chain: Chain) -> bool:
    return all(isinstance(link, str) and link.endswith(REPEATED) for link in chain)


# --- checking --------------------------------------------------------------------------------------------------------


def lesson_faults(t: Title, pack: Pack, name: str) -> list[str]:
    """What is wrong with a lesson's words, numbers and names; playing it shows whether it can be played."""
    where = pack.where(f"{FOLDER}{name}.toml")
    lesson = read_lesson(pack, name)
    found = [f"there is no side {s!r}" for s in {lesson.seat, *(x.seat for x in lesson.step if x.seat)} - {*t.sides}]
    if lesson.scenario not in {s.id for s in t.scenarios(pack)}:
        found.append(f"there is no scenario {lesson.scenario!r}")
    if not lesson.step:
        found.append("it has no steps")
    known = {s.rule for s in statements(pack)}
    g = position_of(pack, lesson.position)
    for n, step in enumerate(lesson.step, start=1):
        if step.position:
            g = position_of(pack, step.position)
        found += [f"step {n}, {step.title}: {fault}" for fault in _step_faults(t, g, step, known)]
    return [f"{where}: {fault}" for fault in found]


def _step_faults(t: Title, g: Board, step: Step, known: set[str]) -> Iterator[str]:
    for what, words in (("text and do", f"{step.text} {step.do}"), ("then", step.then), ("else", step.other)):
        if len(words.split()) > MOST_WORDS:
            yield f"{what} has {len(words.split())} words, more than {MOST_WORDS}"
    if step.acts and not (step.do and step.other):
        yield "something is to be done in it, so it needs `do` and `else`"
    if (step.dice or step.enemy) and step.then and not step.happens:
        yield "dice or the other side decide what comes of it, so `then` needs `happens`"
    if step.acts and step.forbid:
        yield "it wants an action and shows a refusal: make two steps of it"
    if not step.rules:
        yield "it names no rule"
    named = [*step.rules, *([step.forbid.rule] if step.forbid else [])]
    yield from (f"there is no rule {r}" for r in named if not is_rule(r, known))
    yield from (f"there is no unit {u}" for u in step.point.units if u not in g.forces.ids)
    for h in (*step.point.hexes, *step.point.arrow):
        if g.map.grid.find(h) == NO_HEX:
            yield f"there is no hex {h}"
    if step.point.overlay and step.point.overlay not in t.overlays(g, None):
        yield f"there is no overlay {step.point.overlay!r}; there are {', '.join(t.overlays(g, None))}"


def is_rule(number: str, known: set[str]) -> bool:
    """A statement's number, or the beginning of one."""
    return any(k == number or re.match(re.escape(number) + r"(?![0-9])", k) for k in known)
