"""The game's pack, read and checked: counters, charts, map, scenarios.

Nothing here knows a position; rules stand on these readers and on nothing else of the pack.
"""
