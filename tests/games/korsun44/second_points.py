"""The second implementation: replacements and bridges (8.0, 15.2), from the text and the JSON of a position alone."""

from __future__ import annotations

from typing import Any

from .second import ARMOR, BAD, OUT, Man, World, card, front, printed
from .second_supply import Depot, Network

FOOT = ("infantry", "airborne_infantry", "security", "motorized_infantry", "mechanized_infantry")
REGIMENTS = ("regiment", "regiment_group", "division_group")


def takes(m: Man) -> str:
    """8.2 The points a unit takes."""
    if m.side == "soviet":
        if m.role != "unit":
            return ""
        return "armor" if m.star else "infantry" if m.size == "division" and m.type in FOOT else ""
    if m.armor:
        return "" if m.type in ("PzIII", "Marder") else "armor"
    whole = m.role == "unit" and m.size in REGIMENTS
    return "infantry" if m.type in FOOT and (whole or m.role == "part") else ""


def most(w: World, m: Man) -> int:
    """8.4.3 How many steps replacements may bring a unit to."""
    if takes(m) == "armor":
        return len(m.powers)
    if m.role != "part":
        return len(m.powers) - 1
    beside = sum(x.steps for x in w.men if x.at and x.parent == m.parent and x is not m and x.role == "part")
    return min(len(m.powers), len(card(printed()[m.parent]).powers) - 1 - beside)


def fit(w: World, m: Man, kind: str) -> bool:
    """8.2, 8.4, 12.17.2.8 Whether a unit on the map may take a step at all."""
    if not m.at or takes(m) != kind or m.marks & (BAD | {"replaced"}) or m.steps >= most(w, m):
        return False
    if m.side == "german":
        return True
    return m.steps <= 2 and all(w.far(m.at, x) >= 4 for x in w.held("german"))


def command(m: Man) -> str:
    return m.corps if m.side == "german" else front(m)


def in_range(net: Network, m: Man) -> bool:
    """8.4.1 Within supply range of its source or SDM."""
    reach = (4 if net.w.mud else 6) if m.side == "german" else 8 if net.w.mud else 10
    lengths = [net.path(m.side, m.at, net.sources(m.side, m.army, m.corps), False)]
    lengths += [net.path(m.side, m.at, {d.at}, True) for d in net.depots if net.serves(d, m)]
    return any(n is not None and n <= reach for n in lengths)


def replace(net: Network, m: Man, points: dict[str, dict[str, int]]) -> list[int]:
    """8.4, 8.5.1 The numbers of steps a unit may be given from the track."""
    w, kind = net.w, takes(m)
    if not kind or (m.side == "german" and kind == "armor") or not fit(w, m, kind):
        return []
    if m.marks & OUT or not in_range(net, m):
        return []
    have = points.get(command(m), {}).get(kind, 0)
    limit = min(have, most(w, m) - m.steps, 2 if m.side == "soviet" else 1)
    return list(range(1, limit + 1))


def armor(net: Network, korps: str, kind: str) -> set[str]:
    """8.5.2 The tanks on the map that can take a step."""
    return {
        m.id
        for m in net.w.men
        if m.corps == korps and m.type == kind and kind in ARMOR and takes(m) == "armor"
        if (fit(net.w, m, "armor") and not m.marks & OUT and in_range(net, m)) or (not m.at and home(net, m))
    }


def home(net: Network, m: Man) -> set[str]:
    """8.2.4, 8.5.1.2 The hexes an eliminated unit comes back in: on or next to its SDM, a brigade next to one."""
    w, found = net.w, set()
    for d in net.depots:
        row = printed()[d.id]
        if d.side != m.side:
            continue
        if m.side == "german":
            mine = d.division == m.division if d.division else d.corps == m.corps
        elif m.star:
            mine = d.army == m.army or front(card(row)) == front(m)
        else:
            mine = d.army == m.army and not d.corps
        if mine:
            found |= {*w.around(d.at), *(() if m.star else (d.at,))}
    found -= w.held("soviet" if m.side == "german" else "german")
    if m.side == "soviet":
        found = {h for h in found if all(w.far(h, x) >= 4 for x in w.held("german"))}
    return found


