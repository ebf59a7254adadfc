"""The game a person holds who imports Kessel: as the core has it, and it answers questions and draws itself."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import msgspec

from kessel.bots.advice import questions
from kessel.core import analysis
from kessel.core import game as core
from kessel.core.analysis import answer
from kessel.core.procedure import Action
from kessel.render import map_svg


def analyze(raw: bytes | str, *, overlays: tuple[Path, ...] | None = None) -> dict[str, Any]:
    """The answers to a position's questions, advice by the programs among them."""
    return analysis.analyze(raw, overlays=overlays, more=questions)


class Game(core.Game):
    def ask(self, question: str, **fields: Any) -> dict[str, Any]:
        """An answer about the board as it stands, as `kessel analyze` gives it about a position."""
        return answer(
            self.title, self.board, msgspec.json.encode({"question": question, **fields}), more=questions(self.title)
        )

    def explain(self, action: Action | str) -> dict[str, Any]:
        """What an action would do, or the rule that forbids it. Nothing changes."""
        if isinstance(action, str):
            action = self.parse(action)
        refusal = self.why_not(action)
        if refusal is not None:
            return {"action": self._shown(action), "legal": False, "refusal": refusal.as_json()}
        preview = self.title.preview(self.board, action)
        return {"action": self.text(action), "legal": True, "undoable": self.undoable(action), **preview}

    def svg(self, side: str | None = None, area: str | None = None) -> str:
        """The map with the counters a side sees (None: what both see); `area` is a range of hexes, as 1010-2520."""
        seat = None if side is None else self.title.side(side)
        part = self.title.scenario(self.pack, self.scenario).part
        view = self.title.view(self.board, seat)
        return map_svg(self.board.map, area=area, part=part, view=view, title=self.title.name)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        """For notebooks: where the game stands, and the map."""
        table = self.title.view(self.board, None)
        facts = [("", table.turn), ("", table.phase), *((t.name, t.says) for t in table.tracks)]
        cells = "".join(f"<td>{escape(f'{name} {value}'.strip())}</td>" for name, value in facts if value)
        return f"<p>{escape(repr(self))}</p><table><tr>{cells}</tr></table>{self.svg()}"
