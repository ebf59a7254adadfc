"""The printed board of a game and the one built anew, as tests of maps ask them."""

from __future__ import annotations

from functools import cached_property

from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.core.terrain import Map
from kessel.mapping.build import Built, build, pack_folder


class Printed:
    def __init__(self, game: str) -> None:
        self.folder = pack_folder(game)

    @cached_property
    def _board(self) -> Map:
        return Map.read((self.folder / "board.json").read_text(encoding="utf-8"))

    @cached_property
    def _built(self) -> Built:
        return build(self.folder / "board-edits.toml")

    def board(self) -> Map:
        return self._board

    def built(self) -> Built:
        return self._built

    def hexes(self, text: str) -> list[Hex]:
        return [self._board.grid.hex(name) for name in text.split()]

    def names(self, found: Bits) -> set[str]:
        return {self._board.grid.name(h) for h in members(found)}
