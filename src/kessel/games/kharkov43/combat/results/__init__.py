"""What hits do: losses, hold checks, retreats and advances (12.5-12.8)."""
