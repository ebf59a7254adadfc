"""Supply, support and garrisons (13, 15)."""
