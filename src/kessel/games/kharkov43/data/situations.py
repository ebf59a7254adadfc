"""12.41, 12.5 What stands on a chit, in words."""

from __future__ import annotations

import re

RATIO = re.compile(r"ratio(>=|<|>)([\d.]+)")
ODDS = {">=": "odds of {}:1 or better", "<": "odds below {}:1", ">": "odds above {}:1"}
WORDS = {
    "only_defender_armor": "only the defender has armor",
    "only_attacker_armor": "only the attacker has armor",
    "nkvd": "NKVD",
    "german_airpower": "German airpower",
    "soviet_airpower": "Soviet airpower",
    "soviets_not_supported": "Soviets not supported",
    "ip_crossfire": "crossfire of improved positions",
}
WHOM = {"A": "the attacker", "D": "the defender", "G": "the Germans", "S": "the Soviets"}
HIT = re.compile(r"([ADGS])(-?\d+)")


def situation_said(situation: str) -> str:
    """One situation, or several of which any will do."""
    if found := RATIO.fullmatch(situation):
        return ODDS[found[1]].format(found[2])
    if situation.startswith("command_value_"):
        return f"corps command {situation.rpartition('_')[2]}"
    return " or ".join(WORDS.get(word, word.replace("_", " ")) for word in situation.split())


def hits_said(hits: str) -> str:
    """`A1 D1`: 1 hit on the attacker, 1 on the defender."""
    counted = [(WHOM[who], int(n)) for who, n in HIT.findall(hits) if int(n)]
    said = [f"{n} {'hit' if abs(n) == 1 else 'hits'} on {who}" for who, n in counted]
    return ", ".join(said).replace("-", "minus ") or "no hit"
