"""All numbers of the program that a copy of it or an order to a formation may change. A Victory Point is worth 1 of a
goal; a fight counts combat points."""

from __future__ import annotations

from dataclasses import dataclass

SPEARHEAD = "16Pz"


@dataclass(frozen=True, slots=True)
class Weights:
    # --- goals
    slow: float = 10.0
    """MPs at which a goal is worth half of what it is worth at hand."""
    crowd: float = 0.6
    """How much less a goal is worth for each unit already on its way."""
    volga: float = 80.0
    detour: float = 3
    """MPs the spearhead goes out of its way for."""
    cut: float = 10.0
    """A hex of the XIV Panzer Corps' supply road for the Soviets."""
    guard: float = 14.0
    """For the Germans a hex of that road that is blocked or in danger."""
    retake: float = 1.0
    """A Victory Point hex that Germans stand on."""
    regain: float = 1.8
    """The same where nobody stands any more."""
    screen: float = 0.7
    """Share of an own Victory Point hex's value that guarding it is worth when the enemy is near."""
    held: float = 0.3
    """The same where somebody does already."""
    near: int = 15
    """Hexes at which the Germans are near a Victory Point hex: a day's drive."""
    focus: int = -1
    """A hex to be gone for before all others, or none."""
    focus_worth: float = 60.0
    # --- marches
    hold: int = 3
    """Hexes within which an enemy makes a unit stay on a Victory Point hex it alone holds."""
    by_the_way: float = 0.3
    """MPs of its way to the Volga that a Victory Point is worth to the spearhead."""
    take: float = 2.5
    """The same to everybody else."""
    risk: float = 0.3
    """MPs for each point of enemies beside a hex beyond what can stand against them."""
    haste: float = 0.3
    """What a good attack counts for the spearhead."""
    chance: float = 1.5
    """MPs for odds one better."""
    leash: float = 6.0
    """MPs beyond the reach of the division's HQ."""
    cover: float = 0.4
    awake: float = 100.0
    """What it is worth to a commander's HQ that its Army surely activates and all of it is in command."""
    # --- fights
    good_enough: float = 0.6
    """Expected gain from which an attack is made."""
    ground: float = 0.8
    """A Victory Point taken by an attack."""
    blood: float = 1.0
    """What own losses and disorder count."""
    hq: float = 1.0
    """How much more an enemy HQ counts than it is worth by itself."""
    plane: float = 0.15
    attacker: float = 0.05
    """What binding a plane, a unit to an attack costs."""


WEIGHTS = (Weights(), Weights(hold=15))
"""Of the German, of the Soviet."""
