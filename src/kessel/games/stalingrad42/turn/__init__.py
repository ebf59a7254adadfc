"""What a turn is made of beside movement and combat: set-up, arrivals, replacements, removals, victory."""
