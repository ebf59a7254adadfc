"""Answers of `kessel analyze` in sentences and tables, for a person at a terminal. JSON is for programs."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from kessel.report.words import people

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
    heading = _asked(left)
    yield heading
    yield "-" * len(heading)
    yield from _verdict(left)
    for key, value in left.items():
        yield from _told(key, value, "")


SENTENCES = {
    "attack": "What comes of {who} attacking {target}",
    "advance": "Where may {who} advance",
    "bombardment": "What comes of a bombardment of {hex}",
    "legal": "What may {side} do now",
    "moves": "Where may {who} go",
    "retreat": "Where may {who} retreat",
    "stacking": "May {who} stack",
    "supply": "Is {who} in supply",
    "victory": "Who wins",
    "zoc": "Which hexes lie in zones of control",
}


def _asked(left: dict[str, Any]) -> str:
    """The question as a sentence, as far as its words are there; what belongs to it is taken out of the answer."""
    asked = {key: _short(left.pop(key)) for key in ("question", *ASKED) if _is_short(left.get(key))}
    question = asked.pop("question")
    who = next((key for key in ("units", "unit", "group") if key in asked), "")
    if question == "attack" and "target" not in asked and "hex" in asked:
        asked["target"] = asked.pop("hex")
    named = dict(asked)
    if "side" in asked:
        named["side"] = people(asked["side"])
    if who or "side" in asked:
        named["who"] = asked[who] if who else named["side"]
    sentence = SENTENCES.get(question, "")
    if question == "moves" and {"from", "to"} <= asked.keys():
        sentence = "May {who} go from {from} to {to}"
    elif question == "moves" and "to" in asked:
        sentence = "May {who} go to {to}"
    used = set(re.findall(r"{(\w+)}", sentence))
    if not sentence or used - named.keys():
        return ", ".join([_words(question).capitalize(), *(f"{key} {value}" for key, value in asked.items())])
    gone = used | ({who or "side"} if "who" in used else set())
    rest = [f"{key} {value}" for key, value in asked.items() if key not in gone]
    return sentence.format(**named) + (f" ({', '.join(rest)})" if rest else "") + "?"


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
        if key in CHANCES:
            value = {k: _per_cent(v) for k, v in value.items()}
        if (line := _line(value)) and len(line) + len(name) < WIDTH - 10:
            yield f"{indent}{name}: {line}"
            return
        yield f"{indent}{name}:"
        for k, v in value.items():
            yield from _told(k, v, indent + "  ")
    elif _are_rows(value) and (rows := list(_rows(name, value, indent))) and max(map(len, rows)) <= WIDTH:
        yield from rows
    elif isinstance(value, list) and any(isinstance(v, Mapping) for v in value):
        for n, v in enumerate(value, start=1):
            yield from _told(f"{key} {n}", v, indent)
    else:
        yield from _wrapped(f"{name}: {_short(_per_cent(value) if key in CHANCES else value)}", indent)


CHANCES = {"chances", "disruption", "must_retreat"}
"""What is told as a fraction of all cases."""


def _per_cent(value: Any) -> Any:
    return f"{100 * float(Fraction(value)):.1f} %" if isinstance(value, str) and FRACTION.fullmatch(value) else value


FRACTION = re.compile(r"\d+/\d+")


def _line(value: Mapping[str, Any]) -> str:
    """A few short things in one line, the rule they follow in brackets; nothing where they are long."""
    if len(value) > 8 or any(not _is_short(v) and v is not None for v in value.values()):
        return ""
    said = "; ".join(f"{_words(str(k))} {_short(v)}" for k, v in value.items() if k != "rule")
    return said + (f" ({value['rule']})" if value.get("rule") else "")


def _breakdown(name: str, value: Mapping[str, Any], indent: str) -> Iterator[str]:
    yield f"{indent}{value.get('name') or name}: {_short(value['total'])}"
    for key, more in value.items():
        if key not in ("name", "total", "items"):
            yield from _told(key, more, indent + "  ")
    for item in value["items"]:
        rule = f" ({item['rule']})" if item.get("rule") else ""
        yield f"{indent}  {_short(item['value']):>7}  {item['what']}{rule}"


def _chances(name: str, value: Sequence[Mapping[str, Any]], indent: str) -> Iterator[str]:
    pairs = all(FRACTION.fullmatch(str(one["result"])) for one in value)
    yield f"{indent}{name}{' (on the attacker / on the defender)' if name == 'hits' and pairs else ''}:"
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
        return f"{value:.3g}" if abs(value) < 100 else f"{value:g}"
    if isinstance(value, list):
        if any(isinstance(v, list) for v in value):
            return "; ".join(map(_short, value))
        every = " ".join(map(str, value))
        between = ", " if "," not in every else " " if every.count(" ") < len(value) else "; "
        return between.join(v.replace(" ", HARD) if isinstance(v, str) else _short(v) for v in value) or "none"
    return _words(str(value))
