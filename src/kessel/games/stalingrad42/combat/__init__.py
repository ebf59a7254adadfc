"""8.0-11.0 Combat, from the declaration to the Determined Defense."""
