"""Write web/openapi.json: the server's own OpenAPI document, with the schemas of what it answers.

    python web/tools/openapi.py && npm --prefix web run types

The server answers with the structs of `kessel.core.view`; their schemas come from the structs themselves.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import create_engine

from kessel.core import view
from kessel.core.title import Option, Scenario
from kessel.table.app import make_app
from kessel.table.store import Store

TARGET = Path(__file__).parents[1] / "openapi.json"
STRUCTS = [view.View, view.SideView, view.LogEntry, view.Piece, view.Choice, Scenario, Option]


def document() -> dict[str, Any]:
    doc: dict[str, Any] = make_app(Store(create_engine("sqlite://"))).openapi()
    _, components = msgspec.json.schema_components(STRUCTS, ref_template="#/components/schemas/{name}")
    doc.setdefault("components", {}).setdefault("schemas", {}).update(components)
    return doc


if __name__ == "__main__":
    TARGET.write_text(json.dumps(document(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
