"""Nobody learns what is hidden: paired games, over every call of the server (see pairs.py)."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient

from kessel.core.board import NOWHERE
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.registry import GAMES, installed
from kessel.core.title import title
from kessel.games import korsun44
from kessel.games.korsun44.movement.zones import zoc_sources
from tests.table.pairs import APART, COMPARED, Setting, play_pair
from tests.table.people import server

# --- Stalingrad '42: whose box is which (34.1.2) ---------------------------------------------------------------------


def reserve_armies(game: Game, rng: random.Random) -> None:
    """34.1 The six Reserve Armies stand near the front, some beside one another, with units in some of their boxes."""
    g: Any = game.board
    f = g.forces
    g.turn = 22
    armies = f.reserve_armies
    soviets = [u for u in f.units_of[1] if g.on_map(u) and f.combat[u] and f.type[u] != "reserve_army"]
    hexes = sorted({g.place[u] for u in soviets})
    axis = sorted({g.place[u] for u in f.units_of[0] if g.on_map(u) and f.combat[u]})
    near = {n for h in axis for n in g.map.grid.around[h] if g.ground.playable >> n & 1 and not g.units(n)}
    homes = [*rng.sample(hexes, 2), *rng.sample(sorted(near), 3)]
    for army, box in zip(armies, rng.sample(range(1, 7), 6), strict=True):
        g.put(army, rng.choice(homes))
        g.assigned[armies.index(army)] = box
    for u in rng.sample(soviets, 20):
        g.move(u, NOWHERE)
        g.inside[u] = rng.choice((1, 2, 4))
    g.changed()


def to_the_same_box(one: Game, two: Game, do: str) -> str:
    """34.4.1 A unit that joins an army goes into the same open box; markers are switched, or that is pretended."""
    words = do.split()
    a: Any = one.board
    b: Any = two.board
    armies = a.forces.reserve_armies
    if words[0] in ("join", "into"):
        box = a.assigned[armies.index(a.forces.unit(words[-1]))]
        return " ".join([*words[:-1], b.forces.ids[armies[list(b.assigned).index(box)]]])
    if words[0] in ("swap", "pretend"):
        return " ".join(["pretend" if words[0] == "swap" else "swap", *words[1:]])
    return do


def about_armies(game: Game) -> set[str]:
    g: Any = game.board
    armies = [a for a in g.forces.reserve_armies if g.place[a] != NOWHERE]
    near = {n for a in armies if g.on_map(a) for n in (g.place[a], *g.map.grid.around[g.place[a]])}
    beside = {g.id(u) for h in near for u in g.units(h)}
    verbs = {"swap", "pretend", "join", "into", "unload", "call", "emerge"}
    return verbs | beside | {g.place_name(g.place[a]) for a in armies}


def zones(game: Game) -> Any:
    """Korsun '44, 11.3: whether a stack has a ZOC is open to both sides."""
    return [zoc_sources(cast("korsun44.board.Board", game.board), side) for side in (0, 1)]


def first(game: str) -> str:
    return title(game).scenarios(Pack(game))[0].id


SETTINGS = {
    "stalingrad42": Setting(
        "stalingrad42", "campaign", "axis", reserve_armies, to_the_same_box, about_armies, lead_in=14
    ),
    "kharkov43": Setting("kharkov43", "initial-assault", "german", lead_in=30),
    "korsun44-german": Setting("korsun44", first("korsun44"), "german", shows=zones, lead_in=20),
    "korsun44-soviet": Setting("korsun44", first("korsun44"), "soviet", shows=zones, lead_in=20),
}
"""What is hidden: whose Holding Box is which Reserve Army's; cards dealt unseen; strengths under chits, alarm chits and
aircraft nobody has turned over. In Strike of the Heron and Bug '41 nothing is."""

FUTURES = {
    t: Setting(t, first(t), title(t).sides[title(t).played[0]], lead_in=8, future=True)
    for t in sorted(installed(GAMES))
}
"""In every game: dice that have not been rolled yet."""


def test_every_call_of_a_table_is_compared_or_tells_nothing(client: TestClient) -> None:
    here = "/api/v1/tables/{table_id}/"
    paths = {str(getattr(route, "path", "")) for route in client.app.routes}  # type: ignore[attr-defined]
    assert {path.removeprefix(here) for path in paths if path.startswith(here)} == COMPARED | set(APART)
    assert not COMPARED & set(APART)


@pytest.mark.parametrize("name", SETTINGS)
def test_two_games_that_differ_in_what_is_hidden_look_the_same(client: TestClient, name: str) -> None:
    assert sum(play_pair(client, SETTINGS[name], seed, steps=9, live=seed == 0) for seed in range(3)) > 9


@pytest.mark.parametrize("name", FUTURES)
def test_nothing_tells_how_the_dice_will_fall(client: TestClient, name: str) -> None:
    assert sum(play_pair(client, FUTURES[name], seed, steps=9, live=seed == 0) for seed in range(3)) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_five_hundred_pairs(tmp_path: Path, part: int) -> None:
    every = [*SETTINGS.values(), *FUTURES.values()]
    with server(tmp_path) as client:
        for seed in range(50):
            play_pair(client, every[seed % len(every)], 1000 + 50 * part + seed, steps=16, live=seed % 10 == 0)
