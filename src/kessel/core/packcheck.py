"""`kessel pack check`: everything wrong with a pack, as file:line sentences."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from kessel.core.dice import Dice
from kessel.core.errors import BadInput
from kessel.core.learning import LessonGame, walk
from kessel.core.lessons import lesson_faults, lesson_names, read_lesson
from kessel.core.overlaycheck import overlay_faults
from kessel.core.pack import Pack, is_overlay
from kessel.core.places import json_path
from kessel.core.provenance import check, provenance_of
from kessel.core.rules import MOST_NOTES, statements
from kessel.core.title import Title
from kessel.core.words import word_faults


def check_pack(t: Title, pack: Pack) -> list[str]:
    """All faults found; [] for a sound pack. Goes on after a fault wherever it can."""
    faults: list[str] = []
    broken: list[str] = []

    def attempt(what: Callable[[], object]) -> None:
        try:
            what()
        except BadInput as e:
            faults.append(str(e))
        except (LookupError, TypeError, ValueError, AttributeError) as e:
            broken.append(f"{t.id}: the data cannot be played with ({type(e).__name__}: {e})")

    attempt(lambda: pack.map)
    attempt(lambda: faults.extend(overlay_faults(pack)))
    on_board = bool(faults)
    attempt(lambda: provenance_of(pack))
    for name in pack.files():
        if name.startswith("tables/"):
            attempt(partial(pack.table, name.removeprefix("tables/").removesuffix(".csv")))
        elif name.endswith(".csv") and not is_overlay(name):
            attempt(partial(_check_rows, pack, name, faults))
        elif name.endswith(".toml"):
            attempt(partial(pack.toml, name))
    attempt(lambda: _check_rules(pack, faults))
    attempt(lambda: _check_scenarios(t, pack, faults))
    attempt(lambda: faults.extend(t.check_pack(pack)))
    attempt(lambda: faults.extend(word_faults(pack)))
    for name in () if faults or broken else lesson_names(pack):  # they are played: that needs a sound pack
        attempt(partial(_check_lesson, t, pack, name, faults))
    found = [_placed(pack, f) for f in faults if not (on_board and f.startswith("$.board"))]
    return list(dict.fromkeys(found)) or broken[:1]


def _placed(pack: Pack, fault: str) -> str:
    """A fault that a game found, with the file and line it speaks of instead of a path into it."""
    path, _, message = fault.partition(": ")
    if path.startswith("$.board"):
        return f"{pack.board_place(json_path(path.removeprefix('$.board')))}: {message}"
    found = re.fullmatch(r".*?([\w-]+\.csv)\.(.+)\.(\w+)", path)
    if found:
        for row in pack.rows(found[1]):
            if next(iter(row.values())) == found[2]:
                return f"{row.where}: {found[3]}: {message}"
    return fault


def _check_rows(pack: Pack, name: str, faults: list[str]) -> None:
    seen: dict[str, str] = {}
    for row in pack.rows(name):
        key = next(iter(row.values()), "")
        if key in seen and name != "rules.csv":
            faults.append(f"{row.where}: {key!r} stands also at {seen[key]}")
        seen[key] = row.where
        if "provenance" in row:
            try:
                check(row["provenance"], row.where)
            except BadInput as e:
                faults.append(str(e))


def _check_rules(pack: Pack, faults: list[str]) -> None:
    every = statements(pack)
    notes = sum(bool(s.note) for s in every)
    if notes > MOST_NOTES * len(every):
        faults.append(f"{pack.where('rules.csv')}: {notes} of {len(every)} statements are notes; at most 8 % may be")


def _check_lesson(t: Title, pack: Pack, name: str, faults: list[str]) -> None:
    """Its words and names, then whether it can be played as it stands."""
    found = lesson_faults(t, pack, name)
    if not found:
        try:
            walk(LessonGame(read_lesson(pack, name), t, pack))
        except BadInput as e:
            found = [f"{pack.where(f'lessons/{name}.toml')}: {e.message}"]
    faults.extend(found)


def _check_scenarios(t: Title, pack: Pack, faults: list[str]) -> None:
    for scenario in t.scenarios(pack):
        where = pack.where(f"scenarios/{scenario.id}.toml")
        try:
            g = t.new(pack, scenario.id, t.check_options(scenario, {}), Dice(0))
        except BadInput as e:
            faults.append(str(e) if e.where else f"{where}: {e}")
            continue
        faults.extend(f"{where}: {fault}" for fault in t.faults(g))
