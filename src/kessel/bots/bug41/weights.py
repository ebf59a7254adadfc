"""All numbers of the program. A strength point of an average unit is worth 1."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Weights:
    # --- fights
    enemy_strength: float = 1.3
    own_strength: float = 1.0
    afv: float = 1.5
    """A strength point of armor, against one of infantry."""
    disruption: float = 1.2
    """A unit Disrupted."""
    clear: float = 2.5
    """An enemy hex cleared."""
    forward: float = 4.0
    """The same where it opens the way to the objective."""
    victory_point: float = 12.0
    """A place, for each Victory Point."""
    wear: float = 0.5
    """What of all this counts for an attack that only wears the defenders down."""
    least_attack: float = 0.05
    """What an attack must promise for each Action Point."""
    # --- marches
    progress: float = 0.35
    """A movement point nearer to the objective, for a battalion of eight strength points."""
    least_march: float = 0.1
    out_of_command: float = 0.6
    """For each hex beyond the range of the HQ."""
    exposed: float = 0.15
    """For each strength point of enemies beside a hex beyond one's own."""
    exposed_in_attack: float = 0.2
    """What of this counts for a formation that is to take a place."""
    retreat: float = 0.25
    """A hex farther back."""
    cover: float = 0.6
    """A hex that is hard to attack, beside the enemy."""
    leave_place: float = 20.0
    """A place that counts left to the enemy."""
    leave_improved: float = 1.5
    """Improved Defense before the enemy given up for a march."""
    leave_cover: float = 4.0
    """A pillbox or town before the enemy left empty."""
    # --- fields
    enemy_hex: int = 8
    """Halves of a movement point that an enemy stack on the way is worth."""
    enemy_zone: int = 3
    boat: int = 6
    """The same for a crossing by boat."""
    # --- other Actions
    refit: float = 0.25
    """For each strength point of a unit that recovers."""
    refit_unit: float = 0.8
    improve: float = 0.5
    """For each hex that supports the defence, doubled by Improved Defense."""
    improve_in_attack: float = 0.3
    """What of this counts for a formation that is to take a place."""
    command: float = 0.7
    """A unit that a move of its HQ brings into command."""
    danger: float = 3.0
    """An HQ beside the enemy."""
    # --- formations
    crowd: float = 0.6
    """What another formation on the way to an objective leaves of its worth."""
    near: int = 12
    """Halves of a movement point added to distances, so that near objectives are not everything."""
    guard: float = 0.7
    """An own place to be guarded, against one to be taken."""
    guard_decisive: float = 0.4
    """The same where places alone decide: holding on wins nothing."""
    guard_hexes: int = 4
    """Halves of a movement point from the place within which guards stand."""
    spare_level: float = 0.3
    """A level to spend, when it is to be known who acts, against the gain of its best attack for each Action Point."""
    least_reaction: float = 0.6
    ahead: float = 1.5
    """Levels below what recovery fills up again that are spent on top."""
    kept_by_guards: float = 1.5
    """Levels kept at most, for Reactions."""
    kept_in_attack: float = 0.5
    # --- reassignment
    in_command: float = 1.0
    """A unit its formation commands."""
    among: float = 0.12
    """Another unit of the formation near it."""
    most_among: int = 4
    per_level: float = 0.05
    least_lending: float = 0.4
    """What a reassignment must promise."""
    raid: float = 0.0
    """A place of the enemy that a march can still take on the last turn, for each Victory Point."""
    saved: float = 0.0
    """Levels kept at most on the turn before the last, for the last word."""
    garrison: float = 0.0
    """An own place that the enemy can come to and where nobody stands, for each Victory Point."""


WEIGHTS = (
    Weights(own_strength=0.5, disruption=0.8, clear=4.0, forward=8.0, crowd=0.9, guard=0.2),
    Weights(enemy_strength=1.0, own_strength=1.1, guard=1.6, exposed=0.25, progress=0.3),
)
"""Of the German, of the Soviet: German losses count for nothing in the end, Soviet ones for Victory Points. What the
German has taken he leaves behind: guards of Volodymyr-Volynskyi do not come to Torchyn."""
BY_PLACES = (WEIGHTS[0], replace(WEIGHTS[1], own_strength=0.6, enemy_strength=1.3, progress=0.35))
"""Where places alone decide."""


def keeping(w: Weights, own_strength: float, saved: float) -> Weights:
    """The same for one who keeps the places he has taken."""
    return replace(w, own_strength=own_strength, victory_point=16.0, leave_place=30.0, garrison=4.0, saved=saved)


COMMANDER = (keeping(WEIGHTS[0], 1.0, 3.0), keeping(WEIGHTS[1], 1.1, 0.0))
"""Germans who spend their strength as if it counted still have some on the last turn."""
COMMANDER_BY_PLACES = (keeping(BY_PLACES[0], 1.0, 3.0), keeping(BY_PLACES[1], 0.6, 0.0))
LAST_TURN = (
    Weights(
        enemy_strength=1.0, own_strength=0.0, afv=2.0, disruption=0.3, clear=0.5, forward=3.0, victory_point=30.0,
        leave_place=30.0, garrison=4.0, exposed=0.0, progress=0.1, least_march=0.05, crowd=0.9, guard=0.2, raid=20.0,
    ),
    Weights(
        enemy_strength=0.4, own_strength=0.3, afv=2.0, disruption=0.2, clear=0.2, forward=3.0, victory_point=30.0,
        leave_place=30.0, garrison=6.0, exposed=0.25, progress=0.3, guard=1.0, raid=20.0,
    ),
)  # fmt: skip
"""As Victory Points count at the end: a place thirty strength points of the Soviets, German ones nothing. Soviets who
count their own in full attack too little for the places they want back.
"""
