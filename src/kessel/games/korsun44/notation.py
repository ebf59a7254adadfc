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
        "extend_into {unit} {hex}",
        "break {unit} {hex}",
        "rail {unit} {hex}",
        "attack_alarm {hex}",
        # 4.0 units
        "break_down {unit} into {words}",
        "recombine {unit}",
        "extend {unit}",
        "marker_to {hex}",
        "turn_over {hex}",
        "convert_alarm {hex} {word}",
        # 7.0, 8.0 reinforcements and replacements
        "enter {unit} {hex}",
        "replace {unit} {number}",
        "rebuild {unit} {hex}",
        "armor_roll {word}",
        "roll_again",
        "receive {unit}",
        "at {hex}",
        "absorb {unit} into {unit}",
        "disband {unit}",
        "abandon {unit}",
        "abandon_korsun",
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
    "extend_into": "Extend into the hex:",
    "marker_to": "Move the extension marker to",
    "turn_over": "Turn over the alarm unit in",
    "convert_alarm": "Give up the alarm unit in",
    "armor_roll": "Roll for tanks of",
    "absorb": "A cadre joins another unit:",
    "disband": "Give up the guns of",
    "attack_alarm": "Attack the alarm unit in",
}
