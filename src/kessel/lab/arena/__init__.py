"""Which program is stronger, by how much, and how sure is that?

`matches` says what is played and plays it, `store` keeps it, `series` plays many and stops when enough is known, `sprt`
and `ratings` are the statistics, `suite` measures single turns from kept positions, `report` shows it all, `commands`
is `kessel arena`.
"""
