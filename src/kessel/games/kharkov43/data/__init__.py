"""What is printed: counters, cards, charts, map, scenarios."""
