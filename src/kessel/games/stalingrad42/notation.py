"""How actions are written."""

from __future__ import annotations

from kessel.core.action import Notation
from kessel.games.stalingrad42.combat import COMBAT_VERBS

NOTATION = Notation(
    [
        "move {unit}",
        "with {unit}",
        "to {place} {word}",
        "step {place} {word}",
        "drop {unit}",
        "halt",
        "full_retreat",
        "extended",
        "reserve",
        "activate {hex}",
        "disengage {units}",
        "flip",
        "switch",
        "rail {place}",
        "sail {place}",
        "strait",
        "transfer {place}",
        "flotilla {hexside}",
        "eliminate {unit}",
        "repair {place} {place}",
        "arrive {unit} {place}",
        "return {unit} {place}",
        "enlist {unit} {place}",
        "release {word}",
        "build",
        "fortify {hex}",
        "ready {unit}",
        "supply {place}",
        "offensive {unit}",
        "spend {unit} {unit}",
        "restore {unit} {word}",
        "revive {unit} {word}",
        "place {place}",
        "displace {unit} {place}",
        "withdraw {unit}",
        "reduce {unit}",
        "absorb {unit}",
        "winter_offensive",
        "stock {unit}",
        "assign {unit} {number}",
        "swap {unit} {unit}",
        "join {unit} {unit}",
        "into {unit}",
        "unload {unit}",
        "emerge",
        "call {unit}",
        *COMBAT_VERBS,
    ]
)
