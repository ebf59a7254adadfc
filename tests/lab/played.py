"""A recorded game of each title, played again once for all tests of this folder."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kessel.core.game import Game
from kessel.core.record import read_record
from kessel.report.course import Turn, Watch

RECORDS = Path(__file__).parents[1] / "records"
OF = {
    "bug41": "ustyluh",
    "don42": "short-game",
    "kharkov43": "star-and-gallop",
    "korsun44": "tinovka",
    "stalingrad42": "fall-blau",
}


@cache
def followed(game: str) -> tuple[Game, list[Turn]]:
    record = read_record(RECORDS / f"{game}-{OF[game]}.kessel")
    head = record.header
    played = Game.new(game, head.scenario, seed=bytes.fromhex(head.seed), options=head.options)
    watch = Watch(played, wide=True)
    for line in record.lines:
        watch.saw(played.play(line.do))
    return played, watch.end()
