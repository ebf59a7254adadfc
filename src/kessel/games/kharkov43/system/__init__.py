"""The Soviet system: activations, objectives, attack checks, reserves (9)."""
