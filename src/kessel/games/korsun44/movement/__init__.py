"""9.0-11.0 Movement, zones, stacking."""
