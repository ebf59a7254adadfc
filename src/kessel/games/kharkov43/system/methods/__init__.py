"""The methods by which Soviet units move (9.21, 9.22, 9.26)."""
