"""What the German player does in a game-turn (5-7), and what belongs to the game as a whole (3, 16-18)."""
