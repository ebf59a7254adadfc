"""What others are told: positions, questions, views, overlays, faults."""
