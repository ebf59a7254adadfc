"""Where a value stands in a TOML file, so that a fault can name file and line."""

from __future__ import annotations

import re

from kessel.core.errors import BadPack
from kessel.core.pack import Pack


def line_of(text: str, key: str, section: str = "", number: int = 0) -> int | None:
    r"""The line of a key of a section; of a list of sections (`[[arrival]]`) the one of that number, from 0.

    >>> line_of('[a]\nx = 1\n[b]\nx = 2', "x", "b")
    4
    """
    here, seen = section == "", -1
    for n, line in enumerate(text.splitlines(), start=1):
        head = re.match(r"\s*(\[\[?)\s*([^\]]+?)\s*\]", line)
        if head:
            named = head[2] == section
            seen += named
            here = named and (head[1] == "[" or seen == number)
            if here and not key:
                return n
        elif here and key and re.match(rf'\s*"?{re.escape(key)}"?\s*=', line):
            return n
    return None


def fault(pack: Pack, file: str, message: str, key: str = "", section: str = "", number: int = 0) -> BadPack:
    """The error that names the line of a key, or of its section where the key is missing."""
    text = pack.text(file)
    line = line_of(text, key, section, number) or line_of(text, "", section, number)
    return BadPack(message, pack.where(file, line))
