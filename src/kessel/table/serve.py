"""Running the server: where the data lie, which port, the log, the browser."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ipaddress
import json
import logging
import os
import socket
import sys
import threading
import traceback
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import structlog
import uvicorn
from fastapi import FastAPI

from kessel.core.errors import BadInput, KesselError
from kessel.table.answers import Server
from kessel.table.app import make_app
from kessel.table.calls_games import packed_games
from kessel.table.patience import impatient
from kessel.table.remote import Remote
from kessel.table.settings import Settings
from kessel.table.store import open_store

PORT = 8642
"""Always the same if it is free: a browser keeps the links of one's seats by address."""
DATA_VARIABLE = "KESSEL_DATA"
NOTE = "server.txt"
WAITING = 2000
"""So many connections may wait to be taken,"""
AT_ONCE = 8
"""and so many new ones are taken before those that are open have their turn again."""
LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")


@dataclass(slots=True)
class Place:
    """Where a server listens and where it keeps its tables."""

    host: str = "127.0.0.1"
    port: int | None = None
    """None: the usual one, or any other if that is taken."""
    data: Path | None = None
    db: str = ""
    fsync: bool = False
    settings: Settings = field(default_factory=Settings)

    @property
    def local(self) -> bool:
        return is_local(self.host)


def data_folder() -> Path:
    """The user's own folder for data, by the customs of the system."""
    if chosen := os.environ.get(DATA_VARIABLE):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "kessel"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "kessel"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "kessel"


def is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def application(place: Place) -> FastAPI:
    url = place.db
    if not url:
        folder = place.data or data_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as e:
            raise BadInput(f"the data folder cannot be made: {e.strerror}", str(folder)) from None
        url = f"sqlite:///{folder / 'tables.db'}"
        place.settings.maps = place.settings.maps or folder / "maps"
    if place.local and place.settings.one_person and not place.settings.hosts:
        place.settings.hosts = LOCAL_NAMES
    return make_app(open_store(url, fsync=place.fsync), place.settings)


def listen(place: Place) -> socket.socket:
    """A socket of the port asked for; where none was, the usual one, or any other if that is taken."""
    for port in [place.port] if place.port is not None else [PORT, 0]:
        # The protocol is named, since the event loop sends small messages at once only where it is.
        bound = socket.socket(socket.AF_INET6 if ":" in place.host else socket.AF_INET, proto=socket.IPPROTO_TCP)
        try:
            if sys.platform != "win32":
                bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind((place.host, port))
            bound.listen(WAITING)
            return bound
        except OSError as e:
            bound.close()
            error = BadInput(f"cannot listen on {place.host}:{port}: {e.strerror or e}")
    raise error


def address(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = socket.gethostname()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(place: Place, ready: Callable[[str], None], *, log_level: str = "info") -> None:
    """Serve until interrupted. `ready` is called with the address, in a thread, once requests are answered."""
    bound = listen(place)
    try:
        app = application(place)
    except KesselError:
        bound.close()
        raise
    set_up_log(log_level)
    sys.setswitchinterval(0.001)  # work in threads holds up the others' requests that much less
    gc.set_threshold(20_000, 20, 50)  # packs and games stay; looking through them all takes 20 ms each time
    server = Uvicorn(
        uvicorn.Config(
            app,
            http=impatient(
                place.settings.head_seconds,
                place.settings.body_seconds,
                place.settings.connections_an_address,
                place.settings.proxies,
            ),
            log_config=None,
            access_log=False,
            proxy_headers=False,  # the door looks at them, and only at those of proxies it knows
            server_header=False,
            ws_max_size=64_000,
            ws_per_message_deflate=not place.local,
            timeout_graceful_shutdown=3,
            backlog=AT_ONCE,
        ),
        lambda: _announce(ready, address(bound)),
    )
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(server.serve(sockets=[bound]))


def _announce(ready: Callable[[str], None], at: str) -> None:
    """Loading the games takes a second or two: the page that opens then has their names and words at once."""
    packed_games()
    ready(at)


class Uvicorn(uvicorn.Server):
    """Says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for bound in sockets or ():
            bound.listen(WAITING)
        if self.started:
            threading.Thread(target=self.ready, daemon=True).start()


def set_up_log(level: str) -> None:
    """One JSON document a line on standard error. No local variables in tracebacks: they could hold tokens."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.captureWarnings(True)
    others = logging.getLogger("kessel")
    threading.excepthook = lambda e: others.error("a thread failed", exc_info=e.exc_value)
    sys.unraisablehook = lambda e: others.error("failed while cleaning up", exc_info=e.exc_value)


class JsonLines(logging.Formatter):
    """What other packages log, as a JSON document a line like the rest."""

    def format(self, record: logging.LogRecord) -> str:
        doc = {"event": record.getMessage(), "logger": record.name, "level": record.levelname.lower()}
        doc["timestamp"] = datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z")
        if record.exc_info and record.exc_info[1] is not None:
            doc["exception"] = "".join(traceback.format_exception(record.exc_info[1]))
        return json.dumps(doc)


# --- a server on one's own machine ----------------------------------------------------------------------------------


def running(folder: Path) -> str | None:
    """The address of a server that already works on this folder, if one does."""
    try:
        at = (folder / NOTE).read_text(encoding="utf-8").strip()
        Remote(at).call("/server", form=Server)
    except (OSError, ValueError, KesselError):
        return None
    return at


def announce(folder: Path, at: str) -> None:
    """Leave a note for the next who asks; without it they only get a server of their own."""
    with contextlib.suppress(OSError):
        (folder / NOTE).write_text(at + "\n", encoding="utf-8")


def open_page(url: str) -> None:
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(url)
