"""The Jaws of Victory: the Korsun pocket, January and February 1944."""

from kessel.games.korsun44.title import TITLE

__all__ = ["TITLE"]
