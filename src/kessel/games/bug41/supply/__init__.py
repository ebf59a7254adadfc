"""Command and supply: the paths of units to their headquarters, and of headquarters to the map edge."""
