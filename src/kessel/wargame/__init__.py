"""What games of two sides on a hex map share. It knows hexes, units, sides and turns, and no title."""
