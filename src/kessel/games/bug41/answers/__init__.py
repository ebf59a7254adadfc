"""What is shown and answered: views, overlays, previews, worth of a position."""
