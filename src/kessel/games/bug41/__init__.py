"""Across the Bug River: Volodymyr-Volynskyi, 22-26 June 1941."""
