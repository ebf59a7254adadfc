"""The numbers that stand in the columns of the board: markers on units, where units are, kinds of hex sets."""

from __future__ import annotations

from enum import IntFlag


class Status(IntFlag):
    """Markers on a unit, and what it has done in this phase."""

    DISRUPTED = 1 << 0
    FULL_RETREAT = 1 << 1
    OOS = 1 << 2
    ISOLATED = 1 << 3
    TRAIN = 1 << 4
    REPLACED = 1 << 5
    """Under a Replacement marker (21.4)."""
    FLIPPED = 1 << 6
    """On its back: a Used ASU or leader, a Ready Supply Point."""
    FROZEN = 1 << 7
    """May not move until released (20.4, 20.6, 31.0)."""
    RESERVE = 1 << 8
    AUTO_DS = 1 << 9
    DONE = 1 << 10
    """Has had its move in this Movement Phase."""
    MOVED = 1 << 11
    """Left its place in this Movement Phase."""
    MOVED_FAR = 1 << 12
    """Moved more than one hex, or into an EZOC (25.2.1)."""
    EXTENDED = 1 << 13
    """Used Extended Movement: may not attack (2.3.2)."""
    CHOSE_RETREAT = 1 << 14
    """Went into Full Retreat of its own will in this phase (13.3.1)."""
    ATTACKED = 1 << 15
    """Took part in an attack in this Combat Phase."""
    DEFENDED = 1 << 16
    """Was attacked in this Combat Phase."""
    RETREATED = 1 << 17
    """Retreated in this phase (12.2, 12.4)."""
    ADVANCED = 1 << 18
    DISENGAGED = 1 << 19
    """Tried to disengage in this Combat Phase."""
    ARRIVED = 1 << 20
    """Came into play in this Player Turn as a Volunteer (20.8): one hex, no combat."""
    UNUSABLE = 1 << 21
    """A non-mobile Supply Point that was railed or shipped (18.6.8)."""
    REMOVED_NEXT = 1 << 22
    """A Reserve Army that has been revealed (34.7)."""
    SWAPPED = 1 << 23
    """A Reserve Army whose marker was switched in this phase, or pretended to be (34.1.2)."""
    JOINED = 1 << 24
    """A reinforcement placed in a Holding Box in this Initial Phase (34.3.1, 34.4.1)."""
    ACTIVATED = 1 << 25
    """Came out of Reserve in this Combat Phase (25.2.3): may not fight."""


_FLAGS = tuple(map(int, Status))
DISRUPTED, FULL_RETREAT, OOS, ISOLATED, TRAIN, REPLACED, FLIPPED, FROZEN = _FLAGS[:8]
RESERVE, AUTO_DS, DONE, MOVED, MOVED_FAR, EXTENDED, CHOSE_RETREAT = _FLAGS[8:15]
ATTACKED, DEFENDED, RETREATED, ADVANCED, DISENGAGED = _FLAGS[15:20]
ARRIVED, UNUSABLE, REMOVED_NEXT, SWAPPED, JOINED, ACTIVATED = _FLAGS[20:]
"""The same flags as plain ints: rules test them a million times."""

BAD_ORDER = DISRUPTED | FULL_RETREAT
STUCK = TRAIN | FROZEN | AUTO_DS | RESERVE | DONE
"""Units that may not be picked to move."""
NO_ZOC = FULL_RETREAT | TRAIN
NO_BOND = DISRUPTED | FULL_RETREAT | TRAIN
WATCHED = DISRUPTED | FULL_RETREAT | TRAIN
"""Changes of these change the hex sets."""
OF_COMBAT = ATTACKED | DEFENDED | RETREATED | ADVANCED | DISENGAGED | ACTIVATED
"""What units do in a Combat Phase."""
OF_THE_PHASE = DONE | MOVED | MOVED_FAR | CHOSE_RETREAT | SWAPPED | OF_COMBAT
PASSING = OF_THE_PHASE | EXTENDED | AUTO_DS | RESERVE | UNUSABLE | JOINED
"""Markers taken off all units at once."""
LISTED = PASSING | BAD_ORDER | OOS | ISOLATED | TRAIN | REPLACED | ARRIVED
"""Markers whose units can be listed (`marked_with`)."""
OF_MOVEMENT = DONE | MOVED | MOVED_FAR | CHOSE_RETREAT | ADVANCED | SWAPPED
"""What a unit on the map can do in combat does not depend on these."""

WAITING, IN_PLAY, ELIMINATED, REMOVED, RETURNING = range(5)
"""Where a unit is: still to come, on the board, Eliminated Box, out of the game, on the Turn Track (19.4)."""

PRESENT, COMBAT, ZOC, STEADY, RETREATING, HOLDER, CROWDED = 0, 2, 4, 6, 8, 10, 12
"""Hex sets of a side (`g.sets[COMBAT + side]`): any unit; a Combat Unit; one that exerts a ZOC (6.1); a Combat Unit not
in Full Retreat; Full Retreat units and no other Combat Unit (13.3.2); units that can hold a ZOC Bond (7.1); three or
more Combat Units that are no ASUs, the least that can be too many (4.1)."""
SETS = 14

PHASES = ("initial", "movement", "combat", "recovery", "supply", "victory", "weather")
"""What the track `phase` counts."""

SHATTERED, ABLE, TOUCHED = 0, 2, 4
"""Who asks for touched hexes, by side: the lists of Automatic DS (8.6) and of units able to attack (8.2). The last are
those touched since anybody asked."""

NOBODY = 0
"""Control: nobody's; else side + 1."""

NO_FORT, BEGUN, BUILT = 0, 1, 2
"""A hex's Fortification marker: side * 2 + BEGUN or BUILT."""

AIR_AWAY, AIR_READY, AIR_USED, AIR_PLACED = range(4)
MAX_RAILHEADS = 10
"""The five of the start, and one for each of the five splits of the green lines (17.2.2)."""
