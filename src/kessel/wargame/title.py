"""What a game of two sides gives to the rest of the system: its functions, its list of scenarios, and into which
chapters a turn falls when it is told.

scenarios/<id>.toml:  id, title, summary, length (words), turns or first_turn and last_turn,
                      [options] a scenario's own defaults of optional rules and readings
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from kessel.core.board import Board
from kessel.core.dice import Dice
from kessel.core.pack import Pack
from kessel.core.procedure import Action
from kessel.core.telling import spaced
from kessel.core.title import BATTLE, MARCH, PHASE, Caution, Chapter, Coming, Goal, March, Outcome, Scenario, Title, Way
from kessel.core.view import SideView
from kessel.wargame.goals import goal_faults, goal_of
from kessel.wargame.marches import march
from kessel.wargame.plans import attack_plan, ways_to_the_die
from kessel.wargame.readings import Readings
from kessel.wargame.warnings import before_ending

FIGHTS = {
    "Combat": "Attack on {place}",
    "Attack": "Attack on {place}",
    "Battle": "Attack on {place}",
    "Barrage": "Bombardment of {place}",
    "AirStrike": "Air strike on {place}",
}
"""Procedures that are a fight, by the end of their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gives:
    """The functions by which a game does what its title promises; each takes a board of that game."""

    new: Callable[[Pack, str, Mapping[str, str], Dice], Board]
    outcome: Callable[[Any], Outcome | None]
    view: Callable[[Any, int | None], SideView]
    from_position: Callable[[Any, Pack], Board]
    faults: Callable[[Any], list[str]] = lambda g: g.faults()
    preview: Callable[[Any, Action], dict[str, Any]] = lambda g, action: {}
    overlays: Callable[[Any, int | None], dict[str, Any]] = lambda g, side: {}
    standing: Callable[[Any, int], float] = lambda g, side: 0.0
    coming: Callable[[Any], Iterable[Coming]] = lambda g: ()
    milestones: Callable[[Any], list[str]] = lambda g: []
    evaluate: Callable[[Any, int], float] = lambda g, side: 0.0
    turn_number: Callable[[Any], int] = int
    """The number of a turn as scenarios write it."""


class WargameTitle(Title):
    gives: ClassVar[Gives]
    tells: ClassVar[Mapping[str, Chapter]] = {}
    """Chapters of its own, where a procedure's name does not say enough."""

    def new(self, pack: Pack, scenario: str, options: Mapping[str, str], dice: Dice) -> Board:
        return self.gives.new(pack, scenario, options, dice)

    def outcome(self, g: Board) -> Outcome | None:
        return self.gives.outcome(g)

    def view(self, g: Board, side: int | None) -> SideView:
        return self.gives.view(g, side)

    def from_position(self, doc: Any, pack: Pack) -> Board:
        return self.gives.from_position(doc, pack)

    def faults(self, g: Board) -> list[str]:
        return self.gives.faults(g)

    def preview(self, g: Board, action: Action) -> dict[str, Any]:
        return self.gives.preview(g, action)

    def overlays(self, g: Board, side: int | None) -> dict[str, Any]:
        return self.gives.overlays(g, side)

    def standing(self, g: Board, side: int) -> float:
        return self.gives.standing(g, side)

    def evaluate(self, g: Board, side: int) -> float:
        return self.gives.evaluate(g, side)

    @cached_property
    def chapters(self) -> Mapping[str, Chapter]:  # type: ignore[override]
        """Fights one by one, the Movement Phase by formation, every other phase or stage for itself."""
        found: dict[str, Chapter] = {}
        for name in self.procedures:
            fight = next((says for end, says in FIGHTS.items() if name.endswith(end)), "")
            if fight:
                found[name] = Chapter(BATTLE, fight)
            elif name == "MovementPhase":
                found[name] = Chapter(MARCH, "{formation} on the march")
            elif name.endswith(("Phase", "Stage", "Segment")):
                found[name] = Chapter(PHASE, spaced(name))
        return {**found, **self.tells}

    def warnings(self, g: Board, action: Action) -> list[Caution]:
        return before_ending(self, g, action)

    def plan(self, g: Board, action: Action) -> list[Action]:
        return attack_plan(self, g, action) if action[0] in self.opens else []

    def coming(self, g: Board) -> list[Coming]:
        return sorted(self.gives.coming(g), key=lambda c: (c.turn, c.side))

    def milestones(self, g: Board) -> list[str]:
        return self.gives.milestones(g)

    def march(self, g: Board, units: Sequence[str], to: str) -> March:
        return march(self, g, units, to)

    def ways(self, g: Board, action: Action) -> list[Way]:
        return ways_to_the_die(self, g, action)

    def goal(self, g: Board, side: int, pack: Pack, scenario: str) -> Goal:
        return goal_of(self, g, side, pack, scenario, self.gives.turn_number)

    def check_pack(self, pack: Pack) -> list[str]:
        return goal_faults(self, pack)

    def scenarios(self, pack: Pack) -> list[Scenario]:
        """Those pack.toml names, in its order; the first is the one to begin with, unless another says it is."""
        names = pack.toml("pack.toml")["scenarios"]
        docs = [pack.toml(f"scenarios/{name}.toml") for name in names]
        begin = next((d["id"] for d in docs if d.get("first")), docs[0]["id"])
        return [self.listed(pack, doc, first=doc["id"] == begin) for doc in docs]

    def listed(self, pack: Pack, doc: dict[str, Any], *, first: bool) -> Scenario:
        """A scenario as it stands in the list."""
        turns = doc["turns"] if "turns" in doc else doc["last_turn"] - doc["first_turn"] + 1
        options = pack.once(Readings).listed(doc.get("options", {}))
        return Scenario(doc["id"], doc["title"], turns, doc["summary"], doc.get("length", ""), first, options)
