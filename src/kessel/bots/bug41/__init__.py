"""Across the Bug River: a player that gives each formation an objective and plans attacks before it moves.

`weights` holds its numbers, `ground` distances and quick reaches, `fights` the worth of attacks, `goals` what each
formation is to do, `marches` where stacks go. `commander` garrisons what it has taken (`posts`) and has the last word
(`waiting`).
"""

from __future__ import annotations

from kessel.bots.bug41.commander import ABOUT, Commander
from kessel.bots.bug41.greedy import Greedy
from kessel.bots.bug41.tactics import FIGHTS
from kessel.bots.levels import Level, usual_levels

PLAYERS = usual_levels(Greedy, blind={"exposed": 0.0, "danger": 0.0, "leave_cover": 1.0}, fights=FIGHTS) | {
    "elite": Level(Commander, ABOUT),
}
"""The programs by level."""
