"""16.0 Supply and Isolation."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.procedure import Procedure


@dataclass(slots=True)
class SupplyPhase(Procedure):
    """16.1 The Supply Phase."""

    side: int
