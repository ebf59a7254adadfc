"""16.0, 17.0, 18.0, 22.0 Special and optional rules."""
