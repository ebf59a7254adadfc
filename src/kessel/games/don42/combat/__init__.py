"""7.0, 11.0-13.0 Air units, bombardment, combat and its results."""
