"""5.0, 20.0, 22.0, 34.0 Movement by land, rail and sea, and what it sets off."""
