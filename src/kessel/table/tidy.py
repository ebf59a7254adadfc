"""What a server does now and then by itself: idle tables leave the memory, tables nobody played are thrown away."""

from __future__ import annotations

import asyncio

import structlog

from kessel.table.rooms import Rooms
from kessel.table.settings import Settings
from kessel.table.store import StoreFailed

log = structlog.get_logger()
EVERY = 60.0


async def tidy_up(rooms: Rooms, config: Settings) -> None:
    """Once."""
    rooms.release(config.idle_seconds)
    if config.one_person or config.unplayed_hours <= 0:
        return
    try:
        gone = await rooms.expire(config.unplayed_hours * 3600)
    except StoreFailed as e:
        log.warning("unplayed tables stay for now", error=str(e), detail=e.detail)
        return
    if gone:
        log.info("unplayed tables thrown away", tables=len(gone))


async def keep_tidy(rooms: Rooms, config: Settings) -> None:
    while True:
        await asyncio.sleep(min(EVERY, config.idle_seconds))
        await tidy_up(rooms, config)
