"""Movement, stacking and zones of control (10, 11)."""
