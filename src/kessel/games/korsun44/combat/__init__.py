"""12.0 Combat."""
