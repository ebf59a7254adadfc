"""What interrupts a move, advance or retreat when a hex is entered: units in Full Retreat that must run (13.3.2)."""

from __future__ import annotations

from kessel.games.stalingrad42.retreat import interruption

__all__ = ["interruption"]
