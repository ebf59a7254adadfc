"""A table server for the browser tests: `python -m tests.browser.serve PORT DATABASE`."""

from __future__ import annotations

import sys

import uvicorn

from kessel.table.app import Settings, make_app
from kessel.table.store import open_store

if __name__ == "__main__":
    port, database = int(sys.argv[1]), sys.argv[2]
    app = make_app(open_store(f"sqlite:///{database}"), Settings(requests_a_minute=10**6))
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")
