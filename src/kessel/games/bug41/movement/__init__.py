"""Movement: zones, stacking, moves of units and of headquarters."""
