"""Geography to hexes, at build time: `python -m kessel.mapping build GAME` writes a pack's `board.json`.

Public geodata (`data/`, licences in NOTICE) is projected, fitted to the hexes the rulebook names and laid on the grid;
what data cannot give is drawn by hand in the pack's `board-edits.toml`. Needs numpy; nothing at play time imports this.
"""
