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
        # 13.0, 14.0 supply
        "place_sdm {unit}",
        "relay_at {hex}",
        "displace {unit} {hex}",
        "supplied_by {unit} {unit}",
        "transfer {unit} {word}",
        "extend_supply {unit} {hex}",
        "resupply {unit} {number}",
        "reduce {unit}",
        "drop_on {hex}",
        "drop_to {unit}",
        "drop_depot",
        "supply {unit}",
        "allocate_drops {number}",
        "allocate_lift {number}",
        "allocate_alternate {number}",
        "store {unit} {number}",
        "move_stock {word} {number}",
        "fill_depot {word} {number}",
    )
)

PHRASES = {
    "on_foot": "Move on foot",
    "join": "Move together with",
    "return_fire": "Halt and return fire",
    "fire_at": "Fire at",
    "step_loss": "Loses a step:",
    "marker_to": "Move the extension marker to",
    "turn_over": "Turn over the alarm unit in",
    "convert_alarm": "Give up the alarm unit in",
    "armor_roll": "Roll for tanks of",
    "absorb": "A cadre joins another unit:",
    "disband": "Give up the guns of",
    "attack_alarm": "Attack the alarm unit in",
    "place_sdm": "Place the SDM",
    "relay_at": "Relay supply from",
    "supplied_by": "Name the SDM that supplies",
    "drop_on": "Drop supply on",
    "drop_to": "Drop supply to",
    "drop_depot": "Drop supply on the alternate depot",
    "allocate_drops": "Air drops for next turn:",
    "allocate_lift": "Points for Korsun next turn:",
    "allocate_alternate": "Points for the alternate airfield next turn:",
    "store": "Give points of Korsun to",
    "move_stock": "Move points of Korsun to the alternate",
    "fill_depot": "Move points to the depot from",
}
