"""The Soviet cards (8)."""
