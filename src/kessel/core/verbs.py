"""Choices of several verbs: what is legal, why another is not, and what it does, in one place for each verb.

    build = Choice("side", "8.0", "Create or upgrade a position, build a bridge, or end the phase.", passing=DONE)

    @build.verb("entrench", legal=lambda p, g: sites(g, p.done), why_not=lambda p, g, h: why_not_dig(g, h, p.done))
    def entrench(self, g, h):
        dig(g, h)
        return AGAIN

A `Choice` is a step of a procedure, in the place where it is written; its verbs are written below it. For each verb:

* `why_not(p, g, *arguments)` is None if and only if the action is legal, else the rule that forbids it (`NOT_NOW` where
  no rule does).
* `legal(p, g)` gives the arguments that are legal: a hex set, numbers, words or tuples; a bool for a verb without
  arguments. `among(p, g)` gives candidates instead, which `why_not` sifts: for short lists and cheap refusals only.
* a verb without arguments stands with `pass` before the others, unless it is declared with `plain=False`.

`@ask` with a yield (`kessel.core.procedure`) is for a question that is one list and has no refusals of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, compress
from typing import Any, TypeAlias, TypeVar

from kessel.core.breakdown import Refusal
from kessel.core.hexes import Bits
from kessel.core.hexset import digits, members
from kessel.core.procedure import NOTHING, PASS, Action, Options, Out, Step

Found: TypeAlias = "Bits | bool | Iterable[Any]"
Lister: TypeAlias = Callable[[Any, Any], Found]
WhyNot: TypeAlias = Callable[..., Refusal | None]
Effect = TypeVar("Effect", bound=Callable[..., Out])

NOT_NOW = Refusal("", "this is not one of the choices now")
"""A refusal without a rule of its own: what is asked is told instead."""


FEW = 40
"""Members up to which a set is gone through one by one."""


class _Of(dict[Any, Action]):
    """The actions (name, argument) by their argument, each made when it is first asked for."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __missing__(self, argument: Any) -> Action:
        made = self[argument] = (self.name, argument)
        return made


