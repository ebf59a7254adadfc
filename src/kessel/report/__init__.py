"""Games that were played, told to those who want to know: their course by turns, and a report as a page to read."""
