"""8.2, 9.0 Who may attack, strengths, shifts and support."""
