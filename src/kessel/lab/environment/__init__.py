"""Environments in which programs learn: every scenario of every game behind the interfaces of PettingZoo and Gymnasium.

    from kessel.lab.environment import Duel, Seat

    env = Duel("bug41", "ustyluh")                                    # PettingZoo AEC: all sides learn
    env = Seat("bug41", "ustyluh", "german", against="greedy")        # Gymnasium: one seat against a program

What an observation holds, how choices are numbered and how rewards are counted: docs/environments.md.
"""

from kessel.lab.environment.aec import Duel
from kessel.lab.environment.encoding import Encoding
from kessel.lab.environment.match import Match
from kessel.lab.environment.single import Seat
from kessel.lab.environment.text import tell

__all__ = ["Duel", "Encoding", "Match", "Seat", "tell"]
