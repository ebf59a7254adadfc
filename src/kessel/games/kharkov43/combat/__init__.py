"""12 Combat, and improved positions (14.2).

    SovietCombat(SOVIET, target, attackers, card)    called by an attack check that succeeds (9.4)
    german_combat(g, target, card)                   called by the German activation (6.0)

`card` is the card that activated the attackers. Soviet decisions follow the written rules and are told to the log with
their reasons; the German player is asked in small steps.

battle           what a combat knows of itself
attack_reserves  12.2
tactics, joining 12.3
chits            12.4, 12.5, 12.51
hold             12.53, 12.54
step_losses      12.6
retreat          12.7
advance          12.8; advance_checks 12.83
odds             what may come of it
"""
