"""What the commands of `kessel` share: how they print, and how they read what is asked of them."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer
from rich.console import Console

from kessel.core.errors import BadInput
from kessel.core.pack import Pack
from kessel.core.title import title

out = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
"""Lines go to a file or another program whole, to a terminal broken at words."""
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def emit(doc: Any) -> None:
    print(json.dumps(doc, ensure_ascii=False))


def split(game_scenario: str) -> tuple[str, str]:
    game, slash, scenario = game_scenario.partition("/")
    if not slash:
        t = title(game)
        raise BadInput(f"name a scenario, as in {game}/{t.scenarios(Pack(game))[0].id}")
    return game, scenario


def pairs(option: list[str] | None) -> dict[str, str]:
    found = {}
    for text in option or []:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadInput(f"an option is written name=value, not {text!r}")
        found[key] = value
    return found
