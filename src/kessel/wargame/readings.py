"""Readings and optional rules: what a game can be started with, from the tables of its pack.toml.

A switch is a point the rules leave open; its first choice is played unless another is asked for. An optional rule is on
or off.

    [switches.closer]                              [options.leaders]
    rule = "9.2"                                   rule = "28.0"
    choices = ["at_end", "every_hex"]              default = "off"
    note = "nearer when it stops, or always"       note = "die rolls again"
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from kessel.core.errors import BadInput, BadPack
from kessel.core.pack import Pack
from kessel.core.title import Option

ON_OFF = ("off", "on")


class _Switch(msgspec.Struct):
    rule: str
    choices: tuple[str, ...]
    note: str = ""


class _Optional(msgspec.Struct):
    rule: str
    default: str
    note: str = ""


class Readings:
    """All switches and optional rules of a game."""

    def __init__(self, pack: Pack) -> None:
        doc, where = pack.toml("pack.toml"), pack.where("pack.toml")
        self.optional = {
            key: Option(key, _name(key), o.rule, ON_OFF, o.default, o.note)
            for key, o in _tables(doc.get("options", {}), _Optional, f"{where}: options").items()
        }
        self.switches = {
            key: Option(key, _name(key), s.rule, s.choices, s.choices[0], s.note)
            for key, s in _tables(doc.get("switches", {}), _Switch, f"{where}: switches").items()
        }
        self.all: dict[str, Option] = {**self.optional, **self.switches}

    def chosen(self, given: Mapping[str, str], where: str = "options") -> dict[str, str]:
        """Every switch and optional rule, at its default where nothing is given; BadInput names what is unknown."""
        for key, value in given.items():
            if key not in self.all:
                raise BadInput(f"there is no option {key!r}; there are {', '.join(self.all)}", f"{where}.{key}")
            choices = self.all[key].values
            if value not in choices:
                raise BadInput(f"{key} is one of {', '.join(choices)}, not {value!r}", f"{where}.{key}")
        return {key: given.get(key, option.default) for key, option in self.all.items()}

    def listed(self, defaults: Mapping[str, str] | None = None, without: Collection[str] = ()) -> tuple[Option, ...]:
        """The choices offered when a game is started, with a scenario's own defaults and without what it settles."""
        mine = defaults or {}
        return tuple(
            Option(o.id, o.name, o.rule, o.values, mine.get(o.id, o.default), o.about)
            for o in self.all.values()
            if o.id not in without
        )


def _name(key: str) -> str:
    return key.replace("_", " ").capitalize()


def _tables(doc: Mapping[str, Any], form: type[Any], where: str) -> dict[str, Any]:
    found = {}
    for key, entry in doc.items():
        if isinstance(entry, dict):
            try:
                found[key] = msgspec.convert(entry, type=form)
            except msgspec.ValidationError as e:
                raise BadPack(f"{key}: {e}", where) from None
    return found
