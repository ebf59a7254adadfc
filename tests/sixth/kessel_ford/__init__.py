"""The Ford: a game of ten rules on six by six hexes, that lives outside of Kessel and is found by its entry point."""

from kessel_ford.title import TITLE

__all__ = ["TITLE"]
