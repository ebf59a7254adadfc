"""Kharkov '43: a German player that looks one decision ahead, and one that saves nothing on the last turn.

`situation` says what threatens whom and which towns need troops, `moves` where units go, `fights` which attacks are
good and how to take hits, `cards` what a card is best played for; `commander` plays the last turn.
"""

from __future__ import annotations

from kessel.bots.kharkov43.commander import ABOUT, Commander
from kessel.bots.kharkov43.greedy import Greedy
from kessel.bots.levels import Level, usual_levels

PLAYERS = usual_levels(Greedy, blind={"exposed": 0.0, "unsafe": 0.0, "cut_off": 0.5, "overrun": 8.0}) | {
    "elite": Level(Commander, ABOUT, offered=False)
}
"""The programs by level."""
