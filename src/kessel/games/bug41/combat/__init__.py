"""Combat: attacks, checks, hits, retreats and advances."""
