"""What is printed: counters, charts, the map, scenarios."""
