"""18 Scenarios and 3 set-up adjustments, as the pack writes them."""

from __future__ import annotations

import msgspec

from kessel.core.pack import Pack
from kessel.wargame.rows import entries


class EarlyLoss(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """18.1, 18.2 The game ends at once when all of this is true."""

    level: str
    vp_at_least: int | None = None
    kharkov: str = ""
    soviet_unit_beyond: str = ""


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The level of the last turn if the Soviet VPs reach this number; the first line that applies counts."""

    at_least: int
    level: str


class Scenario(msgspec.Struct, frozen=True, rename={"early_loss": "early_end", "levels": "victory"}):
    id: str
    title: str
    rule: str
    first_turn: int
    last_turn: int
    ground_markers: bool
    calendar_victory: bool
    summary: str = ""
    options: dict[str, tuple[str, ...]] = {}
    early_loss: EarlyLoss | None = None
    levels: tuple[Level, ...] = ()


class StepLoss(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    unit: str
    steps: int


class Relocation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    unit: str
    to: str


class Relocations(msgspec.Struct, frozen=True):
    units: tuple[Relocation, ...] = ()


class StepLosses(msgspec.Struct, frozen=True):
    units: tuple[StepLoss, ...] = ()


class Adjustment(msgspec.Struct, frozen=True):
    """3.0 One of the five set-up adjustments."""

    id: str
    name: str
    die: tuple[int, ...]
    objectives: dict[str, str]
    """Front to hex and side of the marker: `1009 W`."""
    victory_points: int
    discards: tuple[str, ...]
    eliminated: tuple[str, ...] = ()
    placed: dict[str, str] = {}
    dispersed: tuple[str, ...] = ()
    captured: tuple[str, ...] = ()
    relocated: Relocations = Relocations()
    step_losses: StepLosses = StepLosses()


def read_scenario(pack: Pack, scenario: str) -> Scenario:
    return entries(pack, f"scenarios/{scenario}.toml", Scenario)


def read_adjustments(pack: Pack) -> tuple[Adjustment, ...]:
    return entries(pack, "adjustments.toml", tuple[Adjustment, ...], "adjustment")
