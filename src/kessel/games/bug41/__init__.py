"""Across the Bug River: Volodymyr-Volynskyi, 22-26 June 1941."""

from kessel.games.bug41.title import TITLE

__all__ = ["TITLE"]
