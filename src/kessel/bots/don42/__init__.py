"""Strike of the Heron: a player that looks one decision ahead.

`plans` says what is worth going for, `moves` where units go, `fights` which attacks are good and how to take results.
"""

from __future__ import annotations

from kessel.bots.don42.greedy import Greedy

PLAYERS = {"greedy": Greedy}
"""The programs by level."""
