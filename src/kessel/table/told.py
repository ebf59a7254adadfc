"""Answers of `kessel analyze` in sentences and tables, for a person at a terminal. JSON is for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

WIDTH = 100
HARD = "\N{NO-BREAK SPACE}"
"""Between the words of one action: a line does not end there."""
ASKED = ("unit", "units", "group", "side", "hex", "target", "from", "to", "mode", "kind")
"""Words of a question that stand in the heading of its answer."""


def tell_answers(doc: Mapping[str, Any]) -> str:
    """All answers, one below the other."""
    return "\n\n".join("\n".join(_answer(a)) for a in doc["answers"])


def _answer(answer: Mapping[str, Any]) -> Iterator[str]:
    left = dict(answer)
    asked = [f"{_words(key)} {_short(left.pop(key))}" for key in ("question", *ASKED) if _is_short(left.get(key))]
    first = asked[0].removeprefix("question ")
    heading = ", ".join(["ZOC" if first == "zoc" else first.capitalize(), *asked[1:]])
    yield heading
    yield "-" * len(heading)
    yield from _verdict(left)
    for key, value in left.items():
        yield from _told(key, value, "")


def _verdict(answer: dict[str, Any]) -> Iterator[str]:
    """Yes or no comes first."""
    legal, refusal = answer.pop("legal", None), answer.pop("refusal", None)
    if isinstance(refusal, Mapping):
        yield from _wrapped(f"No: {refusal['reason']} ({refusal['rule']}).", "")
    elif legal is True:
        yield "Yes, it is legal."
    elif legal is False:
        yield from _wrapped(f"No: {answer.pop('reason', 'it is not legal')} ({answer.pop('rule', '')}).", "")


def _told(key: str, value: Any, indent: str) -> Iterator[str]:
    name = _words(key)
    if value in ({}, []):
        yield f"{indent}{name}: none"
    elif _is_breakdown(value):
        yield from _breakdown(name, value, indent)
    elif _are_chances(value):
        yield from _chances(name, value, indent)
    elif _is_reach(value):
        yield from _reach(name, value, indent)
    elif isinstance(value, Mapping):
        yield f"{indent}{name}:"
        for k, v in value.items():
            yield from _told(k, v, indent + "  ")
    elif _are_rows(value):
        yield from _rows(name, value, indent)
    elif isinstance(value, list) and any(isinstance(v, Mapping) for v in value):
        for n, v in enumerate(value, start=1):
            yield from _told(f"{key} {n}", v, indent)
    else:
        yield from _wrapped(f"{name}: {_short(value)}", indent)


def _breakdown(name: str, value: Mapping[str, Any], indent: str) -> Iterator[str]:
    yield f"{indent}{value.get('name') or name}: {_short(value['total'])}"
    for key, more in value.items():
        if key not in ("name", "total", "items"):
            yield from _told(key, more, indent + "  ")
    for item in value["items"]:
        rule = f" ({item['rule']})" if item.get("rule") else ""
        yield f"{indent}  {_short(item['value']):>7}  {item['what']}{rule}"


def _chances(name: str, value: Sequence[Mapping[str, Any]], indent: str) -> Iterator[str]:
    yield f"{indent}{name}:"
    for one in value:
        more = ", ".join(f"{_words(k)} {_short(v)}" for k, v in one.items() if k not in _CHANCE)
        yield f"{indent}  {100 * one['probability']:6.2f} %  {one['result']}{'  ' + more if more else ''}"


_CHANCE = {"result", "chance", "probability"}


def _reach(name: str, value: Mapping[str, Mapping[str, Any]], indent: str) -> Iterator[str]:
    """Hexes by what it costs to get there; a move that ends there has a star."""
    yield f"{indent}{name} (* the move ends there):"
    by_cost: dict[Any, list[str]] = {}
    for place, how in value.items():
        by_cost.setdefault(how["cost"], []).append(place + "*" * bool(how.get("stops")))
    for cost, places in sorted(by_cost.items(), key=lambda item: float(item[0])):
        yield from _wrapped(f"{_short(cost):>5}  {'  '.join(places)}", indent + "  ", hang=7)


def _rows(name: str, value: Sequence[Mapping[str, Any]], indent: str) -> Iterator[str]:
    columns = list(dict.fromkeys(key for row in value for key in row))
    cells = [[_words(c) for c in columns], *([_short(row.get(c)) for c in columns] for row in value)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    yield f"{indent}{name}:"
    for row in cells:
        yield (
            (indent + "  " + "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)))
            .rstrip()
            .replace(HARD, " ")
        )


def _wrapped(text: str, indent: str, hang: int = 2) -> Iterator[str]:
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + " " * hang,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return (line.replace(HARD, " ") for line in lines)


# --- shapes --------------------------------------------------------------------------------------------------------


def _is_short(value: Any) -> bool:
    return isinstance(value, str | int | float) or (
        isinstance(value, list) and 0 < len(value) <= 6 and all(isinstance(v, str) for v in value)
    )


def _is_breakdown(value: Any) -> bool:
    return isinstance(value, Mapping) and {"total", "items"} <= value.keys()


def _are_chances(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(v, Mapping) and v.keys() >= _CHANCE for v in value)


def _is_reach(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(v, Mapping) and "cost" in v for v in value.values())


def _are_rows(value: Any) -> bool:
    if not isinstance(value, list) or not all(isinstance(v, Mapping) for v in value):
        return False
    return all(not isinstance(cell, Mapping) and not _is_long(cell) for row in value for cell in row.values())


def _is_long(cell: Any) -> bool:
    return isinstance(cell, list) and (len(cell) > 8 or any(isinstance(v, list | dict) for v in cell))


def _words(key: str) -> str:
    return key.replace("_", " ")


def _short(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return ", ".join(v.replace(" ", HARD) if isinstance(v, str) else _short(v) for v in value) or "none"
    return _words(str(value))
