"""The position in words, with the legal actions in notation: for language models and for people."""

from __future__ import annotations

from kessel.core.errors import BadInput
from kessel.core.view import Piece
from kessel.lab.environment.match import Match


def tell(match: Match, side: int) -> str:
    """What a side sees: where the game stands, the counters by place, and what it may do now."""
    view = match.game.view(side if side >= 0 else None)
    table = view.table
    lines = [f"{match.title.name}: {table.turn}{', ' + table.phase if table.phase else ''}"]
    lines += [f"{track.name}: {track.text or track.value}" for track in table.tracks]
    for name in view.sides:
        own = [p for p in table.pieces if p.side == name]
        lines.append(f"{name}{' (you)' if name == view.seat else ''}, {len(own)} counters:")
        lines += [f"  {_counter(p)}" for p in own]
    if view.outcome is not None:
        lines.append(f"The game is over: {view.outcome['level']}, won by {view.outcome['winner'] or 'nobody'}.")
    elif view.question is not None:
        q = view.question
        lines.append(f"{q.side} must choose ({q.rule}): {q.prompt}")
        lines += [f"  {c.text}" for c in q.choices]
    return "\n".join(lines)


def _counter(p: Piece) -> str:
    steps = f", {p.steps} of {p.full_steps} steps" if p.full_steps > 1 else ""
    states = f" ({', '.join(p.status)})" if p.status else ""
    return f"{p.id} in {p.place or 'no place'}: {p.values}{steps}{states}"


def act(match: Match, text: str) -> str:
    """Carry out an action written in notation; why not, where it is refused. Nothing changes then."""
    try:
        action = match.game.parse(text)
    except BadInput as e:
        return e.message
    if refusal := match.game.why_not(action, match.side):
        return str(refusal)
    match.steps += 1
    match.act(action)
    return ""
