"""Strike of the Heron: the approach to Stalingrad, August-September 1942."""

from kessel.games.don42.title import TITLE

__all__ = ["TITLE"]
