"""What a program would do in a side's place, and why: a move, a plan, and words for a person.

Everything said comes from the plan the program plays by (`kessel.bots.purpose`): the move is the one it would make, the
odds are the game's own answer, and what was rejected is what it weighed. It looks at what the side may know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from kessel.bots import levels, player
from kessel.bots.player import Planner, Player
from kessel.bots.program import Program
from kessel.bots.purpose import Adviser, Aim, Battle, Weighed, listed, place_words, some_of
from kessel.core.analysis import answer
from kessel.core.board import Board
from kessel.core.dice import NeedRoll, Scripted
from kessel.core.errors import BadInput
from kessel.core.forces import Side, Unit
from kessel.core.procedure import Action, asked, options, push, question, run
from kessel.core.title import Answerer, Asked, Title
from kessel.core.view import subject

MOST_ACTIONS = 40
"""Actions of one's own that are looked ahead."""
MOST_AIMS = 6
MOST_KEPT = 4
MOST_REJECTED = 3
PLACES = ("hex", "place", "path")
"""Arguments of actions that lead somewhere."""


class Purpose(msgspec.Struct, omit_defaults=True):
    """What a formation is to do, or who stays where."""

    who: str
    words: str
    place: str = ""
    units: list[str] = []


class AttackAdvised(msgspec.Struct, omit_defaults=True):
    """An attack that is meant to be made, now or after moves."""

    target: str
    units: list[str]
    odds: str
    """As the game answers `ask`, in words."""
    ask: dict[str, Any]
    """The question of the game that the odds answer."""
    stand: dict[str, str] = {}
    """Where units go for it first."""
    after: int = 0
    """So many of the actions advised come before it."""


class Rejected(msgspec.Struct, omit_defaults=True):
    """Something else that was thought of."""

    words: str
    worth: float
    do: str = ""
    why: str = ""


class Advice(msgspec.Struct, omit_defaults=True):
    """What a program would do in a side's place. It is for that side alone until the game is over."""

    side: str
    do: str
    """The action, as it is written."""
    says: str
    """All of it in words."""
    reason: str = ""
    then: list[str] = []
    """How it would go on, up to the next dice or the next question of this kind."""
    worth: float | None = None
    measure: str = ""
    """What a worth of 1 is."""
    attack: AttackAdvised | None = None
    aims: list[Purpose] = []
    keeps: list[Purpose] = []
    rejected: list[Rejected] = []
    plan: str = ""
    """What a program that looks ahead wants in this turn."""


class AskAdvice(Asked, kw_only=True):
    """What a program would do, for the side that must decide."""

    level: str = ""
    """The program; left out: the best one."""


def questions(t: Title) -> Mapping[str, Answerer]:
    """The questions that need the programs, for any game that has one."""

    def advised(g: Board, q: AskAdvice) -> dict[str, Any]:
        h = g.copy()
        run(h)
        if not h.stack:
            raise BadInput("nothing is to be decided in this position")
        side = asked(h)
        return msgspec.to_builtins(advise(t, t.known_to(h, side), q.level))  # type: ignore[no-any-return]

    if len(levels(t.id)) < 2:
        return {}
    return {"advice": Answerer(AskAdvice, advised, "what a program would do now, why, and what it rejected")}


def advise(t: Title, g: Board, level: str = "", program: Player | None = None) -> Advice:
    """What the program (the best one, if none is named) would do for the side that is asked. `g` is what the side may
    know; it is left as it is.
    """
    if question(g) is None:
        raise BadInput("nothing is to be decided in this position")
    return _Thought(t, g, asked(g), program or player(t.id, level or levels(t.id)[-1])).advice()


