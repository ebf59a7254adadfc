"""Enemy Action: Kharkov, the German solitaire game."""

from kessel.games.kharkov43.title import TITLE

__all__ = ["TITLE"]
