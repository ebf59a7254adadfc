"""All numbers of the program. A step of infantry is worth 1."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Weights:
    # --- fights
    enemy_step: float = 1.0
    own_step: float = 1.0
    armor: float = 1.6
    """A step of armor against one of infantry."""
    disorder: float = 0.5
    """A stack Disorganized."""
    clear: float = 0.4
    """An enemy hex cleared."""
    forward: float = 1.2
    """The same where it opens the way to the objective."""
    place: float = 0.5
    """A place, for each Victory Point."""
    road: float = 0.5
    """The same where enemies cut the road of a whole army."""
    breakthrough: float = 1.0
    """Tanks that go on after the fight."""
    trapped: float = 0.7
    """For each step of defenders that have nowhere to go."""
    supply_point: float = 0.3
    least_attack: float = 0.5
    """What an attack must promise."""
    least_holding: float = 2.5
    """The same where it opens no way to an objective and takes no place."""
    # --- marches
    progress: float = 0.5
    """A hex nearer to the objective."""
    least_march: float = 0.4
    drive: float = 2.0
    """Hexes nearer to the objective that a mobile unit must be able to go to drive on instead of attacking."""
    open_way: float = 7.0
    """Hexes that enemies may add to the way for it to count as open."""
    exposed: float = 0.12
    """For each point of strength of enemies beside a hex beyond one's own."""
    exposed_in_attack: float = 0.35
    """What of this counts for those that are to attack."""
    cover: float = 0.6
    """A hex that is hard to attack, beside the enemy."""
    far_from_supply: float = 0.5
    """For each hex beyond the range of the SDMs."""
    beyond: float = 4.0
    """A hex beyond the boundary of the Front, where nobody is supplied."""
    needed: float = 0.1
    """For each point of strength of enemies near a hex that is to be held."""
    enough: float = 0.12
    """For each point of strength of friends there already."""
    needed_most: float = 24.0
    garrison: float = 0.7
    """A place that is to be held and has no garrison, for each of its Victory Points."""
    garrison_power: float = 6.0
    """The strength of a garrison."""
    cut: float = 5.0
    """A hex on the last way or road out of the pocket."""
    guard: float = 3.0
    """A hex that opens the road of a whole army again when somebody stands there."""
    leave_place: float = 3.0
    """The last unit that leaves a place, for each of its Victory Points."""
    leave_front: float = 2.5
    """The last unit that leaves a hex beside the enemy."""
    crowd: float = 0.3
    """A unit more in a hex."""
    pull: float = 0.0
    """A hex nearer to a place that is to be held, beyond a quarter of `progress`."""
    # --- fields
    enemy_hex: int = 5
    """Hexes that an enemy stack on the way is worth."""
    enemy_zone: int = 1
    # --- combat
    stand: float = 1.2
    """What a place must be worth for its defenders to stand."""
    least_breakthrough: float = 0.4
    # --- supply
    sdm_point: float = 0.5
    """A Supply Point of an SDM that supplies anybody."""
    danger: float = 3.0
    """An SDM near the enemy."""
    gun_points: int = 2
    """Supply Points an SDM keeps for attacks when guns ask for ammunition."""
    dig_points: int = 3
    """The same when engineers do."""
    # --- the pocket
    break_out_from: int = 20
    """The turn from which it breaks out when most of it can."""
    break_out_share: float = 0.75
    """The share of the pocket that must be near the relief for it to break out before the last days."""
    last_days: int = 1
    """Turns before the end when a smaller share is enough; on the last turn it breaks out anyhow."""
    last_share: float = 0.4
    """That share."""


WEIGHTS = (
    Weights(own_step=0.8, forward=1.5, road=0.0, guard=0.0),
    Weights(own_step=0.65, forward=1.8, exposed_in_attack=0.2, open_way=20.0),
)
"""Of the German, of the Soviet."""

COMMANDER = (replace(WEIGHTS[0], pull=0.4), WEIGHTS[1])
LAST_TURN = (
    Weights(
        enemy_step=0.5, own_step=0.02, clear=0.05, forward=0.1, place=1.0, disorder=0.0, supply_point=0.0,
        breakthrough=0.1, least_attack=0.05, least_holding=0.05, exposed=0.02, pull=0.4, road=0.0, guard=0.0,
    ),
    Weights(
        enemy_step=0.02, own_step=0.05, clear=0.02, forward=0.1, place=1.0, disorder=0.0, supply_point=0.0,
        breakthrough=0.3, least_attack=0.05, least_holding=0.05, exposed=0.02, exposed_in_attack=0.2, open_way=20.0,
    ),
)  # fmt: skip
"""As points count at the end: a place its Victory Points, steps next to nothing."""
