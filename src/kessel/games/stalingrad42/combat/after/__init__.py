"""12.0, 14.0, 15.0 Retreat, advance and breakthrough."""
