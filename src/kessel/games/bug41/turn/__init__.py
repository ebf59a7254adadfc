"""The turn: recovery, reinforcements, operations and the end of it."""
