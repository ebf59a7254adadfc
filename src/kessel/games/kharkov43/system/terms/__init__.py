"""What the system weighs: terms, selection, restrictions and preferences (8.3, 9.23-9.25, 9.3)."""
