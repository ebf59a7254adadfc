"""What differs between two views of one seat, and the later view made again from the earlier one.

A client that has the view of version `since` makes that of `version` from it; any other asks for the whole view.
Counters and the owners of hexes are told one by one, of everything else what differs is told whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from kessel.core.view import Card, LessonView, Marker, Piece, QuestionView, SideView, Track, View

NOBODY = ""


class Difference(msgspec.Struct, omit_defaults=True):
    """A view after the one of version `since`. What is left out is as it was, but for the question, `can_undo`,
    `outcome` and `lesson`, which are always told.
    """

    since: int
    version: int
    turn: str
    phase: str = ""
    question: QuestionView | None = None
    can_undo: bool = False
    outcome: dict[str, Any] | None = None
    lesson: LessonView | None = None
    pieces: list[int | Piece] | None = None
    """From the first counter to the last: n to keep the next n, -n to leave the next n out, a counter to put in."""
    control: dict[str, str] = {}
    """Hexes that have changed hands; empty: nobody's any more."""
    markers: list[Marker] | None = None
    tracks: list[Track] | None = None
    cards: list[Card] | None = None


def difference(old: View, new: View) -> Difference:
    a, b = old.table, new.table
    return Difference(
        since=old.version,
        version=new.version,
        turn=b.turn,
        phase=b.phase,
        question=new.question,
        can_undo=new.can_undo,
        outcome=new.outcome,
        lesson=new.lesson,
        pieces=None if a.pieces == b.pieces else _edits(a.pieces, b.pieces),
        control={} if a.control is b.control else _changed_hands(a.control, b.control),
        markers=None if a.markers == b.markers else b.markers,
        tracks=None if a.tracks == b.tracks else b.tracks,
        cards=None if a.cards == b.cards else b.cards,
    )


def patched(old: View, d: Difference) -> View:
    """The view the difference leads to."""
    if d.since != old.version:
        raise ValueError(f"this leads on from version {d.since}, not from {old.version}")
    was = old.table
    table = SideView(
        turn=d.turn,
        phase=d.phase,
        pieces=was.pieces if d.pieces is None else _edited(was.pieces, d.pieces),
        markers=was.markers if d.markers is None else d.markers,
        tracks=was.tracks if d.tracks is None else d.tracks,
        cards=was.cards if d.cards is None else d.cards,
        control={h: side for h, side in {**was.control, **d.control}.items() if side != NOBODY},
    )
    return View(
        game=old.game,
        scenario=old.scenario,
        version=d.version,
        sides=old.sides,
        seat=old.seat,
        table=table,
        question=d.question,
        can_undo=d.can_undo,
        outcome=d.outcome,
        lesson=d.lesson,
        commitment=old.commitment,
    )


def _edits(old: Sequence[Piece], new: Sequence[Piece]) -> list[int | Piece]:
    same = 0
    for p, q in zip(old, new, strict=False):
        if p is not q and p != q:
            break
        same += 1
    at = {p.id: i for i, p in enumerate(old[same:], start=same)}
    found: list[int | Piece] = []
    done = kept = same
    """Of the old ones: how many are dealt with, and how many of those just before are kept."""

    def leave_out(n: int) -> None:
        nonlocal kept
        if kept:
            found.append(kept)
            kept = 0
        if n:
            found.append(-n)

    for p in new[same:]:
        i = at.get(p.id, -1)
        if i < done:  # new, or out of its turn
            leave_out(0)
            found.append(p)
            continue
        if i > done:
            leave_out(i - done)
        done = i + 1
        if old[i] is p or old[i] == p:
            kept += 1
        else:
            leave_out(1)
            found.append(p)
    leave_out(0)
    return found


def _edited(old: Sequence[Piece], edits: Sequence[int | Piece]) -> list[Piece]:
    found: list[Piece] = []
    i = 0
    for e in edits:
        if not isinstance(e, int):
            found.append(e)
        elif e >= 0:
            found += old[i : i + e]
            i += e
        else:
            i -= e
    return found


def _changed_hands(old: dict[str, str], new: dict[str, str]) -> dict[str, str]:
    found = {h: side for h, side in new.items() if old.get(h) != side}
    return found | {h: NOBODY for h in old if h not in new}
