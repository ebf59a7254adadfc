"""15.0 Engineering."""