class Made:
    """The actions (name, n): each the same tuple every time, made in order, so that they lie side by side."""

    __slots__ = ("_last", "_made", "_of", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self._of = _Of(name)
        self._made: list[Action] = []
        self._last: tuple[Bits, list[Action]] = (0, [])
        """The set listed last: within a phase the same one comes again and again."""

    def up_to(self, n: int) -> list[Action]:
        """The actions of all numbers below n at least."""
        made = self._made
        if len(made) < n:
            made = self._made = [*made, *((self.name, i) for i in range(len(made), n))]
        return made

    def of(self, found: Iterable[Any]) -> list[Action]:
        """The actions with each of these numbers or words."""
        return list(map(self._of.__getitem__, found))

    def each(self, s: Bits) -> list[Action]:
        """The actions of the members of a set in ascending order; the list is not to be changed."""
        known, found = self._last
        if known == s:
            return found
        n = s.bit_length()
        made = self.up_to(n)
        if s.bit_count() <= FEW:
            found = list(map(made.__getitem__, members(s)))
        else:
            first = (s & -s).bit_length() - 1
            found = list(compress(made[first:n], digits(s >> first)))
        self._last = s, found
        return found


class Verb:
    """One verb of a choice."""

    __slots__ = ("_last", "action", "always", "among", "arguments", "do", "legal", "made", "name", "plain", "why_not")

    def __init__(
        self,
        name: str,
        do: Callable[..., Out],
        legal: Lister | None,
        among: Lister | None,
        why_not: WhyNot | None,
        plain: bool,
    ) -> None:
        self.name, self.do, self.legal, self.among, self.why_not = name, do, legal, among, why_not
        self.arguments: int = do.__code__.co_argcount - 2
        """How many arguments it takes."""
        self.plain = plain and not self.arguments
        self.action: Action = (name,)
        self.always = legal is None and why_not is None
        """Whether nothing stands against it, if it has no arguments."""
        self.made = Made(name)
        self._last: tuple[Any, list[Action]] = (None, [])
        """What was legal last, where that was a tuple, which never changes; and its actions."""

    def listed(self, p: Any, g: Any) -> list[Action]:
        """The legal actions with this verb; the list is not to be changed."""
        if not self.arguments:
            return [self.action] if self.stands(p, g) else []
        if self.legal is not None:
            found = self.legal(p, g)
            return self.actions(found) if found else []
        if self.among is None or self.why_not is None:
            raise TypeError(f"the verb {self.name} says neither what is legal nor among what and why not")
        why_not = self.why_not
        return [a for a in self.actions(self.among(p, g)) if why_not(p, g, *a[1:]) is None]

    def stands(self, p: Any, g: Any) -> bool:
        """Whether a verb without arguments is legal."""
        if self.legal is not None:
            return bool(self.legal(p, g))
        return self.why_not is None or self.why_not(p, g) is None

    def actions(self, found: Any) -> list[Action]:
        """Those with these arguments; the list is not to be changed."""
        if isinstance(found, int):
            return self.made.each(found)
        known, actions = self._last
        if known is found:
            return actions
        actions = self.made.of(found) if self.arguments == 1 else list(map(self.action.__add__, found))
        if type(found) is tuple:
            self._last = found, actions
        return actions

    def refusal(self, p: Any, g: Any, action: Action) -> Refusal | None:
        """Why this action is not legal; None where no rule of its own says."""
        if self.why_not is None or len(action) != self.arguments + 1:
            return None
        found = self.why_not(p, g, *action[1:])
        return None if found is NOT_NOW else found


class Choices(Options):
    """The legal actions of a choice, listed when somebody looks at them."""

    __slots__ = ("choice", "g", "listed", "p", "parts")
    worded = True

    def __init__(self, choice: Choice, p: Any, g: Any) -> None:
        self.choice, self.p, self.g = choice, p, g
        self.listed: list[Action] | None = None
        self.parts: dict[str, list[Action]] | None = None
        """The actions of those verbs that somebody has asked for, while not all are listed."""
        if choice.fixed is not None:
            self.fixed: tuple[Action, ...] = choice.fixed
            return
        fixed = [v.action for v in choice.plain if v.always or v.stands(p, g)]
        if choice.passes and (choice.alone or fixed or self._any()):
            fixed.insert(0, PASS)
        self.fixed = tuple(fixed)

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """The question with what must be told along with it; put together only when somebody reads it. What would end
        it is not named while a rule forbids that.
        """
        choice, asks = self.choice, self.choice.prompt
        if PASS[0] in choice.verbs and PASS not in self.fixed and not choice.says:
            asks = asks.rpartition(", or ")[0] + "." if ", or " in asks else asks
        more = choice.notice(self.p, self.g) if choice.notice is not None else ""
        return f"{asks} {more}" if more else asks

    @property
    def open_prompt(self) -> str:
        return self.choice.prompt

    @property
    def says(self) -> str:  # type: ignore[override]
        says = self.choice.says
        return says(self.p, self.g) if callable(says) else says

    def _rest(self) -> list[Action]:
        found = self.listed
        if found is None:
            if self.parts is None:
                found = self.choice.list_of(self.p, self.g)
            else:
                found = list(chain.from_iterable(map(self._part, self.choice.listing)))
            self.listed = found
        return found

    def _part(self, verb: Verb) -> list[Action]:
        if self.parts is None:
            self.parts = {}
        found = self.parts.get(verb.name)
        if found is None:
            found = self.parts[verb.name] = verb.listed(self.p, self.g)
        return found

    def _any(self) -> bool:
        """Whether anything but what stands by itself is legal; lists no more than it must."""
        choice = self.choice
        if self.listed is not None or choice.every is not None or len(choice.listing) < 2:
            return bool(self._rest())
        return any(self._part(verb) for verb in choice.listing)

    def exist(self) -> bool:
        return bool(self.fixed) or self._any()

    def allows(self, action: Action) -> bool:
        if action in self.fixed:
            return True
        if self.listed is not None or self.choice.every is not None:
            return action in self._rest()
        verb = self.choice.verbs.get(action[0])
        return verb is not None and verb in self.choice.listing and action in self._part(verb)

    def why_not(self, action: Action) -> Refusal | None:
        verb = self.choice.verbs.get(action[0])
        if verb is not None:
            return verb.refusal(self.p, self.g, action)
        return None if self.choice.otherwise is None else self.choice.otherwise(self.p, self.g)


class _NoPass:
    """Passing is not among the choices."""


NO_PASS = _NoPass()


class Choice(Step):
    """A step at which the side in the field `who` chooses among the actions of several verbs.

    `passing`: what passing leads to (DONE, None for the next step). `pass` is listed first, while anything else can be
    done, or always with `alone`. `when`: the question arises only then. `every`: lists the actions of all verbs that
    have arguments, where their order is not verb by verb. `otherwise`: why an action with any other verb is refused,
    where a rule says so. `notice`: what the side asked must be told along with the question while it is so. `says`: how
    passing reads to a person, where the prompt does not end with it (`Options`).
    """

    __slots__ = (
        *("alone", "every", "fixed", "list_of", "listing", "notice", "otherwise", "passes", "passing", "plain"),
        *("says", "verbs", "when"),
    )

    def __init__(
        self,
        who: str,
        rule: str,
        prompt: str,
        *,
        passing: Out | _NoPass = NO_PASS,
        alone: bool = False,
        when: Callable[[Any, Any], bool] | None = None,
        every: Callable[[Any, Any], list[Action]] | None = None,
        otherwise: WhyNot | None = None,
        notice: Callable[[Any, Any], str] | None = None,
        says: str | Callable[[Any, Any], str] = "",
    ) -> None:
        self.rule, self.who, self.name, self.prompt = rule, who, "", prompt
        self.passes, self.passing, self.alone = not isinstance(passing, _NoPass), passing, alone
        self.when, self.every, self.otherwise, self.notice, self.says = when, every, otherwise, notice, says
        self.verbs: dict[str, Verb] = {}
        self.plain: list[Verb] = []
        self.listing: list[Verb] = []
        self.fixed: tuple[Action, ...] | None = None
        """The actions that stand before the others, where these are always the same."""
        self.list_of: Callable[[Any, Any], list[Action]] = self._list_all
        """The legal actions of all verbs that do not stand by themselves."""

    def __set_name__(self, owner: type, name: str) -> None:
        """The class is whole, and all verbs are known."""
        self.name = name
        self.list_of = self.every or (self.listing[0].listed if len(self.listing) == 1 else self._list_all)
        if all(v.always for v in self.plain) and (not self.passes or self.alone or self.plain):
            self.fixed = (*((PASS,) if self.passes else ()), *(v.action for v in self.plain))

    def verb(
        self,
        name: str,
        *,
        legal: Lister | None = None,
        among: Lister | None = None,
        why_not: WhyNot | None = None,
        plain: bool = True,
    ) -> Callable[[Effect], Effect]:
        """Declares a verb; the method below it is what it does: `(self, g, *arguments) -> Out`."""

        def declare(do: Effect) -> Effect:
            if name in self.verbs:
                raise TypeError(f"the verb {name} is declared twice")
            made = self.verbs[name] = Verb(name, do, legal, among, why_not, plain)
            (self.plain if made.plain else self.listing).append(made)
            return do

        return declare

    def _list_all(self, p: Any, g: Any) -> list[Action]:
        found: list[Action] = []
        for verb in self.listing:
            if verb.arguments and verb.legal is not None:
                if some := verb.legal(p, g):
                    found += verb.actions(some)
            else:
                found += verb.listed(p, g)
        return found

    def ask(self, p: Any, g: Any) -> tuple[Any, Options]:
        return None, NOTHING if self.when is not None and not self.when(p, g) else Choices(self, p, g)

    def answer(self, p: Any, g: Any, body: Any, action: Action) -> Out:
        if action == PASS and self.passes:
            return self.passing  # type: ignore[return-value]
        return self.verbs[action[0]].do(p, g, *action[1:])
