"""3.0, 6.0, 8.0, 10.0, 15.0 Where units stand and go: weather, zones, stacking, positions, moves, arrivals."""
