"""Procedures: how a rule with decisions is written.

A procedure is a small dataclass whose fields are its local variables (ints, strings and tuples of them) and whose
methods marked `@auto` or `@ask` are its steps, run in the order written. A step that needs somebody to choose yields
once: above the yield stands what is legal, below it what the choice does.

    @dataclass(slots=True)
    class Retreat(Procedure):
        owner: int
        unit: int

        @ask("owner", "12.1")
        def where(self, g):
            '''Retreat the unit.'''
            verb, unit, hex = yield Options(retreat_ends(g, self.unit))
            g.move(unit, hex)

A game at a decision is only procedure names, step names and fields: copyable, savable, comparable. Above the yield
nothing may change. The generator that found the question is kept with the derived facts of the board: while nothing
changes it serves the list of choices and the choice; otherwise it is made anew.

A step returns None (go on with the next step), AGAIN (repeat this step), DONE (the procedure ends), `Goto("step")`,
another procedure (call it, then go on with the next step), `Call(procedure, again=True)` (call it, then repeat this
step), or `Return(value)` (the procedure ends and hands a value to the one that called it, whose class says with `into`
or `takes` what becomes of it). A question without a legal action is skipped.
"""

from __future__ import annotations

import importlib
import operator
import pkgutil
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction
from itertools import chain
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from kessel.core.breakdown import Refusal
from kessel.core.dice import NeedRoll, Scripted
from kessel.core.errors import BadRecord, IllegalAction

if TYPE_CHECKING:
    from kessel.core.board import Board

Action: TypeAlias = tuple[Any, ...]
"""A verb and its arguments: units, places and numbers as ints, words as str, several of them as a tuple."""

PASS: Action = ("pass",)


class _Signal:
    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


AGAIN = _Signal("AGAIN")
DONE = _Signal("DONE")


class Goto(str):
    """Go on with the step of that name."""


@dataclass(slots=True)
class Call:
    """Carry out another procedure; then repeat this step, or go on."""

    procedure: Procedure
    again: bool = False


@dataclass(frozen=True, slots=True)
class Return:
    """The procedure ends and hands this to the one that called it."""

    value: Any


Out: TypeAlias = "Procedure | Call | Goto | Return | _Signal | None"


class Options:
    """The legal actions of a question, listed lazily; `fixed` are those that stand by themselves. `says` is how `pass`
    reads to a person, where the prompt does not end with it: `Choose a unit to move, or end the phase.`
    """

    __slots__ = ("fixed", "more", "prompt", "says")
    worded: ClassVar[bool] = False
    """Whether it words its prompt by itself, when somebody reads it."""

    def __init__(self, more: Iterable[Action] = (), *fixed: Action, prompt: str = "", says: str = "") -> None:
        self.fixed, self.more, self.prompt, self.says = fixed, more, prompt, says

    def passing(self) -> str:
        """What passing does, in words for a button."""
        found = self.says or self.open_prompt.removesuffix(".").rpartition(", or ")[2]
        return found[:1].upper() + found[1:]

    @property
    def open_prompt(self) -> str:
        """The question as the side that is not asked reads it."""
        return self.prompt

    def plain(self) -> tuple[Action, ...]:
        """The choices that stand by themselves: pass, end, declare."""
        return self.fixed

    def __iter__(self) -> Iterator[Action]:
        return chain(self.fixed, self._rest())

    def all(self) -> list[Action]:
        return [*self.fixed, *self._rest()]

    def _rest(self) -> Iterable[Action]:
        more = self.more
        if hasattr(more, "__next__"):  # an iterator, which can be gone through once only
            more = self.more = list(more)
        return more

    def exist(self) -> bool:
        """Whether there is any; looks at the first one only."""
        if self.fixed:
            return True
        more = iter(self.more)
        for first in more:
            if more is self.more:
                self.more = chain((first,), more)
            return True
        return False

    def allows(self, action: Action) -> bool:
        return action in self.fixed or action in self._rest()

    def why_not(self, action: Action) -> Refusal | None:
        """The rule that forbids an action that is not listed; None where no rule of its own does (see `Choice`)."""
        return None


NOTHING = Options()
"""A question that does not arise."""

AutoBody: TypeAlias = Callable[[Any, Any], Out]
AskBody: TypeAlias = Callable[[Any, Any], Generator[Options, Action, Out]]


class Step:
    """One step of a procedure: its function, its rule and, if somebody is asked, the field that says who."""

    __slots__ = ("fn", "name", "prompt", "rule", "who")

    def __init__(self, fn: Callable[[Any, Any], Any], rule: str, who: str | None = None) -> None:
        self.fn, self.rule, self.who, self.name = fn, rule, who, fn.__name__
        self.prompt = (fn.__doc__ or fn.__name__.replace("_", " ").capitalize() + ".").strip().splitlines()[0]

    def ask(self, p: Any, g: Any) -> tuple[Any, Options]:
        """What is found on the way to the question, which the answer needs; and the question."""
        body = self.fn(p, g)
        return body, next(body)

    def answer(self, p: Any, g: Any, body: Any, action: Action) -> Out:
        """Carry out a choice."""
        try:
            body.send(action)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]
        raise TypeError(f"step {self.name} of {type(p).__name__} yields twice")


