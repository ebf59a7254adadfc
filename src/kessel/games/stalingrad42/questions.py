"""The questions a position can ask (docs/positions-stalingrad42.md)."""

from __future__ import annotations

from collections.abc import Mapping

from kessel.core.title import Answerer

QUESTIONS: Mapping[str, Answerer] = {}
