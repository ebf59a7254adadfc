"""The files of a study: its report, its data, and its figures in a page of the documentation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kessel.core.errors import BadInput
from kessel.lab.keep import Row, games_of, turns_of, write_tables
from kessel.lab.simulate import Result
from kessel.lab.study import Series, Study, run_study
from kessel.lab.study_page import figures, page_of_study


def marks(name: str) -> tuple[str, str]:
    """Between which the figures of that study stand in a page."""
    return f"<!-- study {name}: begin -->", f"<!-- study {name}: end -->"


def make_study(
    study: Study,
    folder: Path,
    *,
    workers: int = 1,
    page: Path | None = None,
    each: Callable[[Result], None] | None = None,
) -> list[Path]:
    """Play it, and write everything; gives the files for a person to open."""
    before, after = _around(page, study.name) if page is not None else ("", "")
    series = run_study(study, folder, workers=workers, each=each)
    report = folder / "report.html"
    report.write_text(page_of_study(study, series), encoding="utf-8")
    written = [report, *write_tables(folder / "games.sqlite", _tables(study, series))]
    if page is not None:
        page.write_text(f"{before}\n\n{figures(study, series)}\n{after}", encoding="utf-8")
        written.append(page)
    return written


def _tables(study: Study, series: list[Series]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {"games": [], "turns": []}
    for s in series:
        for name, of in (("games", games_of), ("turns", turns_of)):
            rows = of(study.game, s.scenario, s.levels, s.results)
            found[name] += [{"variant": s.variant.name, **row} for row in rows]
    dates = [
        {
            "variant": s.variant.name,
            "scenario": s.scenario,
            "seed": r.seed,
            "event": name,
            "turn": turns[i] if turns[i] > 0 else None,
        }
        for s in series
        for name, turns in s.dates.items()
        for i, r in enumerate(s.results)
    ]
    return found | ({"events": dates} if dates else {})


def _around(page: Path, name: str) -> tuple[str, str]:
    """What stands before and after the figures, the marks included."""
    begin, end = marks(name)
    try:
        text = page.read_text(encoding="utf-8")
    except OSError as e:
        raise BadInput(f"the page cannot be read: {e.strerror}", str(page)) from None
    if begin not in text or end not in text:
        raise BadInput(f"the page has no marks {begin} and {end}", str(page))
    return text.partition(begin)[0] + begin, end + text.partition(end)[2]
