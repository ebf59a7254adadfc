"""Means and tails of the charts we rebuilt, counted from the packs: `python -m kessel.lab.pack_statistics.<game>`."""
