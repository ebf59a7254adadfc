"""Tells a person who is not at the table that it is their turn: by webhook or by mail, if their seat asks for it.

Play never waits for it. What cannot be delivered in three attempts is logged and forgotten; addresses are not logged.
"""

from __future__ import annotations

import asyncio
import http.client
import ipaddress
import smtplib
import socket
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import parseaddr
from urllib.parse import unquote

import msgspec
import structlog

from kessel.core.errors import BadInput
from kessel.table.addresses import parts
from kessel.table.room import Room
from kessel.table.rooms import Rooms
from kessel.table.seats import PERSON

log = structlog.get_logger()
SECONDS = 10.0
MOST_WAITING = 1000
SENDERS = 4
"""Threads that send: a webhook that takes its time holds up other notices, but no table."""


class Notify(msgspec.Struct, omit_defaults=True):
    """How a person wants to be told."""

    webhook: str = ""
    mail: str = ""


class Notice(msgspec.Struct):
    """What is told. There is no token in it: the seat's own link is needed to sit down."""

    table: str
    game: str
    scenario: str
    name: str
    """The game's name."""
    turn: str
    side: str
    version: int
    prompt: str
    link: str
    text: str


@dataclass(frozen=True, slots=True)
class Smtp:
    host: str
    port: int
    sender: str
    user: str = ""
    password: str = ""
    encryption: str = "starttls"
    """starttls, tls or none"""


@dataclass(frozen=True, slots=True)
class Notifying:
    """What this server sends."""

    webhooks: bool = False
    anywhere: bool = False
    """Webhooks may also go to addresses inside one's own network."""
    smtp: Smtp | None = None
    link: str = ""
    """The address under which the page is found from outside."""
    waits: tuple[float, ...] = (5.0, 60.0)
    """Seconds before the second and the third attempt."""


def parse_smtp(url: str) -> Smtp:
    """`smtp://USER:PASSWORD@HOST:587/sender@example.org` (STARTTLS), `smtps://...` (TLS) or `smtp+plain://...`."""
    at = parts(url)
    kinds = {"smtp": ("starttls", 587), "smtps": ("tls", 465), "smtp+plain": ("none", 25)}
    sender = unquote(at.path.lstrip("/"))
    if at.scheme not in kinds or not at.hostname or "@" not in sender:
        raise BadInput(
            "mail is set up as smtp://USER:PASSWORD@HOST:PORT/sender@example.org (or smtps://, smtp+plain://)"
        )
    encryption, usual = kinds[at.scheme]
    return Smtp(
        at.hostname, at.port or usual, sender, unquote(at.username or ""), unquote(at.password or ""), encryption
    )


