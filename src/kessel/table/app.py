"""The web server: API, live connections, the page. See docs/table-api.md."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from fastapi import FastAPI

from kessel.table.answers import describe
from kessel.table.calls_games import add_games
from kessel.table.calls_tables import add_tables
from kessel.table.guard import Door, add_errors
from kessel.table.live import add_live
from kessel.table.notify import Notifier
from kessel.table.page import add_page
from kessel.table.rooms import Rooms
from kessel.table.settings import Settings
from kessel.table.store import Store
from kessel.table.think import Thinkers
from kessel.table.tidy import keep_tidy

__all__ = ["Settings", "make_app"]


def make_app(store: Store, settings: Settings | None = None) -> FastAPI:
    """The application over a store, which it closes at its end."""
    config = settings or Settings()
    rooms = Rooms(store, most_open=config.most_open)
    thinkers = Thinkers(rooms, workers=config.workers, turn_seconds=config.turn_seconds)
    notifier = Notifier(rooms, config.notify)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await thinkers.start()
        tidying = asyncio.create_task(keep_tidy(rooms, config))
        yield
        tidying.cancel()
        await thinkers.stop()
        await notifier.stop()
        await rooms.close()

    app = FastAPI(
        title="Kessel",
        version="1",
        description="Play a seat at a table: docs/table-api.md.",
        lifespan=lifespan,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.add_middleware(Door, config=config)
    add_errors(app)
    add_games(app, rooms, config)
    add_tables(app, rooms, thinkers, notifier, config)
    add_live(app, rooms, config)
    add_page(app)
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    app.state.rooms, app.state.thinkers = rooms, thinkers
    return app
