from kessel.games.stalingrad42.title import TITLE

__all__ = ["TITLE"]
