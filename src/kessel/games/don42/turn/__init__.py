"""14.0, 16.0, 17.0 Set-up, recovery and victory."""
