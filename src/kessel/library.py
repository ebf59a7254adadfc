"""The game a person holds who imports Kessel: as the core has it, and it answers questions and draws itself."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from kessel.bots.advice import questions
from kessel.core import analysis
from kessel.core import game as core
from kessel.core.analysis import answer
from kessel.core.hexes import NO_HEX
from kessel.core.procedure import Action, options
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
        return self._svg(None if side is None else self.title.side(side), area)

    def _svg(self, seat: int | None, area: str | Iterable[str] | None) -> str:
        part = self.title.scenario(self.pack, self.scenario).part
        view = self.title.view(self.board, seat)
        return map_svg(self.board.map, area=area, part=part, view=view, title=self.title.name)

    def _repr_svg_(self) -> str:
        """The map where counters stand, as wide as there is room."""
        stand = {p.place for p in self.title.view(self.board, None).pieces}
        places = sorted(p for p in stand if self.board.map.grid.find(p) != NO_HEX)
        return self._svg(None, places or None).replace("<svg ", '<svg style="width:100%;height:auto" ', 1)

    def _repr_html_(self) -> str:
        """For notebooks: where the game stands, in words, and the map."""
        table = self.title.view(self.board, None)
        out = self.outcome() if self.over else None
        if out is not None:
            now = f"The game is over: {out.level.replace('_', ' ')}."
        else:
            asks = options(self.board).prompt.partition(". ")[0].removesuffix(".")
            now = f"{self.title.sides[self.side].replace('_', ' ').title()} to decide: {asks}."
        phase = "" if self.over else f", {table.phase}" if table.phase else ""
        name = self.title.scenario(self.pack, self.scenario).name
        stands = (
            f"<b>{escape(name)}</b>, {escape(table.turn + phase)}, after {len(self.entries)} actions. {escape(now)}"
        )
        facts = " \N{MIDDLE DOT} ".join(
            escape(f"{t.name} {t.says}") for t in table.tracks if t.says and t.name != "turn"
        )
        return f"<p>{stands}</p><p><small>{facts}</small></p>{self._repr_svg_()}"
