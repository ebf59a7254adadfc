"""4.0 Units: their strength, parts, extensions, alarm units."""