def rebuild(net: Network, m: Man, points: dict[str, dict[str, int]]) -> set[str]:
    """8.2.4, 8.4, 8.5.1.2 Where an eliminated unit may come back for points."""
    kind, have = takes(m), points.get(command(m), {})
    if not kind or (m.side == "german" and kind == "armor"):
        return set()
    if have.get("infantry", 0) < 1 or (m.star and have.get("armor", 0) < 1):
        return set()
    others = [x for x in net.w.men if x.at and (x.parent == m.id or x.id == m.parent) and x.role != "extension"]
    return set() if others or most(net.w, m) < 1 else home(net, m)


def near(w: World, a: str, b: str) -> bool:
    """8.6.1 Three hexes at most, through vacant hexes or friends."""
    theirs, seen = w.held("soviet"), {a}
    for _ in range(3):
        seen |= {x for h in seen for x in w.around(h) if x not in theirs and w.terrain(x) != "dnepr"}
    return b in seen


def absorb(w: World) -> dict[str, set[str]]:
    """8.6.1 Cadres, and who may absorb them: those of their own division first."""
    found = {}
    for c in w.men:
        if c.side != "german" or not c.at or not c.infantry or not w.cadre(c):
            continue
        into = [m for m in w.men if m.side == "german" and m is not c and fit(w, m, "infantry") and near(w, c.at, m.at)]
        own = [m for m in into if c.division and m.division == c.division]
        if into:
            found[c.id] = {m.id for m in own or into}
    return found


def disband(w: World) -> dict[str, set[str]]:
    """8.6.2 Guns, and who may take their men."""
    found = {}
    for gun in w.men:
        if gun.side != "german" or not gun.at or not gun.gun:
            continue
        own = [m for m in w.men if m.at and m.division == gun.division and m.side == "german" and m.type in FOOT]
        into = {
            m.id
            for m in w.men
            if m.side == "german" and m.corps == gun.corps and fit(w, m, "infantry") and near(w, gun.at, m.at)
            if not gun.division or m.division == gun.division or not own
        }
        if into:
            found[gun.id] = into
    return found


def abandon(net: Network, d: Depot) -> set[str]:
    """8.6.5 Who may take the step of an SDM that is given up."""
    reach = 4 if net.w.mud else 6
    found = set()
    for m in net.w.men:
        same = m.division == d.division if d.division else m.corps == d.corps
        if m.side == "german" and same and fit(net.w, m, "infantry"):
            length = net.path("german", m.at, {d.at}, True)
            if length is not None and length <= reach:
                found.add(m.id)
    return found


# --- 15.2 bridges ---------------------------------------------------------------------------------------------------


def engineer_near(w: World, side: str, ends: tuple[str, str]) -> bool:
    """15.2.1 An engineer within three hexes of one of the hexes, by a way without enemies and bare rivers."""
    enemy = w.held("soviet" if side == "german" else "german")
    front_ = {m.at for m in w.men if m.side == side and m.engineer and m.at and not m.marks & BAD}
    seen = set(front_)
    for _ in range(3):
        front_ = {
            b
            for a in front_ - enemy
            for b in w.around(a)
            if "river" not in w.water(a, b) or w.road(a, b) or w.built(a, b)
        } - seen
        seen |= front_
    return bool(seen & set(ends))


def destroy(w: World, side: str, key: str, owner: str, engineering: bool) -> tuple[bool, int]:
    """15.2.1 Whether a side may try to destroy the bridge over a hexside, and the faces of the die that do it."""
    a, b = key.split("|")
    here = w.bridges.get(frozenset((a, b)), [])
    wet = w.water(a, b) & {"river", "stream"}
    links = w.links.get(frozenset((a, b)), set())
    own = any(x.get("kind", "printed") == "printed" for x in here)
    first = [x for x in here if x.get("kind", "printed") == "printed"]
    if wet and links and not own:
        first = [{"state": "intact", "owner": ""}]
    rest = [x for x in here if x.get("kind", "printed") != "printed"]
    stands: list[dict[str, Any]] = [x for x in (*first, *rest) if x.get("state", "intact") == "intact"]
    if not stands or stands[0].get("owner", owner) != side or not engineer_near(w, side, (a, b)):
        return False, 0
    more = 2 if "railroad" in links and "river" in wet and stands[0].get("kind", "printed") == "printed" else 0
    enemy = w.held("soviet" if side == "german" else "german")
    more += int(engineering and bool({a, b} & enemy))
    return True, sum(min(die + more, 6) <= 5 for die in range(1, 7))
