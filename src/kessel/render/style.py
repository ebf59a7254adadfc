"""How things look: one entry per word of the boards' vocabularies. A word without an entry still gets drawn, plainly.

Colours are those of a printed map: light, muted land, so that counters and highlights stand out; water the only blue.
The two sides' colours differ in hue along the blue-orange axis and in lightness, which every common form of colour
blindness leaves apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

INK = "#2f2a24"
PAPER = "#f6f1e3"
WATER = "#b4d0da"
WATER_DARK = "#5f93a8"
WATER_INK = "#2c6178"
RELIEF_INK = "#a88d63"
SANS = "'Kessel Sans','Barlow Semi Condensed','Arial Narrow',sans-serif"
SERIF = "'Kessel Serif',Alegreya,Georgia,serif"


@dataclass(frozen=True, slots=True)
class TerrainStyle:
    name: str
    fill: str = ""
    """Empty: the ground colour shows."""
    texture: str = ""
    water: bool = False
    sign: str = " "
    """On the text board."""


GROUND = "#f0e9d2"
TERRAINS: dict[str, TerrainStyle] = {
    "clear": TerrainStyle("Clear", sign="."),
    "steppe": TerrainStyle("Steppe", sign="."),
    "desert": TerrainStyle("Desert", "#f3e2b3", "desert", sign=","),
    "rough": TerrainStyle("Rough", "#e6d6ae", "rough", sign="r"),
    "hill": TerrainStyle("Hill", "#e4d1a5", "hill", sign="h"),
    "hills": TerrainStyle("Hills", "#e4d1a5", "hill", sign="h"),
    "broken": TerrainStyle("Broken", "#e8dab4", "broken", sign="b"),
    "woods": TerrainStyle("Woods", "#dbe0b8", "woods", sign="w"),
    "forest": TerrainStyle("Forest", "#c3d09c", "forest", sign="F"),
    "light_woods": TerrainStyle("Light woods", "#e6e8c8", "light_woods", sign="w"),
    "light_forest": TerrainStyle("Light forest", "#e3e6c2", "light_woods", sign="w"),
    "dense_forest": TerrainStyle("Dense forest", "#cdd5a4", "dense_woods", sign="W"),
    "wooded_rough": TerrainStyle("Wooded rough", "#d5d2a3", "wooded_rough", sign="W"),
    "marsh": TerrainStyle("Marsh", "#dde6d6", "marsh", sign="m"),
    "swamp": TerrainStyle("Swamp", "#dde6d6", "marsh", sign="m"),
    "seasonal_marsh": TerrainStyle("Seasonal marsh", "#e9ead2", "seasonal_marsh", sign="s"),
    "mountain": TerrainStyle("Mountain", "#decba4", "mountain", sign="M"),
    "alpine": TerrainStyle("Alpine", "#d6cfc2", "alpine", sign="A"),
    "village": TerrainStyle("Village", "#ebdfc6", "village", sign="v"),
    "town": TerrainStyle("Town", "#e3d3c2", "town", sign="t"),
    "minor_city": TerrainStyle("Minor city", "#dcc5b4", "city", sign="c"),
    "city": TerrainStyle("City", "#dcc5b4", "city", sign="C"),
    "major_city": TerrainStyle("Major city", "#d2b3a1", "major_city", sign="C"),
    "unplayable": TerrainStyle("Not in play", "#ddd6c6", "unplayable", sign="x"),
    "dnepr": TerrainStyle("Dnepr", water=True, sign="~"),
    "lake": TerrainStyle("Lake", water=True, sign="~"),
    "sea": TerrainStyle("Sea", water=True, sign="~"),
    "water": TerrainStyle("Water", water=True, sign="~"),
}
PLAIN = TerrainStyle("?", "#e5e0d6", sign="?")


def terrain_style(word: str) -> TerrainStyle:
    return TERRAINS.get(word) or TerrainStyle(spoken(word), PLAIN.fill, PLAIN.texture, sign=PLAIN.sign)


@dataclass(frozen=True, slots=True)
class SideStyle:
    """A hexside feature: water as a stroke of that width, anything else by its drawing."""

    name: str
    width: float = 0.0
    drawing: str = "water"
    sign: str = "="
    barred: bool = False
    """Water that nobody crosses: marked along its middle."""


HEXSIDES: dict[str, SideStyle] = {
    "stream": SideStyle("Stream", 3.0),
    "minor_river": SideStyle("Minor river", 4.5),
    "river": SideStyle("River", 6.5),
    "major_river": SideStyle("Major river", 10.0),
    "donets": SideStyle("Donets", 10.0),
    "dnepr": SideStyle("Dnepr", 17.0),
    "dniepr": SideStyle("Dniepr", 17.0),
    "blocked_dniepr": SideStyle("Dniepr, blocked", 17.0, barred=True),
    "bug": SideStyle("Bug", 14.0),
    "don": SideStyle("Don", 16.0),
    "volga": SideStyle("Volga", 22.0),
    "lake": SideStyle("Lake hexside", 24.0),
    "reservoir": SideStyle("Reservoir", 24.0),
    "sea": SideStyle("Sea hexside", 30.0),
    "strait": SideStyle("Strait", 26.0),
    "canal": SideStyle("Canal", 4.0, "canal"),
    "swamp": SideStyle("Swamp hexside", 0, "marsh", "%"),
    "gorge": SideStyle("Gorge", 0, "gorge", "v"),
    "balka": SideStyle("Balka", 0, "gorge", "v"),
    "alpine": SideStyle("Alpine hexside", 0, "alpine", "^"),
    "escarpment": SideStyle("Escarpment", 0, "gorge", "v"),
    "ferry": SideStyle("Ferry", 0, "boat", "f"),
    "pontoon": SideStyle("Pontoon bridge", 0, "boat", "p"),
    "impassable": SideStyle("Impassable hexside", 0, "wall", "#"),
    "prohibited": SideStyle("Prohibited hexside", 0, "wall", "#"),
}
WATER_DRAWINGS = ("water", "canal")


def side_style(word: str) -> SideStyle:
    if word in HEXSIDES:
        return HEXSIDES[word]
    if "river" in word:
        return SideStyle(spoken(word), 6.5)
    return SideStyle(spoken(word), 0, "wall", "#")


@dataclass(frozen=True, slots=True)
class LinkStyle:
    name: str
    drawing: str
    """road (cased line), track (dashed line), rail (line with sleepers), ferry (dashes over water)."""
    width: float
    colour: str
    rank: int
    """Higher ones are drawn on top."""


LINKS: dict[str, LinkStyle] = {
    "trail": LinkStyle("Trail", "track", 2.2, "#8a6a4a", 1),
    "track": LinkStyle("Track", "track", 2.2, "#8a6a4a", 1),
    "minor_road": LinkStyle("Minor road", "road", 3.4, "#fbf5e6", 2),
    "secondary": LinkStyle("Secondary road", "road", 3.4, "#fbf5e6", 2),
    "secondary_road": LinkStyle("Secondary road", "road", 3.4, "#fbf5e6", 2),
    "road": LinkStyle("Road", "road", 4.2, "#efd9a6", 3),
    "primary": LinkStyle("Primary road", "road", 5.0, "#dd9a5b", 4),
    "primary_road": LinkStyle("Primary road", "road", 5.0, "#dd9a5b", 4),
    "major_road": LinkStyle("Major road", "road", 5.0, "#dd9a5b", 4),
    "highway": LinkStyle("Highway", "road", 5.0, "#dd9a5b", 4),
    "rail": LinkStyle("Railway", "rail", 2.4, "#4b443c", 5),
    "railway": LinkStyle("Railway", "rail", 2.4, "#4b443c", 5),
    "railroad": LinkStyle("Railway", "rail", 2.4, "#4b443c", 5),
    "rail_double": LinkStyle("Double-track railway", "rail", 3.6, "#4b443c", 6),
    "shipping_path": LinkStyle("Shipping path", "ferry", 1.6, "#6b9db3", 7),
    "ferry": LinkStyle("Ferry", "ferry", 2.4, WATER_INK, 7),
}


def link_style(word: str) -> LinkStyle:
    if word in LINKS:
        return LINKS[word]
    for part, like in (("ferry", "ferry"), ("rail", "rail"), ("road", "road"), ("track", "track")):
        if part in word:
            base = LINKS[like]
            return LinkStyle(spoken(word), base.drawing, base.width, base.colour, base.rank)
    return LinkStyle(spoken(word), "track", 2.2, "#8a6a4a", 1)


# --- features of a hex that get a sign of their own ----------------------------------------------------------------

FEATURE_SIGNS: dict[str, str] = {
    "village": "village",
    "town": "town",
    "city": "city",
    "minor_city": "city",
    "major_city": "city",
    "landmark": "landmark",
    "station": "station",
    "port": "port",
    "major_port": "port",
    "minor_port": "port",
    "naval_base": "port",
    "pontoon_site": "pontoon",
    "fort": "fort",
    "fortress": "fort",
    "fortification": "fort",
    "printed_fort": "fort",
    "trench": "trench",
    "pillbox": "pillbox",
    "airfield": "airfield",
    "air_base": "airfield",
    "oil": "oil",
    "oil_field": "oil",
    "pass": "pass",
    "factory": "factory",
    "hill": "peak",
    "hilltop": "hilltop",
    "rail_terminal": "terminal",
    "isolation_sdm": "rally",
    "peak": "peak",
    "ferry": "ferry",
    "vp": "vp",
    "supply_source": "supply",
    "supply": "supply",
    "entry": "entry",
}

# --- sides, nations, highlights ------------------------------------------------------------------------------------


class CounterColours(NamedTuple):
    """Axis cards are light with dark ink and square corners, Soviet ones dark with light ink and cut corners: the
    sides differ for every eye. A nation shows in the edge and the band."""

    ground: str
    ink: str
    box: str
    """Inside the unit symbol."""
    edge: str
    cut: bool = False


AXIS = CounterColours("#eef2f5", "#14212c", "#ffffff", "#3a5a75")
SOVIET = CounterColours("#863d1a", "#fff4e8", "#fbe6d2", "#4f1f09", True)
SIDES: dict[str, CounterColours] = {
    "axis": AXIS,
    "german": AXIS,
    "germans": AXIS,
    "soviet": SOVIET,
    "soviets": SOVIET,
    "russian": SOVIET,
}
NATIONS: dict[str, CounterColours] = {
    "german": AXIS,
    "ss": CounterColours("#dbe0e4", "#101417", "#ffffff", "#15191c"),
    "luftwaffe": CounterColours("#e3effa", "#10243a", "#ffffff", "#2f6ea8"),
    "romanian": CounterColours("#e6f4f2", "#0b2a28", "#ffffff", "#0f7069"),
    "hungarian": CounterColours("#efeaf7", "#1f1436", "#ffffff", "#65459c"),
    "italian": CounterColours("#e9f5e6", "#12280f", "#ffffff", "#2f7a2f"),
    "slovak": CounterColours("#ececf8", "#1d1c38", "#ffffff", "#4d4ca0"),
    "soviet": SOVIET,
    "guards": CounterColours("#7c1f12", "#fff4e8", "#fbe0d8", "#3f0a05", True),
    "nkvd": CounterColours("#4f5226", "#fbf9e6", "#f0f0d2", "#2a2c10", True),
    "naval": CounterColours("#3d4468", "#f3f5ff", "#e2e6fa", "#1d2240", True),
}
NEUTRAL = CounterColours("#e7e1d2", "#2f2a24", "#fbf8f0", "#8d8371")
SIDE_INK = {0: "#2b5a86", 1: "#a8430f"}


def side_colours(side: str) -> CounterColours:
    return SIDES.get(side, NEUTRAL)


def counter_colours(side: str, nation: str) -> CounterColours:
    return NATIONS.get(nation) or side_colours(side)


def side_ink(side: str) -> str:
    """A strong colour for the side's borders, arrows and flags."""
    if side_colours(side) is AXIS:
        return SIDE_INK[0]
    return SIDE_INK[1] if side_colours(side) is SOVIET else INK


class HighlightStyle(NamedTuple):
    fill: str
    opacity: float
    stroke: str
    width: float
    dash: str = ""


HIGHLIGHTS: dict[str, HighlightStyle] = {
    "choice": HighlightStyle("#ffffff", 0.28, "#c2185b", 4.0),
    "selected": HighlightStyle("#fff27a", 0.45, "#1a1a1a", 5.0),
    "reach": HighlightStyle("#ffffff", 0.35, "#3d3d8f", 2.5),
    "stop": HighlightStyle("#f0b429", 0.4, "#8a5a00", 2.5, "8 5"),
    "target": HighlightStyle("#d7263d", 0.25, "#b3001b", 5.0),
    "path": HighlightStyle("none", 0.0, "#3d3d8f", 6.0),
    "zone": HighlightStyle("#8f3985", 0.18, "#8f3985", 1.5, "4 4"),
    "supply": HighlightStyle("#2e8b57", 0.18, "#1f6f43", 1.5),
    "area": HighlightStyle("none", 0.0, "#7a4b9a", 4.0, "12 6"),
}


def spoken(word: str) -> str:
    """`minor_river` as a person says it."""
    return word.replace("_", " ").replace("-", " ").strip().capitalize()
