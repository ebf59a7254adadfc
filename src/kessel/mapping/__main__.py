"""`python -m kessel.mapping build GAME|all` and `python -m kessel.mapping report GAME|all`."""

from __future__ import annotations

import argparse
import sys

from kessel.mapping import report
from kessel.mapping.build import build, games_with_edits, pack_folder
from kessel.mapping.errors import EditError


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m kessel.mapping", description="Build the boards from geography.")
    parser.add_argument("task", choices=["build", "report"])
    parser.add_argument("game", help="a game id, or all")
    asked = parser.parse_args(arguments)
    try:
        for game in games_with_edits() if asked.game == "all" else [asked.game]:
            folder = pack_folder(game)
            built = build(folder / "board-edits.toml")
            if asked.task == "build":
                (folder / "board.json").write_text(built.draft.dumps(), encoding="utf-8")
                print(f"{game}: {len(built.draft.hexes)} hexes, {len(built.draft.links)} links in board.json")
            else:
                print(game, *report.lines(built), sep="\n")
    except EditError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