def auto(rule: str) -> Callable[[AutoBody], Step]:
    """A step the rules carry out by themselves."""
    return lambda fn: Step(fn, rule)


def ask(who: str, rule: str) -> Callable[[AskBody], Step]:
    """A step at which the side in the field `who` chooses. The first line of its docstring is the prompt."""
    return lambda fn: Step(fn, rule, who)


Take: TypeAlias = "Callable[[Any, Any, Any], None]"


class Taker:
    """What a procedure does with the value that one it called hands over."""

    __slots__ = ("children", "take")

    def __init__(self, take: Take, children: tuple[type[Procedure], ...]) -> None:
        self.take, self.children = take, children


def takes(*children: type[Procedure]) -> Callable[[Take], Taker]:
    """A method that takes what procedures of these classes, or made from them, hand over: `(self, g, value)`."""
    return lambda take: Taker(take, children)


def into(name: str, *children: type[Procedure]) -> Taker:
    """What procedures of these classes, or made from them, hand over goes into that field."""

    def take(p: Any, g: Any, value: Any) -> None:
        setattr(p, name, value)

    return Taker(take, children)


@dataclass(slots=True)
class Procedure:
    at: int = field(default=0, kw_only=True)
    """The step about to run."""

    steps: ClassVar[tuple[Step, ...]] = ()
    index: ClassVar[dict[str, int]] = {}
    about_hexes: ClassVar[tuple[str, ...]] = ()
    about_units: ClassVar[tuple[str, ...]] = ()
    """The fields with the hexes and units its questions are about; the first that holds any counts."""
    takers: ClassVar[dict[type[Procedure], Take]] = {}
    """What becomes of the value a called procedure hands over, by its class."""
    _values: ClassVar[Callable[[Any], tuple[Any, ...]] | None] = None

    def __init_subclass__(cls) -> None:
        declared = [v for c in reversed(cls.__mro__) for v in vars(c).values()]
        cls.steps = tuple(v for v in declared if isinstance(v, Step))
        cls.index = {s.name: i for i, s in enumerate(cls.steps)}
        cls.takers = {child: v.take for v in declared if isinstance(v, Taker) for child in v.children}
        cls._values = None

    def copy(self) -> Procedure:
        cls = type(self)
        if cls._values is None:
            names = [f.name for f in fields(cls) if f.name != "at"]
            getter = operator.attrgetter("at", *names)
            cls._values = getter if names else lambda p: (p.at,)
        at, *values = cls._values(self)
        return cls(*values, at=at)

    @property
    def step(self) -> Step | None:
        return self.steps[self.at] if self.at < len(self.steps) else None


# --- the engine ----------------------------------------------------------------------------------------------------

ASKED = "asked"
"""Where the cache of the board keeps the question asked: procedure, step, what its answer needs, and choices."""


def run(g: Board) -> None:
    """Go on until somebody has a choice to make or the game is over (the stack is empty)."""
    stack = g.stack
    while stack:
        p = stack[-1]
        at, steps = p.at, p.steps
        if at >= len(steps):
            stack.pop()
            continue
        s = steps[at]
        if s.who is None:
            out = s.fn(p, g)
            if out is None:
                p.at += 1
            else:
                follow(g, p, out)
            continue
        body, found = s.ask(p, g)
        if found.exist():
            g.cache[ASKED] = p, at, body, found
            return
        p.at += 1


def follow(g: Board, p: Procedure, out: Out) -> None:
    """Go where a step leads."""
    if out is None:
        p.at += 1
    elif out is AGAIN:
        pass
    elif out is DONE:
        _end(g, p)
    elif isinstance(out, Return):
        hand_over(g, p, out.value)
        _end(g, p)
    elif isinstance(out, Goto):
        p.at = p.index[out]
    elif isinstance(out, Call):
        p.at += not out.again
        g.stack.append(out.procedure)
    elif isinstance(out, Procedure):
        p.at += 1
        g.stack.append(out)
    else:
        raise TypeError(f"step {p.steps[p.at].name} of {type(p).__name__} returned {out!r}")


def hand_over(g: Board, p: Procedure, value: Any) -> None:
    """Give a value to the procedure that called this one, which may go on afterwards (else `Return` it)."""
    at = _place_of(g, p)
    caller = g.stack[at - 1] if at else None
    known = caller.takers if caller is not None else {}
    take = next((known[c] for c in type(p).__mro__ if c in known), None)
    if take is None:
        raise TypeError(f"{type(caller).__name__} takes nothing from {type(p).__name__}")
    take(caller, g, value)


def _end(g: Board, p: Procedure) -> None:
    at = _place_of(g, p)
    if at >= 0:
        del g.stack[at]


def _place_of(g: Board, p: Procedure) -> int:
    """Where a procedure lies on the stack, mostly on top; -1 if it does not."""
    stack = g.stack
    at = len(stack) - 1
    while at >= 0 and stack[at] is not p:
        at -= 1
    return at


