"""A player that looks ahead: it compares plans by playing them on, and has a program carry out the best.

`plans` says what a plan is and what a game must give, `trials` plays one on, `choice` compares them, `player` puts it
together. It knows no game.
"""
