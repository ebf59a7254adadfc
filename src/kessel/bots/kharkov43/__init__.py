"""Kharkov '43: a German player that looks one decision ahead.

`situation` says what threatens whom and which towns need troops, `moves` where units go, `fights` which attacks are
good and how to take hits, `cards` what a card is best played for.
"""

from __future__ import annotations

from kessel.bots.kharkov43.greedy import Greedy

PLAYERS = {"greedy": Greedy}
"""The programs by level."""