class _Thought:
    """One decision as it is made, and what is behind it."""

    def __init__(self, t: Title, g: Board, side: Side, program: Player) -> None:
        self.title, self.g, self.side, self.program = t, g, side, program
        inner = program if isinstance(program, Program) else getattr(program, "program", None)
        self.frame: Program[Any] | None = inner if isinstance(inner, Program) else None
        self.adviser = self.frame.adviser if self.frame is not None else Adviser()
        self.weighed: list[Weighed] = []
        self._of: Action = ()
        """The choice for which they were weighed."""
        self.chosen: list[Action] = []
        self.reason = ""
        self.aims: Sequence[Aim] = ()
        self.keeps: Sequence[Aim] = ()
        self.battles: Sequence[Battle] = ()
        self.battle: Battle | None = None
        self.before, self.after = g, 0
        """The position in which the attack begins, and the actions that lead there."""
        self._decide()

    def _decide(self) -> None:
        """Its choice, and those that follow it on a copy: until dice fall, somebody else is asked, or the same question
        comes again."""
        h = self.g.copy()
        h.events, h.dice = None, Scripted(())
        depth, reveals, seen = len(h.stack), h.reveals, set()
        made = self.adviser.made(h, self.side)
        while len(self.chosen) < MOST_ACTIONS:
            seen.add(_asking(h))
            before = h.copy() if made is None else None
            self._choose(h)
            try:
                push(h, self.chosen[-1])
                rolls = False
            except NeedRoll:
                rolls = True
            made = self.adviser.made(h, self.side)
            if made is not None:
                self.battle = made
                if before is not None:
                    self.before, self.after = before, len(self.chosen) - 1
            if rolls or not h.stack or h.reveals != reveals or asked(h) != self.side or len(h.stack) < depth:
                return
            if made is None and (len(h.stack) == depth or _asking(h) in seen):
                return

    def _choose(self, h: Board) -> None:
        self.chosen.append(self.program.choose(self.title, h, self.side))
        weighed = list(self.frame.weighed()) if self.frame is not None else []
        if weighed and (len(self.chosen) == 1 or not self.weighed):
            self.weighed = sorted(weighed, key=lambda w: -w.worth)
            self._of = self.chosen[-1]
        if len(self.chosen) > 1:
            return
        self.reason = self.program.reason
        if self.frame is not None:
            seen, a = self.frame.look(self.g, self.side), self.adviser
            self.aims, self.keeps = a.aims(self.frame, seen), a.keeps(self.frame, seen)
            self.battles = a.planned(self.frame, seen)

    # --- put together ------------------------------------------------------------------------------------------------

    def advice(self) -> Advice:
        t, g = self.title, self.g
        if self.battle is None:
            self.battle = self._planned(self.battles)
        attack = self._attack()
        worth = next((w.worth for w in self.weighed if w.action == self._of), None)
        found = Advice(
            side=t.sides[self.side],
            do=t.notation.text(g, self.chosen[0]),
            says="",
            reason=self.reason,
            then=self._texts(),
            worth=None if worth is None else round(worth, 2),
            measure=self.adviser.measure if worth is not None else "",
            attack=attack,
            aims=[self._purpose(a) for a in self._first(self.aims)[:MOST_AIMS]],
            keeps=[self._purpose(a) for a in self.keeps[:MOST_KEPT]],
            rejected=self._rejected(),
            plan=self.program.words if isinstance(self.program, Planner) else "",
        )
        found.says = " ".join(self._sentences(found))
        return found

    def _texts(self) -> list[str]:
        """The actions that follow, as they are written."""
        h = self.g.copy()
        h.events, h.dice = None, Scripted(())
        found = []
        for action, then in zip(self.chosen, self.chosen[1:], strict=False):
            push(h, action)
            found.append(self.title.notation.text(h, then))
        return found

    def _units(self) -> set[Unit]:
        """Whom the actions are about."""
        names = [n for a in self.chosen for n in _named(self._parts(a))] + subject(self.g, self.g.stack)[1]
        return {self.g.forces.unit(n) for n in names if n in self.g.forces.ids}

    def _parts(self, action: Action) -> dict[str, Any]:
        return self.title.notation.described(self.g, action)[1]

    def _planned(self, battles: Sequence[Battle]) -> Battle | None:
        """The attack the actions serve."""
        units, places = self._units(), {self._parts(a).get("hex") for a in self.chosen}
        return next((b for b in battles if units & {*b.units} or self.g.place_name(b.target) in places), None)

    def _first(self, aims: Sequence[Aim]) -> list[Aim]:
        """Those of whoever acts come first."""
        units = self._units() | set(self.battle.units if self.battle else ())
        return sorted(aims, key=lambda a: not units.intersection(a.units))

    def _attack(self) -> AttackAdvised | None:
        b, g = self.battle, self.g
        if b is None:
            return None
        there = self.before.copy()
        for u, place in b.places.items():
            there.move(u, place)
        ask = {"question": "attack", **b.ask}
        told = answer(self.title, there, msgspec.json.encode(ask))
        odds = self.adviser.odds(told) if told.get("legal") else ""
        stand = {g.id(u): g.place_name(p) for u, p in b.places.items()}
        units = [g.id(u) for u in b.units]
        return AttackAdvised(g.place_name(b.target), units, odds, ask if odds else {}, stand, self.after)

    def _purpose(self, a: Aim) -> Purpose:
        g = self.g
        place = g.place_name(a.place) if a.place >= 0 else ""
        return Purpose(a.who, a.words, place, [g.id(u) for u in a.units])

    def _rejected(self) -> list[Rejected]:
        rest = [w for w in self.weighed if w.action != self._of][:MOST_REJECTED]
        listed_now = options(self.g)
        texts = [self.title.notation.text(self.g, w.action) if listed_now.allows(w.action) else "" for w in rest]
        return [Rejected(w.words, round(w.worth, 2), do, w.why) for w, do in zip(rest, texts, strict=True)]

    # --- in words ----------------------------------------------------------------------------------------------------

    def _sentences(self, a: Advice) -> list[str]:
        found = [f"{self.deed()}{f': {a.reason}' if a.reason else ''}"]
        if self.battle is not None and a.attack is not None:
            where = place_words(self.g, self.battle.target)
            attackers = some_of([self.g.name(u) for u in self.battle.units])
            who = f"{attackers} attack{'s' if len(a.attack.units) == 1 else ''} {where}"
            found.append(f"{who}{f': {a.attack.odds}' if a.attack.odds else ''}")
        if self.title.turn_of(self.g) == self.side and self.adviser.made(self.g, self.side) is None:
            for purposes in (a.aims, a.keeps):
                found += [says for p in purposes[:1] if (says := f"{p.who} {p.words}") != a.reason]
        if a.rejected:
            than = f", against {a.worth:.1f}" if a.worth is not None else ""
            others = "; ".join(f"{r.words} ({r.worth:.1f}{f', {r.why}' if r.why else ''})" for r in a.rejected)
            found.append(f"Rejected: {others}{than}{f' {a.measure}' if a.measure else ''}")
        return [f"{s[:1].upper()}{s[1:]}." for s in found]

    def deed(self) -> str:
        """What is done, in the words of the buttons."""
        action, found = self.chosen[0], options(self.g)
        if action[0] == "pass":
            return found.passing() or "Go on"
        words = [self.title.reads(action[0], *filter(None, self._told(action)))]
        if len(self.chosen) > 1 and not self._place(action) and (to := self._place(self.chosen[1])):
            words += ["to", to]
        return " ".join(w for w in words if w)

    def _told(self, action: Action) -> list[str]:
        """The arguments of an action in their order."""
        g, place, rest = self.g, self._place(action), iter(action[1:])
        words = g.forces.words()
        found = []
        for word, kind in self.title.notation.verbs[action[0]].slots:
            if kind is None:
                found.append(word)
                continue
            shown = kind.show(g, next(rest))
            called = [words.get(name, name) for name in shown.split()]
            names = listed(called) if kind.many else " ".join(called)
            found.append(place if place and word in PLACES else names.replace("_", " "))
        return found

    def _place(self, action: Action) -> str:
        parts = self._parts(action)
        name = parts.get("hex") or parts.get("place") or next(iter(reversed(parts.get("path") or [])), "")
        return place_words(self.g, self.g.map.place(name)) if name else ""


def _named(parts: Mapping[str, Any]) -> list[str]:
    return [n for n in (parts.get("unit"), *parts.get("units", ())) if n]


def _asking(g: Board) -> tuple[object, ...]:
    """Which question is asked."""
    return type(g.stack[-1]), g.stack[-1].step, len(g.stack)
