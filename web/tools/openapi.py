"""Write web/openapi.json, the server's OpenAPI document, from which the client's types are made.

python web/tools/openapi.py && npm --prefix web run types
"""

from __future__ import annotations

import json
from pathlib import Path

from kessel.table.app import make_app
from kessel.table.store import open_store

TARGET = Path(__file__).parents[1] / "openapi.json"

if __name__ == "__main__":
    document = make_app(open_store("sqlite://")).openapi()
    TARGET.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="utf-8")
