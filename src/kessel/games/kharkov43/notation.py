"""How actions are written: one template per verb."""

from __future__ import annotations

from kessel.core.action import Notation

NOTATION = Notation(
    (
        "play {word} {word}",
        "corps {word}",
        "kg {hex}",
        "unit {unit}",
        "move {unit} {hex}",
        "strategic {unit} {hex}",
        "deploy {unit} {hex}",
        "dig {hex}",
        "lose {unit}",
        "replace {unit}",
        "event {word}",
        "target {hex}",
        "attack {hex}",
        "with {unit}",
        "without {unit}",
        "tactic {word} {word}",
        "join {unit} {hex}",
        "draw {number}",
        "retreat {path}",
        "scatter {number}",
        "fallback {unit} {path}",
        "disperse",
        "advance {unit} {path}",
    )
)
