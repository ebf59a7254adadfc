"""3.2.F1B, 3.2.F1C What the German player declares in his Event Phase: Korsun, Korps Isolation, Wanda, Breakout."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.procedure import AGAIN, Call, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import GERMAN, Board
from kessel.games.korsun44.special.breakout import declare_breakout, why_not_breakout
from kessel.games.korsun44.special.isolation import KorpsIsolation, why_not_isolate
from kessel.games.korsun44.special.reliability import check_reliability
from kessel.games.korsun44.special.wanda import declare_wanda, note_end, why_not_wanda
from kessel.games.korsun44.supply.determination import determine
from kessel.games.korsun44.supply.korsun import declare_korsun, why_not_declare_korsun
from kessel.games.korsun44.turn.special_replacements import give_up_korsun, why_not_abandon_korsun


@dataclass(slots=True)
class SpecialDeclarations(Procedure):
    """3.2.F1B The German Declaration Segment."""

    side: int = GERMAN

    @auto("16.3")
    def begin(self, g: Board) -> Out:
        note_end(g)
        return None

    pick = Choice("side", "3.2.F", "Declare something, or declare nothing more.", passing=None)

    @pick.verb("declare_korsun", why_not=lambda p, g: why_not_declare_korsun(g))
    def korsun(self, g: Board) -> Out:
        declare_korsun(g)
        if g.reads("korsun_at_once") == "at_once":
            determine(g, GERMAN)
        return AGAIN

    @pick.verb(
        "isolate_korps",
        among=lambda p, g: g.charts.game.formations.pocket_korps,
        why_not=lambda p, g, word: why_not_isolate(g, word),
    )
    def isolate(self, g: Board, korps: str) -> Out:
        return Call(KorpsIsolation(GERMAN, korps), again=True)

    @pick.verb("declare_wanda", why_not=lambda p, g: why_not_wanda(g))
    def wanda(self, g: Board) -> Out:
        declare_wanda(g)
        return AGAIN

    @pick.verb("abandon_korsun", why_not=lambda p, g: why_not_abandon_korsun(g, "event_phase"))
    def abandon_korsun(self, g: Board) -> Out:
        """Q17 Only where it is read so."""
        return give_up_korsun(g)

    @pick.verb("declare_breakout", why_not=lambda p, g: why_not_breakout(g))
    def breakout(self, g: Board) -> Out:
        declare_breakout(g)
        return AGAIN


def declaration_segment(g: Board) -> Procedure | None:
    return SpecialDeclarations()


def reliability_segment(g: Board) -> Procedure | None:
    """18.2, 3.2.F1C Panthers and Tigers break down."""
    check_reliability(g)
    return None
