"""RX-6.1 Initiative, PA-T1.surprise the Surprise Attack, RX-6.2.pass passing and the end of Operations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Side
from kessel.core.procedure import AGAIN, DONE, Call, Goto, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.bug41.board import Board, Formation
from kessel.games.bug41.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.bug41.turn.activation import Activation, why_not_act
from kessel.wargame.board import other


def why_not_activate(g: Board, side: Side, f: Formation, last: Formation = -1) -> Refusal | None:
    """Why a side may not activate a formation; `last` is the one activated before."""
    if g.forces.side_of_command[f] != side:
        return Refusal("RX-6.2", f"{g.formation_name(f)} is not yours")
    if f == last and g.reads("same_formation") == "not_twice_running":
        return Refusal("RX-6.2", f"{g.formation_name(f)} was activated last")
    return why_not_act(g, f)


def able(g: Board, side: Side, last: Formation = -1) -> list[Formation]:
    """The formations a side can activate."""
    return list(_able(g, side, last))


def can_act(g: Board, side: Side, last: Formation = -1) -> bool:
    return next(_able(g, side, last), -1) >= 0


def _able(g: Board, side: Side, last: Formation) -> Iterator[Formation]:
    barred = last if g.reads("same_formation") == "not_twice_running" else -1
    levels, hqs, place = g.levels, g.forces.hq_of, g.place
    for f in g.forces.commands_of[side]:
        if levels[f] and f != barred and hqs[f] != NO_UNIT and place[hqs[f]] != NOWHERE:
            yield f


def words(g: Board, formations: list[Formation]) -> list[str]:
    return [g.forces.commands[f] for f in formations]


def marker_modifier(g: Board, side: Side) -> int:
    """RX-6.1.track What the initiative marker gives a side."""
    space = g.track("space")
    return g.charts.track[space - 1] if space and g.track("shown") == side else 0


def move_marker(g: Board, side: Side) -> None:
    """RX-6.1 After an activation: to the other side's first space if the side shown has acted, else a space up."""
    space = g.track("space")
    if not space or g.track("shown") == side:
        put_marker(g, g.numbers.initiative.first_space_without_surprise if not space else 1, other(side))
    else:
        put_marker(g, min(space + 1, len(g.charts.track)), g.track("shown"))


def put_marker(g: Board, space: int, side: Side) -> None:
    g.set_track("space", space)
    g.set_track("shown", side)
    if space and g.events is not None:
        g.tell(f"initiative: {SIDES[side].capitalize()} +{g.charts.track[space - 1]}", "RX-6.1")


# --- PA-T1.surprise --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class SurpriseAttack(Procedure):
    """PA-T1.surprise The German begins with up to so many activations of infantry divisions, each once."""

    side: int
    done: tuple[int, ...] = ()

    def why_not_begin(self, g: Board, word: str) -> Refusal | None:
        if word not in g.forces.commands:
            return Refusal("RX-6.2", f"there is no formation {word}")
        f = g.forces.commands.index(word)
        if f in self.done:
            return Refusal("PA-T1.surprise.5", f"{g.formation_name(f)} has had its surprise activation")
        if g.charts.formations[word].kind not in g.numbers.surprise.kinds:
            return Refusal("PA-T1.surprise.5", f"{g.formation_name(f)} is no infantry division")
        return why_not_activate(g, self.side, f)

    @auto("PA-T1.surprise.1")
    def surprise(self, g: Board) -> Out:
        g.set_track("surprise", int(len(self.done) < g.scenario.surprise.activations))
        return None

    choose = Choice(
        "side", "PA-T1.surprise.5", "Activate an infantry division by surprise, or end the surprise.",
        passing=None, when=lambda p, g: bool(g.track("surprise")),
    )  # fmt: skip

    @choose.verb("activate", among=lambda p, g: g.forces.commands, why_not=why_not_begin)
    def activate(self, g: Board, word: str) -> Out:
        f = g.forces.commands.index(word)
        self.done = (*self.done, f)
        self.at = 0
        return Call(Activation(self.side, f), again=True)

    @auto("PA-T1.surprise.4")
    def end(self, g: Board) -> Out:
        g.set_track("surprise", 0)
        put_marker(g, g.numbers.surprise.marker_space, SOVIET)
        return DONE


# --- RX-6.1, RX-6.2.pass ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Operations(Procedure):
    """RX-6.1 The sides contest the initiative for every activation, until both pass or nobody can act."""

    side: int = GERMAN
    passes: int = 0
    last: int = -1
    contested: bool = False

    @auto("PA-T1.surprise.1")
    def surprise(self, g: Board) -> Out:
        s = g.scenario
        return SurpriseAttack(GERMAN) if s.surprise.activations and g.turn == s.first_turn else None

    @auto("RX-6.1")
    def determine(self, g: Board) -> Out:
        """RX-6.1 Both roll; with only one side able to act there is no roll."""
        self.passes = 0
        sides = [s for s in (GERMAN, SOVIET) if can_act(g, s, self.last)]
        if not sides:
            return DONE
        self.contested = len(sides) == 2
        if not self.contested:
            self.side = sides[0]
            return None
        dice = [g.d10() for _ in (GERMAN, SOVIET)]
        totals = [die + marker_modifier(g, s) for s, die in enumerate(dice)]
        told = f"initiative: German {totals[0]}, Soviet {totals[1]}"
        if totals[0] != totals[1]:
            self.side = totals.index(max(totals))
        elif g.track("space") and g.reads("initiative_tie") == "marked_side":
            self.side = g.track("shown")
        else:
            g.tell(f"{told}, rolled again", "RX-6.1", dice=dice)
            return AGAIN
        g.tell(f"{told}: the {SIDES[self.side].capitalize()} has it", "RX-6.1", dice=dice)
        return None

    def why_not_choose(self, g: Board, word: str) -> Refusal | None:
        if word not in g.forces.commands:
            return Refusal("RX-6.2", f"there is no formation {word}")
        return why_not_activate(g, self.side, g.forces.commands.index(word), self.last)

    choose = Choice("side", "RX-6.2", "Activate a formation, or activate none.", passing=Goto("passed"))

    @choose.verb("activate", legal=lambda p, g: words(g, able(g, p.side, p.last)), why_not=why_not_choose)
    def activate(self, g: Board, word: str) -> Out:
        self.last = g.forces.commands.index(word)
        return Activation(self.side, self.last)

    @auto("RX-6.1")
    def marker(self, g: Board) -> Out:
        if self.contested:
            move_marker(g, self.side)
        return Goto("determine")

    @auto("RX-6.2.pass")
    def passed(self, g: Board) -> Out:
        """RX-6.2.pass After a pass the other side may act; two in a row end the segment."""
        self.passes += 1
        g.tell(f"the {SIDES[self.side].capitalize()} passes", "RX-6.2.pass")
        self.side = other(self.side)
        return DONE if self.passes > 1 or not can_act(g, self.side, self.last) else Goto("choose")
