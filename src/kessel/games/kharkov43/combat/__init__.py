"""Combat (12) and improved positions (14.2)."""
