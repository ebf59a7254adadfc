"""How actions are written."""

from __future__ import annotations

from kessel.core.action import Notation

NOTATION = Notation(
    (
        # 17.0 set-up
        "place {unit} {hex}",
        "automatic",
        # 4.4, 7.0 air
        "bombard {hex}",
        "bomb_bridge {hexside}",
        "plane {unit}",
        "strike",
        "airlift {unit} with {units}",
        "airlift_fuel {unit} with {units}",
        "airlift_ammo {unit} with {units}",
        "drop {unit} {number}",
        "supply {unit}",
        # 8.0, 19.4 positions and bridges
        "entrench {hex}",
        "pontoon {hexside}",
        "repair {hexside}",
        # 9.0 activation
        "activate {word}",
        "assign {words}",
        # 10.0, 15.0 movement
        "move {unit}",
        "to {hex}",
        "halt",
        "leave",
        "enter {unit}",
        "at {hex}",
        # 11.0 bombardment
        "shell {hex}",
        "shell_bridge {hexside}",
        "gun {unit}",
        "fire",
        "fire_combat",
        # 12.0 combat
        "attack {hex}",
        "with {unit}",
        "assault",
        # 13.0 results
        "eliminate {unit}",
        "give_way",
        "step_loss {unit}",
        "retreat {path}",
        "continue {hex}",
        "displace {unit} {hex}",
        "advance {unit} {hex}",
    )
)
