"""How actions are written."""

from __future__ import annotations

from kessel.core.action import Notation

NOTATION = Notation(
    (
        # 9.0 movement
        "reserve {unit}",
        "move {unit}",
        "join {unit}",
        "tactical",
        "strategic",
        "on_foot",
        "to {hex}",
        "halt",
        "intercept {unit}",
        "fire_at {unit}",
        "return_fire",
        "withdraw {unit} {hex}",
        # 11.0 stacking
        "step_loss {unit}",
    )
)

PHRASES = {
    "on_foot": "Move on foot",
    "join": "Move together with",
    "return_fire": "Halt and return fire",
    "fire_at": "Fire at",
    "step_loss": "Loses a step:",
}
