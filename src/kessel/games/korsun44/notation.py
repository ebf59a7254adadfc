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
        # 12.0 combat
        "attack {hex}",
        "fly {hex} for {word}",
        "react {unit} {hex}",
        "combat {hex}",
        "from {hex}",
        "also {hex}",
        "with {unit}",
        "withhold {unit}",
        "engage",
        "leave_out {unit}",
        "support {word} by {unit}",
        "air_support",
        "fire {unit}",
        "assault {unit}",
        "clear_mines {unit}",
        "no_retreat {hex}",
        "disorganize {hex}",
        "retreat {unit} {path}",
        "advance {unit} {path}",
        "break {unit} {hex}",
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
    "from": "Attack from",
    "also": "Attack also",
    "with": "Attack with",
    "withhold": "Keep out of the attack:",
    "leave_out": "Stays out of the defence:",
    "fly": "Aircraft to",
    "assault": "Assault engineers lead:",
    "clear_mines": "Clear the minefield with",
    "no_retreat": "No Retreat in",
    "break": "Break through with",
}
