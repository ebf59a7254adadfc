"""9.12 Soviet movement next to alarm units. The combat itself is chapter 12; here it is played by hand."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.procedure import Out, Return, auto
from kessel.games.korsun44.board import ALERT, MOVED, Board
from kessel.games.korsun44.combat.alarm import AlarmCombat
from kessel.games.korsun44.data.charts import POINT

from .helpers import board, choices, h, moving, play, position, refused, told, u, unit

DIVISION, LATER = "180.27A", "337.27A"


@pytest.fixture
def fight(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Lets the next combat end as told: whether the alarm unit dies, whether the attackers may go on."""

    def end(dies: bool, goes_on: bool) -> None:
        @auto("9.12")
        def fight(self: Any, g: Board) -> Out:
            if dies:
                g.eliminate(g.units(self.target)[0], "9.12")
            return Return(goes_on)

        monkeypatch.setattr(AlarmCombat, "steps", (fight,))

    return end


def attack(*more: dict[str, Any], **fields: Any) -> Board:
    g = position(
        unit(DIVISION, "0,0"), unit("Alarm1", "0,1", status="alarm"), unit(LATER, "-5,0"), *more,
        phase="soviet_movement", **fields,
    )  # fmt: skip
    return play(moving(g), f"move {DIVISION}")


@pytest.mark.rule("korsun44", "9.12.1", "4.8.2b")
def test_the_mover_may_ignore_an_alarm_unit(fight: Any) -> None:
    fight(True, True)
    g = attack()
    play(g, "to 1,0", "to 1,1")  # past it, without a zone
    assert g.stack[-1].spent == (2 * POINT,)  # type: ignore[attr-defined]
    assert g.status[u(g, "Alarm1")] & ALERT


@pytest.mark.rule("korsun44", "9.12.2", "9.12.2a", "9.12.2b", "9.12.2d", "9.12.2e", "4.8.2e", "4.8.2f")
def test_an_attack_costs_the_entry_and_a_point_and_the_victor_enters_and_goes_on(fight: Any) -> None:
    fight(True, True)
    g = attack(on=board(terrain={"0,1": "woods"}))
    assert "attack_alarm 0,1" in choices(g)
    reveals = g.reveals
    play(g, "attack_alarm 0,1")
    assert g.reveals > reveals
    assert g.place[u(g, DIVISION)] == h(g, "0,1")
    assert g.stack[-1].spent == (3 * POINT,)  # type: ignore[attr-defined]
    play(g, "to 0,2", "halt")


@pytest.mark.rule("korsun44", "9.12.2e", "9.12.c2")
def test_who_suffers_must_halt_and_a_survivor_may_be_attacked_again(fight: Any) -> None:
    fight(True, False)
    g = play(attack(), "attack_alarm 0,1")
    assert g.place[u(g, DIVISION)] == h(g, "0,1")
    assert g.status[u(g, DIVISION)] & MOVED
    fight(False, True)
    g = play(attack(), "attack_alarm 0,1")
    assert g.place[u(g, DIVISION)] == h(g, "0,0")
    assert not g.status[u(g, "Alarm1")] & ALERT
    assert "attack_alarm 0,1" in choices(g)


@pytest.mark.rule("korsun44", "9.12.2a")
def test_points_must_suffice(fight: Any) -> None:
    fight(True, True)
    g = attack(unit("206.27A", "-4,0"))
    play(g, "to 0,-1", "to 1,-1", "to 1,0", "to 0,0")  # four of five points spent
    assert "more than are left" in refused(g, "attack_alarm 0,1").reason


@pytest.mark.rule("korsun44", "9.12.c3")
def test_only_attack_capable_units_and_only_lone_alarm_units(fight: Any) -> None:
    fight(True, True)
    g = attack(unit("245.88ID", "0,1"))
    assert refused(g, "attack_alarm 0,1").rule == "9.12"
    g = position(
        unit("gun.27A", "0,0"), unit("Alarm1", "0,2", status="alarm"), unit(LATER, "0,0"), phase="soviet_movement"
    )
    play(moving(g), "move gun.27A", "join " + LATER, "to 0,1")
    assert "attack_alarm 0,2" in choices(g)
    g = position(unit("Alarm1", "0,1", status="alarm"), unit("gun.27A", "0,0"), phase="soviet_movement")
    play(moving(g), "move gun.27A")
    assert "cannot attack" in refused(g, "attack_alarm 0,1").reason


@pytest.mark.rule("korsun44", "9.12.2c", "9.12.2d", "9.12.2e", "9.12.c1b")
def test_a_fight_won_leads_into_the_hex_and_the_move_goes_on() -> None:
    """Nothing but the hex of the alarm unit is entered: no advance after combat, which could go two hexes."""
    g = play(attack(), "attack_alarm 0,1", dice=[6, 6])
    assert "-/2DR>" in told(g)
    assert g.place[u(g, DIVISION)] == h(g, "0,1")
    assert g.stack[-1].spent == (2 * POINT,)  # type: ignore[attr-defined]
    play(g, "to 0,2", "halt")


@pytest.mark.rule("korsun44", "9.12.2e", "9.12.c2")
def test_a_fight_lost_ends_the_move() -> None:
    g = play(attack(unit("Alarm2", "-3,0", status="alarm")), "attack_alarm 0,1", dice=[1, 1])
    assert g.on_map(u(g, DIVISION))
    g = position(
        unit("54FAa.27A", "0,0", steps=1), unit("Alarm1", "0,1", status="alarm", strength=3), unit(LATER, "-5,0"),
        phase="soviet_movement",
    )  # fmt: skip
    play(moving(g), "move 54FAa.27A", "attack_alarm 0,1", dice=[3, 4])
    assert not g.on_map(u(g, "54FAa.27A")), "1:3 at seven costs two steps"
    assert g.place[u(g, "Alarm1")] == h(g, "0,1")


@pytest.mark.rule("korsun44", "9.12.2e")
@pytest.mark.parametrize("status", ["disorganized", "regroup"])
def test_who_was_in_disorder_before_the_fight_goes_on_after_it(status: str) -> None:
    """Half of five points, rounded up: two to take the hex, one to go on."""
    g = position(
        unit(DIVISION, "0,0", status=status), unit("Alarm1", "0,1", status="alarm"), unit(LATER, "-5,0"),
        phase="soviet_movement",
    )  # fmt: skip
    play(moving(g), f"move {DIVISION}", "attack_alarm 0,1", dice=[6, 6])
    assert g.place[u(g, DIVISION)] == h(g, "0,1")
    play(g, "to 0,2")
    assert g.place[u(g, DIVISION)] == h(g, "0,2")
