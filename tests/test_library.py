"""Kessel as a library: the README's example, and a plain install."""

from __future__ import annotations

import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import kessel

ROOT = Path(__file__).parents[1]
BEYOND_MSGSPEC = ("fastapi", "uvicorn", "websockets", "sqlalchemy", "structlog", "typer", "rich", "numpy", "resvg_py")
"""Packages of the extras; a plain install has none of them."""

PLAIN = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocked())
"""


def plainly(code: str) -> subprocess.CompletedProcess[str]:
    """Run code where only a plain install's packages can be imported."""
    code = PLAIN.format(blocked=BEYOND_MSGSPEC) + code
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("page", ["README.md", "docs/api.md"])
def test_the_examples_of_the_docs_are_true(page: str) -> None:
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
    assert tried
    assert not failed


def test_a_game_shows_itself_in_a_notebook() -> None:
    game = kessel.new("bug41", "ustyluh", seed=1)
    assert game._repr_svg_().startswith("<svg")
    shown = game._repr_html_()
    assert "<b>Ustyluh</b>, Turn 1 (22 June, dawn to noon), " in shown
    assert "after 0 actions. German to decide: Put a unit under another formation" in shown
    assert shown.count("<svg") == 1
    assert len(game._repr_svg_()) < len(game.svg()), "nothing is drawn where nobody stands"
    assert isinstance(game.branch(0), kessel.Game)
    game = kessel.new("bug41", "ustyluh", seed=1)
    while not game.over:
        game.play(game.legal()[0])
    assert "The game is over: Soviet" in game._repr_html_()


def test_hidden_things_are_not_drawn_for_the_other_side() -> None:
    game = kessel.new("korsun44", "kapitanovka", seed=1)
    seen = {game.svg(side) for side in ("german", "soviet", None)}
    assert len(seen) == 3


def test_a_plain_install_plays_replays_and_analyzes() -> None:
    done = plainly(
        "import kessel\n"
        "for t in kessel.games().values():\n"
        "    s = t.scenarios(__import__('kessel.core.pack').core.pack.Pack(t.id))[0].id\n"
        "    g = kessel.new(t.id, s, seed=1)\n"
        "    for _ in range(20):\n"
        "        g.play(g.legal()[-1])\n"
        "    assert kessel.replay(g.record.text()).board.digest() == g.board.digest()\n"
        '    kessel.analyze(\'{"game": "%s", "ask": [{"question": "victory"}]}\' % t.id)\n'
    )
    assert done.returncode == 0, done.stderr


def test_the_command_says_what_to_install() -> None:
    done = plainly("from kessel.__main__ import main\nmain()")
    assert done.returncode == 2
    assert done.stderr.startswith("kessel: this needs ")
    assert "pip install 'kessel[cli]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_library_is_small() -> None:
    assert set(kessel.__all__) == {
        *("games", "new", "load", "replay", "analyze", "Game", "Pack", "Title", "BadInput", "IllegalAction")
    }
    assert all(hasattr(kessel, name) for name in kessel.__all__)


def test_a_game_says_where_it_stands(tmp_path: Path) -> None:
    game = kessel.new("don42", "short-game", seed=1)
    assert repr(game).startswith("<Game don42/short-game after 0 actions, soviet to decide: Fly a mission")
    while not game.over:
        game.play(game.legal()[0])
    assert ", over: " in repr(game)
    game.save(tmp_path / "g.kessel")
    assert kessel.load(tmp_path / "g.kessel").board.digest() == game.board.digest()


def test_the_list_of_games_stays_when_a_game_is_imported() -> None:
    """The package `kessel.games` and the function share a name."""
    module = importlib.import_module("kessel.games.don42.title")
    assert kessel.games()["don42"] is module.TITLE
    assert kessel.games.don42.TITLE is module.TITLE


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(kessel.BadInput, match=r"there is no game 'chess'; there are stalingrad42, "):
        kessel.new("chess", "blitz")
