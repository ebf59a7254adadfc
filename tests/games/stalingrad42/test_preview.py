"""What an action would do, before it is done; the exact chances against an enumeration of all dice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from kessel.core.dice import NeedRoll, Scripted
from kessel.core.game import Game
from kessel.core.procedure import legal, push
from kessel.games.stalingrad42 import TITLE
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.combat.chances import final_chances
from kessel.games.stalingrad42.combat.combat import Combat
from kessel.games.stalingrad42.combat.defense import DeterminedDefense

from .fights import combat, strength
from .helpers import NOTATION, choices, do, start


def preview(g: Board, text: str) -> dict:
    before = g.digest()
    found = TITLE.preview(g, NOTATION.parse(g, text))
    assert g.digest() == before
    return found


def field(**more: object) -> Board:
    return start(
        {"A": "axis 10-8-6 -3,0 tank", "B": "axis 6-5-3 0,-1", "X": "soviet 3-5-3 1,0", "Y": "soviet 2-2-3 -4,4"},
        radius=5,
        phase="movement",
        side="axis",
        **more,
    )


def test_a_move_shows_way_cost_zone_and_supply():
    g = field(boxes=[{"id": "Z", "side": "axis", "hexes": "-5,0", "kind": "entry"}])
    do(g, "move A")
    found = preview(g, "to -1,0 normal")
    assert found["cost"] == 2
    assert found["path"] == ["-2,0", "-1,0"]
    assert found["left"] == 4
    assert not found["must_stop"]
    assert found["supply"] == "in supply"
    stop = preview(g, "to 0,0 normal")
    assert stop["enemy_zone"]
    assert stop["must_stop"]
    assert sum(i["value"] for i in stop["breakdown"]["items"]) == 2 * stop["cost"]


def test_tactical_movement_is_counted_in_hexes():
    g = field()
    do(g, "move B")
    found = preview(g, "step 0,0 tactical")
    assert (found["cost"], found["unit_of_cost"]) == (1, "hexes")
    assert found["supply"] == "out of supply"


def test_an_attack_shows_its_odds_as_it_is_put_together():
    g = start(
        {"A": "axis 10-8-6 0,0", "B": "axis 6-5-3 0,1", "X": "soviet 3-5-3 1,0"}, phase="combat", side="axis", turn=10
    )
    assert preview(g, "attack 1,0")["column"] == "3-1"
    do(g, "attack 1,0")
    found = preview(g, "add A")
    assert found["attack"]["total"] == 10
    assert found["defense"]["total"] == 5
    assert found["column"] == "2-1"
    assert len(found["on_the_die"]) == 6
    for told in found["results"].values():
        assert sum(told["chances"].values()) == pytest.approx(1, abs=1e-5)
    do(g, "add A")
    assert preview(g, "add B")["column"] == "3-1"
    assert preview(g, "declare")["column"] == "2-1"
    assert preview(g, "remove A") == {}


def test_odds_that_are_too_low_say_so():
    g = start(
        {"A": "axis 2-8-6 0,0", "B": "axis 9-5-3 0,1", "X": "soviet 3-9-3 1,0"}, phase="combat", side="axis", turn=10
    )
    assert "too_low" not in preview(g, "attack 1,0")
    do(g, "attack 1,0")
    found = preview(g, "add A")
    assert found["too_low"]["rule"] == "8.4.1"
    assert "1-3" in found["too_low"]["reason"]
    assert "results" not in found


def counted(g: Board) -> Counter[str]:
    """The outcomes of the combat at hand, by all dice; a Determined Defense is always tried."""
    found: Counter[str] = Counter()
    todo: list[tuple[Fraction, tuple[int, ...]]] = [(Fraction(1), ())]
    while todo:
        weight, dice = todo.pop()
        b = g.copy()
        b.dice = Scripted(dice)
        try:
            push(b, ("declare",))
            while isinstance(b.stack[-1], DeterminedDefense):
                acts = legal(b)
                push(b, next((a for a in acts if a[0] == "desperate"), acts[-1] if acts[-1] != ("pass",) else acts[0]))
        except NeedRoll as need:
            todo.extend((weight / need.sides, (*dice, v)) for v in range(1, need.sides + 1))
            continue
        p = next((p for p in b.stack if isinstance(p, Combat)), None)
        found[p.outcome if p else "held"] += weight
    return found


@pytest.mark.parametrize("terrain", ["clear", "rough", "minor_city"])
@pytest.mark.parametrize("column", [0, 1, 3])
@pytest.mark.parametrize("steps", ["3-5-3", "3-5-3;2-3-3"])
def test_the_chances_are_those_of_all_dice(terrain: str, column: int, steps: str):
    g = start(
        {"A": f"axis {strength(column)}-8-6;5-4-6 1,0", "X": f"soviet {steps} 0,0"},
        radius=5,
        terrain={"0,0": terrain},
        phase="combat",
        side="axis",
        turn=10,
    )
    do(g, "attack 0,0", "add A")
    held = Counter[str]()
    for case in final_chances(g, combat(g, "0,0", "A")):
        held["gone" if case.outcome in ("retreats", "delayed", "ejected") else "stays"] += case.chance
    dice = counted(g)
    gone = sum(p for o, p in dice.items() if o in ("retreats", "delayed", "ejected"))
    assert held["gone"] == gone
    assert held["stays"] == 1 - gone


def test_a_second_die_helps_the_attacker():
    g = start({"A": "axis 10-8-6 0,0", "X": "soviet 3-5-3 1,0"}, phase="combat", side="axis", turn=10)
    a = combat(g, "1,0", "A")
    for dice in (1, 2, 3):
        assert sum(c.chance for c in final_chances(g, a, dice)) == 1

    def loses(dice: int) -> Fraction:
        return sum((c.chance * c.result.attacker_loss for c in final_chances(g, a, dice)), Fraction(0))

    assert loses(1) > loses(2) > loses(3)


def test_a_retreat_shows_its_price():
    from .fights import fight

    g = fight("DR2", then=(1,))
    if "pass" in choices(g):
        do(g, "pass")
    text = next(c for c in sorted(choices(g)) if c.startswith("retreat"))
    found = preview(g, text)
    assert found["path"] == [g.place_name(p) for p in NOTATION.parse(g, text)[2]]
    assert len(found["path"]) == 2
    assert found["becomes"] == "disrupted"
    assert found["cost"] == 0


def test_overlays_name_zones_bonds_supply_and_threats():
    g = field(vp={"0,-1": 2}, boxes=[{"id": "Z", "side": "axis", "hexes": "-5,0", "kind": "entry"}])
    found = TITLE.overlays(g, 0)
    assert "0,0" in found["Axis zones"]
    assert "0,0" in found["Soviet zones"]
    assert found["Axis supply"]["hexes"]["-3,0"] == "supplied"
    assert found["Soviet supply"]["hexes"]["1,0"] == "isolated"
    assert set(found["Victory hexes"]["hexes"]) == {"0,-1"}
    assert found["Threatened Axis units"]["hexes"]["0,-1"] == "1-2"
    assert "Threatened Soviet units" not in found
    assert "Threatened Soviet units" in TITLE.overlays(g, None)


def test_the_lines_of_a_bond_join_its_holders():
    g = start({"A": "axis 5-5-5 0,0", "B": "axis 5-5-5 2,0", "X": "soviet 1-1-1 -3,0"})
    found = TITLE.overlays(g, 0)["Axis ZOC bonds"]
    assert found["hexes"] == ["1,0"]
    assert ["0,0", "1,0", "2,0"] in [sorted(line) for line in found["lines"]]


def test_every_listed_action_of_an_opening_has_a_preview():
    game = Game.new("stalingrad42", "fall-blau", seed=1)
    g = game.board
    while not any(a[0] == "move" for a in legal(g)):
        push(g, legal(g)[0])
    for action in legal(g)[:40]:
        assert isinstance(TITLE.preview(g, action), dict)
    push(g, next(a for a in legal(g) if a[0] == "move"))
    for action in legal(g):
        found = TITLE.preview(g, action)
        if action[0] in ("to", "step"):
            assert {"cost", "path", "must_stop", "supply", "enemy_zone"} <= set(found)


def test_events_that_move_a_piece_say_where_to():
    g = field()
    do(g, "move A", "to -1,0 normal")
    assert g.events is not None
    last = next(e for e in reversed(g.events) if e.get("unit") == "A")
    assert last["to"] == "-1,0"
