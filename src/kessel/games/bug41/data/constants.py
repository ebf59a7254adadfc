"""The numbers and formations of pack.toml, decoded and checked."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeVar

import msgspec

from kessel.core.errors import BadPack
from kessel.core.pack import Pack
from kessel.core.places import toml_line

PACK = "pack.toml"
T = TypeVar("T")


class Die(msgspec.Struct, frozen=True):
    sides: int


class Stacking(msgspec.Struct, frozen=True):
    units: int
    infantry: int
    hqs_in_village: int
    hqs_in_town: int


class Checks(msgspec.Struct, frozen=True):
    pillbox: int
    surprise: int


class MovementNumbers(msgspec.Struct, frozen=True):
    leg_bonus: int
    boats_per_activation: int


class CommandNumbers(msgspec.Struct, frozen=True):
    out_of_command_cost: int


class CombatNumbers(msgspec.Struct, frozen=True):
    lowest_roll: int
    highest_roll: int
    attacking_at_part: int
    engineers: int


class Brandenburg(msgspec.Struct, frozen=True):
    through: int
    modifier: int
    tank_part: str

    @property
    def tank_fraction(self) -> Fraction:
        return Fraction(self.tank_part)


class SurpriseNumbers(msgspec.Struct, frozen=True):
    marker_space: int
    kinds: tuple[str, ...]


class InitiativeNumbers(msgspec.Struct, frozen=True):
    first_space_without_surprise: int


class ActivationNumbers(msgspec.Struct, frozen=True):
    level_loss: int
    reaction_level_loss: int
    displacement_level_loss: int
    lowest_level: int


class ReactionNumbers(msgspec.Struct, frozen=True):
    attempts_per_move: int
    successes_per_activation: int


class ActionNumbers(msgspec.Struct, frozen=True):
    moves_per_activation: int


class RelocationNumbers(msgspec.Struct, frozen=True):
    per_action_point: int
    most_action_points: int


class Red(msgspec.Struct, frozen=True):
    hits: int


class ArmorNumbers(msgspec.Struct, frozen=True):
    most: int


class RetreatNumbers(msgspec.Struct, frozen=True):
    most_hexes: int
    most_hexes_for_room: int
    hits_per_hex: int
    zone_loss: int


class VictoryBonus(msgspec.Struct, frozen=True):
    action_points: int
    most_per_activation: int


class ArrivalNumbers(msgspec.Struct, frozen=True):
    unit_hexes: int
    hq_hexes: int
    waits_turns: int


class Constants(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[constants]`: one section for each subject, each with its rule and provenance."""

    die: Die
    stacking: Stacking
    checks: Checks
    movement: MovementNumbers
    command: CommandNumbers
    combat: CombatNumbers
    brandenburg: Brandenburg
    surprise: SurpriseNumbers
    initiative: InitiativeNumbers
    activation: ActivationNumbers
    reactions: ReactionNumbers
    actions: ActionNumbers
    relocation: RelocationNumbers
    red: Red
    armor: ArmorNumbers
    retreat: RetreatNumbers
    victory_bonus: VictoryBonus
    arrival: ArrivalNumbers


class Formation(msgspec.Struct, frozen=True):
    """A division or brigade that is activated as a whole."""

    name: str
    side: str
    kind: str
    number: int


class Tether(msgspec.Struct, frozen=True):
    """An area the HQ of a formation must keep near to."""

    rule: str
    of: str
    hexes: int
    through: int
    until: str = ""


class Assignment(msgspec.Struct, frozen=True):
    """Units that may be lent; `most` holds for all receivers together."""

    rule: str
    lenders: tuple[str, ...] = msgspec.field(name="from")
    receivers: tuple[str, ...] = msgspec.field(name="to")
    units: str
    most: int


def read_section(pack: Pack, doc: dict[str, Any], path: list[str], form: type[T], name: str = PACK) -> T:
    """A part of a TOML file in its form; BadPack names file and line of what is missing or wrong."""
    part: Any = doc
    for step in path:
        if step not in part:
            raise BadPack(f"{'.'.join(path)} is missing", pack.where(name, 1))
        part = part[step]
    try:
        return msgspec.convert(part, type=form)
    except msgspec.ValidationError as e:
        message, _, at = str(e).partition(" - at `$")
        inner = [s for s in at.rstrip("`").replace("[...]", "").split(".") if s]
        told = f"{'.'.join([*path, *inner])}: {message}"
        raise BadPack(told, pack.where(name, toml_line(pack.text(name), [*path, *inner]))) from None


def read_constants(pack: Pack, doc: dict[str, Any]) -> Constants:
    return read_section(pack, doc, ["constants"], Constants)


def read_formations(pack: Pack, doc: dict[str, Any]) -> dict[str, Formation]:
    """Formations by id, in the order of their numbers."""
    found = {
        key: read_section(pack, doc, ["formations", key], Formation)
        for key, value in doc.get("formations", {}).items()
        if isinstance(value, dict)
    }
    sides = [s["id"] for s in doc["sides"]]
    for key, f in found.items():
        if f.side not in sides:
            where = pack.where(PACK, toml_line(pack.text(PACK), ["formations", key, "side"]))
            raise BadPack(f"{f.side!r} is not a side of this game", where)
    return dict(sorted(found.items(), key=lambda item: item[1].number))


def read_tethers(pack: Pack, doc: dict[str, Any], formations: dict[str, Formation]) -> dict[str, Tether]:
    found = {}
    for key, value in doc.get("tethers", {}).items():
        if not isinstance(value, dict):
            continue
        found[key] = tether = read_section(pack, doc, ["tethers", key], Tether)
        line = toml_line(pack.text(PACK), ["tethers", key])
        if key not in formations:
            raise BadPack(f"there is no formation {key!r}", pack.where(PACK, line))
        if tether.of not in pack.map.areas:
            raise BadPack(f"the board has no area {tether.of!r}", pack.where(PACK, line))
    return found


def read_assignments(
    pack: Pack, doc: dict[str, Any], formations: dict[str, Formation], units: set[str]
) -> tuple[Assignment, ...]:
    """`units` are the words an assignment may use for what is lent: types; `infantry` is every type that stacks so."""
    found = read_section(pack, doc, ["assignments"], tuple[Assignment, ...])
    where = pack.where(PACK, toml_line(pack.text(PACK), ["assignments"]))
    for a in found:
        for f in (*a.lenders, *a.receivers):
            if f not in formations:
                raise BadPack(f"{a.rule}: there is no formation {f!r}", where)
        if a.units not in units:
            raise BadPack(f"{a.rule}: {a.units!r} is not one of {', '.join(sorted(units))}", where)
    return found
