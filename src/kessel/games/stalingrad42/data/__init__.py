"""What is printed: counters, charts, terrain, scenarios."""
