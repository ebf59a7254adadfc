"""Hand-written positions, questions, views and overlays."""