class Notifier:
    def __init__(self, rooms: Rooms, config: Notifying) -> None:
        self.rooms, self.config = rooms, config
        self._tasks: set[asyncio.Task[None]] = set()
        self._senders = ThreadPoolExecutor(SENDERS, "notices")
        rooms.followers.append(self.after_change)

    def check(self, wanted: Notify) -> None:
        """BadInput where this server cannot tell a person so."""
        if wanted.webhook:
            if not self.config.webhooks:
                raise BadInput("this server sends no webhooks")
            at = parts(wanted.webhook)
            if at.scheme not in ("http", "https") or not at.hostname or not wanted.webhook.isascii():
                raise BadInput("a webhook is an http or https address")
            if not wanted.webhook.isprintable() or " " in wanted.webhook:
                raise BadInput("a webhook's address has no blanks in it")
        if wanted.mail:
            if self.config.smtp is None:
                raise BadInput("this server sends no mail")
            if parseaddr(wanted.mail)[1] != wanted.mail or "@" not in wanted.mail or not wanted.mail.isprintable():
                raise BadInput("this is no mail address")

    def after_change(self, room: Room, by: str) -> None:
        """If it is another person's turn now and that person is not looking, tell them."""
        seat = room.seats.get(room.asked)
        if seat is None or seat.kind != PERSON or not seat.notify or seat.side == by:
            return
        if self.rooms.present(room.id, seat.side) or len(self._tasks) >= MOST_WAITING:
            return
        wanted = msgspec.json.decode(seat.notify, type=Notify)
        notice = self._notice(room)
        if wanted.webhook and self.config.webhooks:
            self._begin("webhook", notice, lambda: post(wanted.webhook, notice, anywhere=self.config.anywhere))
        smtp = self.config.smtp
        if wanted.mail and smtp is not None:
            self._begin("mail", notice, lambda: mail(smtp, wanted.mail, notice))

    def _notice(self, room: Room) -> Notice:
        game = room.game
        question = game.question_view(None)
        prompt = question.prompt if question is not None else ""
        turn = room.turn(room.asked)
        link = f"{self.config.link.rstrip('/')}/table/{room.id}" if self.config.link else ""
        text = f"{game.title.name}, {turn}: {room.asked} must decide. {prompt}"
        return Notice(
            room.id, game.title.id, game.scenario, game.title.name, turn, room.asked, game.version, prompt, link, text
        )

    def _begin(self, kind: str, notice: Notice, send: Callable[[], None]) -> None:
        task = asyncio.get_running_loop().create_task(self._deliver(kind, notice, send))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _deliver(self, kind: str, notice: Notice, send: Callable[[], None]) -> None:
        about = {"kind": kind, "table": notice.table, "side": notice.side, "version": notice.version}
        for wait in (*self.config.waits, None):
            try:
                await asyncio.get_running_loop().run_in_executor(self._senders, send)
                log.info("turn told", **about)
                return
            except (OSError, smtplib.SMTPException, http.client.HTTPException, BadInput, ValueError) as e:
                log.warning("turn not told", **about, error=type(e).__name__, again=wait is not None)
            if wait is None:
                return
            await asyncio.sleep(wait)

    async def stop(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._senders.shutdown(wait=False, cancel_futures=True)


def post(url: str, notice: Notice, *, anywhere: bool) -> None:
    """Send the notice to a webhook. Never to an address inside one's own network unless that is allowed: the name is
    looked up once, and the address that was looked at is the one connected to. Redirections are not followed.
    """
    at = parts(url)
    host, secure = at.hostname or "", at.scheme == "https"
    port = at.port or (443 if secure else 80)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(address[0]) for *_, address in found]
    if not anywhere and not all(_is_outside(x) for x in addresses):
        raise BadInput("a webhook may not go to an address inside this network")
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    connection.sock = _reached(addresses, port)
    if secure:
        connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
    try:
        target = (at.path or "/") + (f"?{at.query}" if at.query else "")
        headers = {"Content-Type": "application/json", "User-Agent": "kessel", "Host": at.netloc.rpartition("@")[2]}
        connection.request("POST", target, msgspec.json.encode(notice), headers)
        status = connection.getresponse().status
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise BadInput(f"the webhook answered with status {status}")


def _reached(addresses: list[str], port: int) -> socket.socket:
    """A connection to the first of the addresses that answers."""
    for n, address in enumerate(addresses, start=1):
        try:
            return socket.create_connection((address, port), timeout=SECONDS)
        except OSError:
            if n == len(addresses):
                raise
    raise OSError("the name has no address")


WRAPPED = [ipaddress.ip_network(x) for x in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96")]
"""Addresses of IPv6 that hold one of IPv4, which may be anywhere."""


def _is_outside(address: str) -> bool:
    found = ipaddress.ip_address(address.partition("%")[0])
    inside = found.is_multicast or found.is_reserved or found.is_unspecified or not found.is_global
    return not inside and not any(found in network for network in WRAPPED if network.version == found.version)


def mail(smtp: Smtp, to: str, notice: Notice) -> None:
    message = EmailMessage()
    message["From"], message["To"] = smtp.sender, to
    message["Subject"] = f"{notice.name}: your turn ({notice.turn})"
    message.set_content(notice.text + (f"\n\n{notice.link}\n" if notice.link else "\n"))
    context = ssl.create_default_context()
    if smtp.encryption == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(smtp.host, smtp.port, timeout=SECONDS, context=context)
    else:
        server = smtplib.SMTP(smtp.host, smtp.port, timeout=SECONDS)
    with server:
        if smtp.encryption == "starttls":
            server.starttls(context=context)
        if smtp.user:
            server.login(smtp.user, smtp.password)
        server.send_message(message)
