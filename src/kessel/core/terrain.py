"""Map: what is printed on a board. Immutable and shared by all games played on it.

A map is read from a document in the `board.json` format (docs/packs.md), from a pack or written inline in a position.
Questions about many hexes are answered as hex sets, questions about one hex by name or membership.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from kessel.core.errors import BadInput
from kessel.core.hexes import NO_HEX, Bits, Direction, Grid, Hex, Hexside, hex_list
from kessel.core.hexset import NO_SIDES, Sides, bits, mask, union

Provenance = str


class GridDoc(msgspec.Struct, forbid_unknown_fields=True):
    numbering: str = "printed"
    first: tuple[int, int] | None = None
    second: tuple[int, int] | None = None
    shifted: str = "even"
    first_runs: float | str = "E"
    second_runs: float | str = "S"


class HexDoc(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    terrain: str = "clear"
    features: list[str] = []
    name: str = ""
    vp: int = 0
    group: str = ""
    sea: str = ""
    """The sea a port lies on."""
    city: str = ""
    """The city this hex is a part of, if it has several."""
    facts: dict[str, Any] = {}
    provenance: Provenance = ""
    note: str = ""


class SideDoc(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    features: list[str]
    name: str = ""
    provenance: Provenance = ""
    note: str = ""


class LinkDoc(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    kind: str
    path: str
    name: str = ""
    features: list[str] = []
    sea: str = ""
    opens: int = 0
    """The turn from which an unfinished link can be used."""
    special: bool = False
    facts: dict[str, Any] = {}
    provenance: Provenance = ""
    note: str = ""


class AreaDoc(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    hexes: str
    name: str = ""
    provenance: Provenance = ""
    note: str = ""


class LineDoc(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    inside: str
    from_: str = ""
    to: str = ""
    name: str = ""
    provenance: Provenance = ""
    note: str = ""


class ArrowDoc(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    from_: str
    to: str
    kind: str = "primary"
    only: str = ""
    provenance: Provenance = ""
    note: str = ""


class BoxDoc(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    id: str
    name: str = ""
    kind: str = ""
    side: str = ""
    hexes: str = ""
    facts: dict[str, Any] = {}
    provenance: Provenance = ""
    note: str = ""


class LabelDoc(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    text: str
    hex: str = ""
    kind: str = ""
    hexes: str = ""
    provenance: Provenance = ""
    note: str = ""


class BoardDoc(msgspec.Struct, forbid_unknown_fields=True):
    """The whole `board.json`, or the inline board of a position."""

    hexes: dict[str, HexDoc] | str
    format: str = "kessel-board 1"
    game: str = ""
    provenance: Provenance = "reconstructed"
    note: str = ""
    grid: GridDoc = msgspec.field(default_factory=GridDoc)
    hexsides: dict[str, SideDoc | list[str] | str] = {}
    links: list[LinkDoc] = []
    areas: dict[str, AreaDoc | str] = {}
    lines: dict[str, LineDoc] = {}
    arrows: list[ArrowDoc] = []
    boxes: list[BoxDoc] = []
    labels: list[LabelDoc] = []


class Arrow(NamedTuple):
    direction: Direction
    kind: str
    only: str


class Box(NamedTuple):
    """An off-map place, with the map hexes next to it."""

    id: str
    name: str
    kind: str
    side: str
    hexes: Bits
    facts: dict[str, Any]


class Link(NamedTuple):
    """A road, rail or path as drawn; a special one may join hexes that are not adjacent."""

    kind: str
    path: tuple[Hex, ...]
    name: str
    features: tuple[str, ...]
    sea: str
    opens: int
    special: bool
    facts: dict[str, Any]


class Map:
    """One board. Columns by hex index, hex sets by name."""

    def __init__(self, doc: BoardDoc) -> None:
        self.doc = doc
        hexes = doc.hexes if isinstance(doc.hexes, dict) else {n: HexDoc() for n in hex_list(doc.hexes)}
        self.game = doc.game
        self.grid = grid = _read_grid(doc.grid, hexes)
        self.terrain: list[str] = [""] * grid.size
        self.name: dict[Hex, str] = {}
        self.vp: dict[Hex, int] = {}
        self.facts: dict[Hex, dict[str, Any]] = {}
        """What only the game itself understands, by hex."""
        self.group: dict[Hex, str] = {}
        self.sea: dict[Hex, str] = {}
        self.city: dict[Hex, str] = {}
        self._of_terrain: dict[str, Bits] = {}
        self._with_feature: dict[str, Bits] = {}
        for name, cell in hexes.items():
            h = grid.hex(name)
            self.terrain[h] = cell.terrain
            self._of_terrain[cell.terrain] = self._of_terrain.get(cell.terrain, 0) | 1 << h
            for feature in cell.features:
                self._with_feature[feature] = self._with_feature.get(feature, 0) | 1 << h
            if cell.name:
                self.name[h] = cell.name
            for word, where in ((cell.group, self.group), (cell.sea, self.sea), (cell.city, self.city)):
                if word:
                    where[h] = word
            if cell.vp:
                self.vp[h] = cell.vp
            if cell.facts:
                self.facts[h] = cell.facts
        self._sides: dict[str, list[Bits]] = {}
        self._read_hexsides(doc)
        self._links: dict[str, list[Bits]] = {}
        self._link_features: dict[tuple[str, str], list[Bits]] = {}
        self.drawn_links: list[Link] = []
        for i, link in enumerate(doc.links):
            self._read_link(link, f"$.links[{i}]")
        self.areas = {
            key: bits(self._hex(n, f"$.areas.{key}") for n in hex_list(a if isinstance(a, str) else a.hexes))
            for key, a in doc.areas.items()
        }
        for key, line in doc.lines.items():
            if line.inside not in self.areas:
                raise BadInput(f"the line's inside {line.inside!r} is not an area of this board", f"$.lines.{key}")
        self.arrows: dict[Hex, list[Arrow]] = {}
        for i, a in enumerate(doc.arrows):
            here, there = self._hex(a.from_, f"$.arrows[{i}]"), self._hex(a.to, f"$.arrows[{i}]")
            self.arrows.setdefault(here, []).append(Arrow(grid.direction(here, there), a.kind, a.only))
        self.boxes = tuple(self._read_box(b, f"$.boxes[{i}]") for i, b in enumerate(doc.boxes))
        self._box_index = {b.id: grid.size + i for i, b in enumerate(self.boxes)}
        if len(self._box_index) != len(self.boxes):
            raise BadInput("two boxes have the same id", "$.boxes")
        self.cache: dict[Any, Any] = {}
        """Tables derived from this map (movement costs and the like), kept by whoever derives them."""

    # --- reading ---------------------------------------------------------------------------------------------------

    @classmethod
    def read(cls, raw: bytes | str) -> Map:
        try:
            return cls(msgspec.json.decode(raw, type=BoardDoc))
        except msgspec.MsgspecError as e:
            raise BadInput(str(e)) from None

    def _hex(self, name: str, where: str) -> Hex:
        h = self.grid.find(name)
        if h == NO_HEX:
            raise BadInput(f"there is no hex {name} on this board", where)
        return h

    def _read_hexsides(self, doc: BoardDoc) -> None:
        for name, side in doc.hexsides.items():
            features = side.features if isinstance(side, SideDoc) else [side] if isinstance(side, str) else side
            try:
                key = self.grid.parse_hexside(name)
            except BadInput as e:
                raise BadInput(e.message, f"$.hexsides.{name}") from None
            for feature in features:
                for h, d in (divmod(key, 6), divmod(self.grid.flip(key), 6)):
                    self._sides.setdefault(feature, [0] * 6)[d] |= 1 << h

    def _read_box(self, box: BoxDoc, where: str) -> Box:
        hexes = bits(self._hex(n, where) for n in hex_list(box.hexes))
        return Box(box.id, box.name or box.id, box.kind, box.side, hexes, box.facts)

    def _read_link(self, link: LinkDoc, where: str) -> None:
        path = [self._hex(n, where) for n in hex_list(link.path)]
        self.drawn_links.append(
            Link(
                link.kind, tuple(path), link.name, tuple(link.features), link.sea, link.opens, link.special, link.facts
            )
        )
        if link.special:
            return
        six = self._links.setdefault(link.kind, [0] * 6)
        with_feature = [self._link_features.setdefault((link.kind, f), [0] * 6) for f in link.features]
        for a, b in itertools.pairwise(path):
            if not self.grid.adjacent(a, b):
                raise BadInput(f"{self.grid.name(a)} and {self.grid.name(b)} are not adjacent", where)
            d = self.grid.direction(a, b)
            for sides in (six, *with_feature):
                sides[d] |= 1 << a
                sides[(d + 3) % 6] |= 1 << b

    # --- hexes -----------------------------------------------------------------------------------------------------

    def of_terrain(self, *terrains: str) -> Bits:
        s = 0
        for t in terrains:
            s |= self._of_terrain.get(t, 0)
        return s

    def with_feature(self, feature: str) -> Bits:
        return self._with_feature.get(feature, 0)

    def has(self, h: Hex, feature: str) -> bool:
        return bool(self._with_feature.get(feature, 0) >> h & 1)

    def features(self, h: Hex) -> list[str]:
        return [f for f, s in self._with_feature.items() if s >> h & 1]

    def area(self, key: str) -> Bits:
        return self.areas.get(key, 0)

    def terrains(self) -> set[str]:
        return set(self._of_terrain)

    # --- hexsides and links ----------------------------------------------------------------------------------------

    def sides(self, *features: str) -> Sides:
        """The hexsides with any of these features, as six sets by direction."""
        found = [self._sides[f] for f in features if f in self._sides]
        if not found:
            return NO_SIDES
        if len(found) == 1:
            return found[0]
        return tuple(s0 | s1 for s0, s1 in zip(found[0], self.sides(*features[1:]), strict=True))

    def side_features(self, h: Hex, d: Direction) -> list[str]:
        return [f for f, six in self._sides.items() if six[d] >> h & 1]

    def side_has(self, h: Hex, d: Direction, feature: str) -> bool:
        six = self._sides.get(feature)
        return six is not None and bool(six[d] >> h & 1)

    def side_names(self, side: Hexside) -> list[str]:
        return self.side_features(*divmod(side, 6))

    def links(self, *kinds: str) -> Sides:
        """The links of any of these kinds, as six sets by direction."""
        found = [self._links[k] for k in kinds if k in self._links]
        if len(found) == 1:
            return found[0]
        return tuple(union(f[d] for f in found) for d in range(6)) if found else NO_SIDES

    def links_with(self, kind: str, feature: str) -> Sides:
        return self._link_features.get((kind, feature), NO_SIDES)

    @property
    def special_links(self) -> list[Link]:
        return [x for x in self.drawn_links if x.special]

    def linked(self, h: Hex, d: Direction, *kinds: str) -> bool:
        return any(six[d] >> h & 1 for k in kinds if (six := self._links.get(k)))

    def on_link(self, *kinds: str) -> Bits:
        """All hexes some link of these kinds passes."""
        return union(self.links(*kinds))

    # --- places ----------------------------------------------------------------------------------------------------

    @property
    def places(self) -> int:
        """How many places a piece can be in: hexes (with guard cells) and boxes."""
        return self.grid.size + len(self.boxes)

    def is_hex(self, place: int) -> bool:
        return 0 <= place < self.grid.size

    def place(self, name: str) -> int:
        """The hex of that number or the box of that id."""
        h = self.grid.find(name)
        if h == NO_HEX:
            h = self._box_index.get(name, NO_HEX)
        if h == NO_HEX:
            raise BadInput(f"there is no hex or box {name} on this board")
        return h

    def place_name(self, place: int) -> str:
        return self.grid.name(place) if place < self.grid.size else self.boxes[place - self.grid.size].id

    def box(self, place: int) -> Box:
        return self.boxes[place - self.grid.size]

    def box_place(self, box_id: str) -> int:
        if box_id not in self._box_index:
            raise BadInput(f"there is no box {box_id} on this board")
        return self._box_index[box_id]

    def mask(self, s: Bits) -> bytes:
        return mask(self.grid, s)


def _read_grid(doc: GridDoc, hexes: Mapping[str, HexDoc]) -> Grid:
    if doc.numbering == "axial":
        return Grid.axial(hexes)
    if doc.numbering != "printed":
        raise BadInput(f"numbering must be printed or axial, not {doc.numbering!r}", "$.grid.numbering")
    return Grid.printed(hexes, shifted=doc.shifted, first_runs=doc.first_runs, second_runs=doc.second_runs)