def question(g: Board) -> tuple[Procedure, Step] | None:
    """The procedure and step that ask, or None when the game is over."""
    if not g.stack:
        return None
    p = g.stack[-1]
    return p, p.steps[p.at]


def asked(g: Board) -> int:
    """The side that must choose now; -1 when the game is over."""
    if not g.stack:
        return -1
    p = g.stack[-1]
    who = p.steps[p.at].who
    return -1 if who is None else int(getattr(p, who))


def options(g: Board) -> Options:
    if not g.stack:
        return NOTHING
    p = g.stack[-1]
    s = p.steps[p.at]
    kept = g.cache.get(ASKED)
    found: Options = kept[3] if kept and kept[0] is p and kept[1] == p.at else s.ask(p, g)[1]
    if not found.worded and not found.prompt:
        found.prompt = s.prompt
    return found


def legal(g: Board) -> list[Action]:
    return options(g).all()


def push(g: Board, action: Action) -> None:
    """Carry out an action known to be legal, and go on to the next question. Unchecked: for search and replay."""
    p = g.stack[-1]
    s = p.steps[p.at]
    kept = g.cache.pop(ASKED, None)
    body = kept[2] if kept and kept[0] is p and kept[1] == p.at else s.ask(p, g)[0]
    follow(g, p, s.answer(p, g, body, action))
    run(g)


def why_not(g: Board, action: Action, side: int | None = None) -> Refusal | None:
    """None if the action is legal now, else the rule and reason that forbid it."""
    q = question(g)
    if q is None:
        return Refusal("", "the game is over")
    s = q[1]
    if side is not None and side != asked(g):
        return Refusal(s.rule, "it is not your decision")
    found = options(g)
    if found.allows(action):
        return None
    return found.why_not(action) or Refusal(s.rule, f"this is not one of the choices now; asked is: {found.prompt}")


def apply(g: Board, action: Action, side: int | None = None) -> None:
    """Carry out an action of that side after checking that it is legal; IllegalAction and no change if not."""
    refusal = why_not(g, action, side)
    if refusal is not None:
        raise IllegalAction(repr(action), refusal)
    push(g, action)


def outcomes(g: Board, action: Action, most: int = 1_000_000) -> Iterator[tuple[Fraction, tuple[int, ...], Board]]:
    """Every way the dice can fall when this action is carried out: probability, dice, and the board after it."""
    prefixes: list[tuple[Fraction, tuple[int, ...]]] = [(Fraction(1), ())]
    while prefixes:
        weight, dice = prefixes.pop()
        h = g.copy()
        h.dice = Scripted(dice)
        try:
            push(h, action)
        except NeedRoll as need:
            if len(prefixes) + need.sides > most:
                raise
            prefixes.extend((weight / need.sides, (*dice, v)) for v in range(need.sides, 0, -1))
        else:
            yield weight, dice, h


# --- saving --------------------------------------------------------------------------------------------------------


def save_stack(g: Board) -> list[list[Any]]:
    """The frames by name: never by index or class layout."""
    return [
        [
            type(p).__name__,
            p.steps[p.at].name if p.at < len(p.steps) else "",
            {f.name: getattr(p, f.name) for f in fields(p) if f.name != "at"},
        ]
        for p in g.stack
    ]


def load_stack(doc: list[list[Any]], known: dict[str, type[Procedure]]) -> list[Procedure]:
    stack = []
    for name, step, values in doc:
        cls = known.get(name)
        if cls is None or (step and step not in cls.index):
            raise BadRecord(f"these rules have no step {step!r} of a procedure {name!r}")
        at = cls.index[step] if step else len(cls.steps)
        try:
            stack.append(cls(at=at, **{k: _tuples(v) for k, v in values.items()}))
        except TypeError as e:
            raise BadRecord(f"the saved procedure {name} does not fit these rules: {e}") from None
    return stack


def _tuples(v: Any) -> Any:
    return tuple(map(_tuples, v)) if isinstance(v, list) else v


def procedures_of(package: str) -> dict[str, type[Procedure]]:
    """All procedures of a game, by name: the classes its modules hold under their own names.

    `__subclasses__` would not do: it also knows the class that `@dataclass(slots=True)` replaced, until that is
    collected.
    """
    found: dict[str, type[Procedure]] = {}
    for module in _modules_of(package):
        for name, cls in vars(module).items():
            if not (isinstance(cls, type) and issubclass(cls, Procedure)):
                continue
            if cls.__module__ == module.__name__ and cls.__name__ == name:
                if name in found:
                    raise TypeError(f"{package} has two procedures {name}: {found[name].__module__}, {cls.__module__}")
                found[name] = cls
    return found


def _modules_of(package: str) -> Iterator[ModuleType]:
    top = importlib.import_module(package)
    yield top
    for info in pkgutil.walk_packages(getattr(top, "__path__", ()), package + "."):
        yield importlib.import_module(info.name)
