"""Charts: the printed parts other than map and counters, read once from the pack."""

from __future__ import annotations

from functools import cached_property

import msgspec

from kessel.core.errors import BadInput
from kessel.core.pack import Pack
from kessel.core.paths import ALL
from kessel.games.kharkov43.data.cards import Card, read_cards, read_chits, read_events, read_tactics
from kessel.wargame.points import cell_points
from kessel.wargame.rows import chart, entries

POINT = 2
"""A movement point, in halves."""
GROUND_WORDS = ("frozen", "light_mud", "heavy_mud")


class Constants(msgspec.Struct, frozen=True):
    """The numbers of pack.toml that these rules read; each is stated in the rule named there."""

    stack_units: int
    stack_steps: int
    zoc_exit: int
    strategic_infantry_bonus: int
    supply_path: int
    supply_path_over_dniepr: int
    unsupplied_mechanized_hexes: int
    isolated_infantry_hexes: int
    forward_support_range: int
    forward_support_markers: int
    tactical_deployment_hexes: int
    tactical_deployment_distance: int
    strategic_deployment_distance: int
    edge_deployment_distance: int
    delayed_reserve_turns: int
    cards_per_soviet_impulse: int
    reuse_minimum_pile: int
    small_pile: int
    objective_distance: int
    attack_ratio: int
    no_attack_ratio: int
    tactical_value: int
    lead_unit_vp_hex_steps: int
    large_attack_soviet: int
    large_attack_german: int
    weak_attack: int
    light_mud_chits: int
    light_mud_supplementals: int
    heavy_mud_replacements: int
    most_retreat: int
    die: int
    stavka_tie_hex: str
    southwest_tie_row: int
    far_limit_vp: int
    west_support_vp: int
    desperation_vp: int
    vp_value_vp: int
    garrisons_from: int
    soviet_supply_from: int
    support_from: int
    operational_limit_from: int
    german_replacements_from: int
    soviet_replacements_from: int
    victory_checks_from: int
    start_vp: int
    soviet_towns_at_start: tuple[str, ...]
    kharkov: str


class CalendarSpace(msgspec.Struct, frozen=True):
    """2.1 One space of the calendar."""

    dates: str
    hand: int
    """German hand size limit."""
    supplementals: int
    """Supplemental cards added to the German draw pile."""
    far: int
    """Fixed Artillery Range."""
    ground: str
    defeat_above: int | None = None
    """18.35: a German defeat of this level if the VPs exceed this."""
    defeat_level: str = ""
    victory_below: int | None = None
    """18.35: a German victory of this level if the VPs are less than this and Kharkov is German-owned."""
    victory_level: str = ""

    @property
    def ground_marker(self) -> bool:
        """A ground condition marker lies here (18.33)."""
        return self.ground == "marker"


class Charts:
    def __init__(self, pack: Pack) -> None:
        self.pack, self.table = pack, pack.table
        self.cards = read_cards(pack)
        self.card_ids = tuple(c.id for c in self.cards)
        self.chits = read_chits(pack)
        self.events = read_events(pack)
        self.tactics = read_tactics(pack)

    def card_index(self, name: str) -> int:
        if name not in self.card_ids:
            raise BadInput(f"there is no card {name}")
        return self.card_ids.index(name)

    def card(self, name: str) -> Card:
        return self.cards[self.card_index(name)]

    @cached_property
    def german_cards(self) -> tuple[int, ...]:
        return tuple(i for i, c in enumerate(self.cards) if c.is_german)

    @cached_property
    def soviet_cards(self) -> tuple[int, ...]:
        return tuple(i for i, c in enumerate(self.cards) if not c.is_german)

    # --- Terrain Effects Chart, in halves of a movement point ------------------------------------------------------

    def enter_cost(self, terrain: str, mech: bool) -> int:
        """To enter a hex off a road."""
        return cell_points(self.table("terrain"), terrain, _column(mech), POINT)

    def road_cost(self, mech: bool, strategic: bool) -> int:
        """To enter a hex through a connected road hexside."""
        return cell_points(self.table("roads"), "strategic" if strategic else "ordinary", _column(mech), POINT)

    def cross_cost(self, river: str, mech: bool, light_mud: bool) -> int | None:
        """Added for an unbridged river hexside; ALL takes the whole allowance, None: never."""
        column = f"{_column(mech)}_{'light_mud' if light_mud else 'frozen'}"
        hexsides = self.table("hexsides")
        text = hexsides.at(river, column)
        if text in ("all", "no"):
            return ALL if text == "all" else None
        return cell_points(hexsides, river, column, POINT)

    @cached_property
    def halving_rivers(self) -> tuple[str, ...]:
        """12.41 The hexsides across which an attacker counts half."""
        chart = self.table("hexsides")
        return tuple(r for r in chart.rows if chart.at(r, "attack") == "halved")

    @cached_property
    def halving_terrains(self) -> frozenset[str]:
        """12.41 The terrain in which a mechanized unit counts half."""
        chart = self.table("terrain")
        return frozenset(t for t in chart.rows if chart.at(t, "halved") == "yes")

    @cached_property
    def terrain_key(self) -> int:
        """Equal charts have equal keys."""
        return hash(tuple(self.pack.text(f"tables/{name}.csv") for name in ("terrain", "hexsides", "roads")))

    # --- calendar ----------------------------------------------------------------------------------------------------

    @cached_property
    def calendar(self) -> dict[int, CalendarSpace]:
        """2.1 The spaces of the calendar by game-turn."""
        return {int(turn): space for turn, space in chart(self.table("calendar"), CalendarSpace).items()}

    @cached_property
    def ground_markers(self) -> tuple[int, ...]:
        """18.33 The ground condition markers."""
        table = self.table("ground_markers")
        return tuple(i for i, word in enumerate(GROUND_WORDS) for _ in range(table.number(word, "markers")))

    @cached_property
    def levels(self) -> tuple[str, ...]:
        """17.3 The victory levels."""
        return self.table("victory_levels").rows

    @cached_property
    def spearhead_armies(self) -> frozenset[str]:
        """9.21 The armies whose units are spearheads."""
        armies = self.pack.toml("pack.toml")["formations"]["soviet"]
        return frozenset(a for a, facts in armies.items() if isinstance(facts, dict) and facts.get("spearhead"))

    @cached_property
    def constants(self) -> Constants:
        """Numbers the rules state."""
        return entries(self.pack, "pack.toml", Constants, "constants")


def _column(mech: bool) -> str:
    return "mechanized" if mech else "infantry"


def charts_of(pack: Pack) -> Charts:
    """The charts of that pack, read once and kept with it."""
    return pack.once(Charts)
