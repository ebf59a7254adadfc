"""Who sends a request, and where an address on the web leads."""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Sequence
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from kessel.core.errors import BadInput

NOWHERE = urlsplit("")


def parts(url: str) -> SplitResult:
    """The parts of an address; all empty where it is none, also where only its port is none."""
    try:
        found = urlsplit(url)
        _ = found.port
    except ValueError:
        return NOWHERE
    return found


def check_proxies(names: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        try:
            ipaddress.ip_network(name, strict=False)
        except ValueError:
            raise BadInput(f"a proxy is named by its address or network, as 127.0.0.1, not {name!r}") from None
    return tuple(names)


def sender(scope: Scope, proxies: Sequence[str]) -> str:
    """The address a request comes from. What `X-Forwarded-For` says counts only from a proxy that is named: the last
    of its addresses that is not itself such a proxy.
    """
    client = scope.get("client")
    peer = str(client[0]) if client else ""
    if not is_one_of(peer, proxies):
        return peer
    told = ",".join(Headers(scope=scope).getlist("x-forwarded-for")).split(",")
    for name in reversed([x.strip() for x in told]):
        if not _is_address(name):
            return peer
        if not is_one_of(name, proxies):
            return name
        peer = name
    return peer


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_one_of(name: str, proxies: Sequence[str]) -> bool:
    return _is_address(name) and any(
        ipaddress.ip_address(name) in ipaddress.ip_network(p, strict=False) for p in proxies
    )


def address_of(scope: Scope) -> str:
    """The address of a request, as it is counted."""
    client = scope.get("client")
    return counted_as(str(client[0]) if client else "")


def counted_as(name: str) -> str:
    """What is counted as one address: of IPv6 the network, for whoever has one address there has them all."""
    if not _is_address(name) or ipaddress.ip_address(name).version == 4:
        return name
    return str(ipaddress.ip_network(f"{name.partition('%')[0]}/64", strict=False))


def address_hash(salt: str, address: str) -> str:
    """How an address is kept: tables made from the same one can be counted, but it cannot be read."""
    return hashlib.blake2b(address.encode(), key=salt.encode(), digest_size=8).hexdigest()
