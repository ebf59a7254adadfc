"""What the program of Strike of the Heron means by what it does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kessel.bots.don42.corridor import CORPS, Corridor
from kessel.bots.don42.moves import Mover, guards, moving_order
from kessel.bots.don42.plans import goals_of
from kessel.bots.purpose import Adviser, Aim, Battle, listed, place_words, some_of
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.games.don42.board import G_MOTORIZED, G_MOVEMENT, S_MOVEMENT, Board
from kessel.games.don42.combat.combat import Combat
from kessel.games.don42.data.forces import GERMAN

if TYPE_CHECKING:
    from kessel.bots.don42.commander import Commander
    from kessel.bots.don42.greedy import Greedy, Seat


class HeronAdviser(Adviser):
    measure = "points"

    def aims(self, program: Greedy, seen: Seat) -> list[Aim]:
        """By formation: the goal most of its units would pick, one after the other as they move."""
        g, side = seen
        mover = Mover(program.weights)
        mover.going = dict(program.mover.going)
        by: dict[str, dict[Hex, list[Unit]]] = {}
        for u in moving_order(g, [u for u in g.units_on_map(side) if g.attack_value(u)]):
            w = program.weights(g, u)
            goals = {} if g.forces.hq[u] or g.forces.gun[u] or guards(g, u, w) else goals_of(g, u, w)
            if goals and (name := g.command_name(u)):
                goal = mover.pick_goal(g, g.place[u], goals, w)
                mover.going[goal] = mover.going.get(goal, 0) + 1
                by.setdefault(name, {}).setdefault(goal, []).append(u)
        owners = {h: owner for (h, _), owner in zip(g.objectives, g.control, strict=True)}
        found = []
        for name, goals_by in by.items():
            place, units = max(goals_by.items(), key=lambda x: len(x[1]))
            verb = "guards" if owners.get(place) == side else "goes for"
            words = f"{verb} {place_words(g, place)} with {some_of([g.name(u) for u in units])}"
            found.append(Aim(name, words, place, tuple(units)))
        return sorted(found, key=lambda a: -len(a.units))

    def keeps(self, program: Greedy, seen: Seat) -> list[Aim]:
        """Units that alone hold a Victory Point hex before the enemy stay there."""
        g, side = seen
        found = []
        for (h, vp), owner in zip(g.objectives, g.control, strict=True):
            units = [u for u in g.units(h) if g.forces.side[u] == side and guards(g, u, program.weights(g, u))]
            if owner == side and units:
                words = f"stays in {place_words(g, h)}, which counts {vp}"
                found.append((vp, Aim(listed([g.name(u) for u in units]), words, h, tuple(units))))
        return [a for _, a in sorted(found, key=lambda x: -x[0])]

    def made(self, g: Board, side: Side) -> Battle | None:
        p = g.stack[-1] if g.stack else None
        if not isinstance(p, Combat) or p.side != side or not p.attackers:
            return None
        names = {key: [g.id(u) for u in getattr(p, key)] for key in ("guns", "planes")}
        ask = {"hex": g.hex_name(p.target), "units": [g.id(u) for u in p.attackers], **names}
        return Battle(p.target, p.attackers, ask)

    def odds(self, answer: Mapping[str, Any]) -> str:
        if "chances" not in answer:
            return ""
        chances = ", ".join(f"{result} {chance}" for result, chance in answer["chances"].items())
        return f"{answer['ratio']}, shifted by {answer['shifts']['total']:+d}; {chances}"


class CommanderAdviser(HeronAdviser):
    def aims(self, program: Commander, seen: Seat) -> list[Aim]:  # type: ignore[override]
        """The corridor before everything else."""
        g, side = seen
        corridor = program.way(g) if side == GERMAN else None
        return [corridor_aim(g, corridor), *super().aims(program, seen)] if corridor else super().aims(program, seen)

    def keeps(self, program: Commander, seen: Seat) -> list[Aim]:  # type: ignore[override]
        """In Movement Phases: who is to hold which hex, and who relieves whom."""
        g, _ = seen
        if g.phase not in (S_MOVEMENT, G_MOVEMENT, G_MOTORIZED):
            return super().keeps(program, seen)
        counts = dict(g.objectives)
        found = []
        for u, h in program.garrisons(g).items():
            why = f"which counts {counts[h]}" if h in counts else "so that the road home is open"
            words = f"{'stays in' if g.place[u] == h else 'goes to hold'} {place_words(g, h)}, {why}"
            found.append((counts.get(h, 0), Aim(g.name(u), words, h, (u,))))
        return [a for _, a in sorted(found, key=lambda x: -x[0])]


def corridor_aim(g: Board, corridor: Corridor) -> Aim:
    """From where to where the corridor is to lead, and what is missing."""
    words = f"is to stand at the Volga in supply: a corridor by {place_words(g, corridor.corps)} to {{}}"
    if corridor.blocks:
        words += f", where Soviets in {some_of([place_words(g, h) for h in corridor.blocks])} are in the way"
    elif corridor.posts:
        words += f", with posts in {some_of([place_words(g, h) for h in corridor.posts])}"
    units = tuple(u for u in g.forces.of(CORPS) if g.on_map(u) and g.place[u] in corridor.way)
    return Aim(CORPS, words.format(place_words(g, corridor.van)), corridor.van, units)
