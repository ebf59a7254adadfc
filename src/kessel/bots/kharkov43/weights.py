"""All numbers of the program that a copy of it may change. A step is worth 1."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    vp: float = 3.0
    """A victory point."""
    # --- towns
    edge: float = 0.8
    quiet_edge: float = 0.1
    """A map-edge hex counts only while the Soviets hold it and are supplied there: nobody waits for them far from
    them."""
    least_need: float = 2.5
    overrun: float = 3.2
    """A stack in a town holds against about so many times its strength."""
    kharkov: float = 1.6
    """Without Kharkov there is no German victory (18.35): it must be retaken."""
    stubborn: float = 1.4
    held_until: int = 4
    """Until that game-turn it is held longer than other towns, but not at any price."""
    ordered: float = 2.0
    """How much of what a unit holds of it more it takes to leave it until then, even to advance."""
    siege: float = 0.35
    """How much of a town's worth its garrison's losses are: the next attack has it easier."""
    last_one: float = 1.0
    """How much of a town's worth more it takes for its last unit to leave."""
    shield: float = 0.25
    """How much of a town's worth a unit in front of it saves."""
    # --- danger
    cut_off: float = 2.0
    lost_cause: float = 0.5
    """What it costs to stand where no supply comes through, for each step, and how much of a town's worth is left
    there."""
    exposed: float = 0.1
    most_exposed: int = 4
    """What each hex from safe ground costs, for each step, and how many of them count: Soviets slip through and cut
    off."""
    cut_off_risk: float = 0.04
    """How much less holding a town is worth with each hex from safe ground."""
    unsafe: float = 0.35
    """What it costs to stand, for each step, where Soviets that slip through cut the supply."""
    relief: float = 0.8
    """What it is worth to bring supply to units that are cut off, for each step."""
    strong_group: float = 22.0
    """A group of that strength can fight its way out."""
    gives_way: float = 1.6
    """A stack that is attacked at less than these odds stands."""
    # --- the counterstroke
    mass: float = 0.03
    most_mass: int = 24
    """What each point of strength of the corps within two hexes is worth to a mobile unit in a counterstroke, and how
    many count."""
    mobile: int = 3
    """The least strength of a mechanized unit that is used to strike rather than to hold."""
    forward: float = 1.5
    bold: float = 0.4
    """In a counterstroke the way forward counts so much more, and a good position for defence so much less."""
    opens_way: float = 0.0
    """What it is worth to drive a Soviet stack out of the way to Kharkov, just before it; less further away."""
    vacated: float = 0.4
    """A hex from which a Soviet stack is driven."""
    half_a_turn_away: float = 0.82
    """What a post is worth to a unit that still needs a move to get there."""
    # --- orders for one impulse
    play: int = -1
    command: int = -1
    corps: int = -1
    place: int = -1
    """The card to be played, the command on it, the corps it is for by their numbers; the hex of the Kampfgruppe."""
    focus: int = -1
    pull: float = 0.0
    """The hex to go to, and what each hex nearer is worth to each unit."""
    fear: float = 1.0
    """How much all dangers count."""
    # --- moves
    worth_moving: float = 0.12
    worth_attacking: float = 0.5
    """A quick estimate must promise that much before units are moved for an attack."""
    needed_elsewhere: float = 0.12
    """What it costs that a unit takes part in an attack and not in another."""
    new_side: float = 0.25
    closes: float = 0.15
    """What it is worth to attack from one more hex, and to close one more way back."""
    # --- fights
    step: float = 1.2
    """A German step lost in combat."""
    soviet_step: float = 1.0
    dispersed: float = 0.5
    card: float = 0.9
    waiting: float = 0.02
    """What a card is worth that is not played as a tactic, and what each point of strength in reserve adds to that."""
    worth_it: float = 0.1
    barely: float = -0.3
    """What an attack must bring by the exact chances, and by the first estimate to be looked at."""
    spent_card: float = 0.6
    """What it is worth that the Soviets spend a card on their defence: it activates nobody (8.0)."""
    # --- cards
    reserve_point: float = 0.5
    """A point of strength in reserve that can be deployed."""
    replacement: float = 1.0
    air_supply: float = 0.5
    """A step that air supply keeps in the fight."""
    assault: float = 0.8
    """What of an attack's promise counts for the card that allows it."""


WEIGHTS = Weights()
"""Of the German; the Soviets are run by the rules."""
