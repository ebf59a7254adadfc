"""Hand-written positions: see docs/positions-stalingrad42.md."""

from __future__ import annotations

from typing import Any

import msgspec

from kessel.core.analysis import board_of
from kessel.core.board import NOWHERE
from kessel.core.errors import BadInput
from kessel.core.forces import Side
from kessel.core.hexset import members, union
from kessel.core.pack import Pack
from kessel.core.rules import find
from kessel.core.terrain import BoardDoc, Map
from kessel.games.stalingrad42.board import ELSEWHERE, REPLACEMENT_KINDS, Board
from kessel.games.stalingrad42.columns import (
    AIR_AWAY,
    AIR_PLACED,
    AIR_READY,
    AIR_USED,
    BEGUN,
    BUILT,
    COMBAT,
    ELIMINATED,
    MAX_RAILHEADS,
    OF_COMBAT,
    OF_THE_PHASE,
    PHASES,
    REMOVED,
    Status,
)
from kessel.games.stalingrad42.data.charts import WEATHERS, Charts, charts
from kessel.games.stalingrad42.data.forces import AXIS, SIDES, SOVIET, Forces, Printed, UnitSpec, read_counters
from kessel.games.stalingrad42.data.scenario import Entrant, Frozen, Scenario, Upgrade
from kessel.games.stalingrad42.data.terrain import ENTRY_KINDS, FORT_GROUPS, LAST_TURN, SPECIAL_LINKS
from kessel.games.stalingrad42.movement.entering import settle_control
from kessel.games.stalingrad42.movement.maskirovka import armies, is_army
from kessel.games.stalingrad42.movement.rail import detrain
from kessel.games.stalingrad42.movement.sea import why_not_flotilla
from kessel.games.stalingrad42.movement.special_units import caucasus
from kessel.games.stalingrad42.movement.ways.zones import is_contested
from kessel.games.stalingrad42.sequence import phase_stack
from kessel.wargame import positions as wargame
from kessel.wargame.positions import between, by_hex
from kessel.wargame.reading import at_path, index_of, named_hex, named_hexes, named_place, named_side, one_of

STATUS_WORDS = {s.name.lower(): s for s in Status if s.name}


class UnitDoc(Printed, kw_only=True, forbid_unknown_fields=True):
    """A unit: a counter of the game by its id, or one written out with its values."""

    id: str
    at: str = ""
    """Hex or box; empty: not on the board."""
    values: str = ""
    """Faces from full strength down: "10-8-6;7-6-6". Without them the id must be a counter of the game."""
    steps: int | None = None
    """Steps left; left out: all of them."""
    status: list[str] = msgspec.field(default_factory=list)
    offensives: int = 0
    """Ready Planned Offensive markers on it."""
    eliminated: bool = False
    box: int = 0
    """The Holding Box (1-6) a unit is in, or the one a Reserve Army's marker names (34.1)."""
    side: str = ""
    type: str = ""
    branch: str = ""
    size: str = ""
    dot: str = ""
    quality: str = ""
    free_stacking: bool | None = None


PRINTED = (*Printed.__struct_fields__, "side", "type", "branch", "size", "dot", "quality", "free_stacking")


class PositionDoc(wargame.PhaseDoc, kw_only=True):
    units: list[UnitDoc] = msgspec.field(default_factory=list)
    turn: int = 1
    weather: str = "clear"
    seasonal_marsh: str = "clear"
    """"marsh" once it has rained (23.2.3)."""
    side: str = "axis"
    """Whose Player Turn it is."""
    phase: str = "movement"
    control: dict[str, str] = msgspec.field(default_factory=dict)
    forts: dict[str, str] = msgspec.field(default_factory=dict)
    """Hex to "axis", "soviet", or "axis begun", "soviet begun"."""
    railheads: list[str] = msgspec.field(default_factory=list)
    repaired: str = ""
    """Rail hexes the Axis has repaired, as a hex list; "all" for every rail hex."""
    areas: dict[str, str] = msgspec.field(default_factory=dict)
    """Entry Areas that belong to another side than the board says."""
    flotilla: str = ""
    city_battles: dict[str, int] = msgspec.field(default_factory=dict)
    air: dict[str, str] = msgspec.field(default_factory=dict)
    """Air unit to "ready", "used", "away" or the hex it is with."""
    deactivated: list[str] = msgspec.field(default_factory=list)
    """Groups of printed Fortifications no longer active (9.7.7)."""
    vp: int = 0
    baku: bool = False
    """Five divisions have left through Entry Area G (24.1.2)."""
    elbrus: bool = False
    """An Axis Mountain unit has been on Mt. Elbrus (24.3)."""
    resource_points: int = 2
    replacements: dict[str, int] | None = None
    """Replacements received in the Initial Phase, by type (21.1.2); left out: those of the turn."""
    rules: list[str] = msgspec.field(default_factory=list)
    """Special rules of scenarios in force, by number (31.0, S1.2b, ...)."""


def from_position(doc: PositionDoc, pack: Pack) -> Board:
    """The board a position describes; BadInput names the place of whatever is wrong."""
    c = charts(pack)
    if isinstance(doc.board, BoardDoc):
        _complete(doc.board)
    m = board_of(doc, pack)
    specs = _specs(doc, pack)
    scenario = _scenario(doc, m, specs, pack)
    forces = _forces(doc, [*specs, *_spares(doc, scenario.upgrades, pack)], c)
    g = Board(m, forces, c, scenario, c.readings.chosen(doc.options, "$.options"))
    _tracks(g, doc)
    for i, unit in enumerate(doc.units):
        at_path(f"$.units[{i}]", _place, g, i, unit)
    for group in scenario.frozen:
        if group.id == "idle":
            for name in group.units:
                g.set_status(g.forces.unit(name), Status.FROZEN)
    _markers(g, doc)
    _shared_hexes(g, doc)
    _air(g, doc, c)
    _begin(g, doc)
    return g


def _scenario(doc: PositionDoc, m: Map, specs: list[UnitSpec], pack: Pack) -> Scenario:
    """The few things of a scenario that a position names."""
    c, rules = charts(pack), _rules(doc, pack)
    blau = pack.toml("scenarios/fall-blau.toml")["special"] if any(x.startswith("S1.2") for x in rules) else {}
    idle = [u.id for u in doc.units if "S1.2h" in rules and doc.turn == 1 and u.id in blau["idle_first_turn"]]
    points = (between(doc.resource_points, 0, 99, "Resource Points", "$.resource_points"), 1)
    return Scenario(
        areas=_areas(doc, m),
        rules=rules,
        frozen=(*_frozen(doc, specs, c), *([Frozen("idle", "S1.2", tuple(idle), ())] if idle else [])),
        exits=dict.fromkeys(("G", *(blau["exit_areas"] if "S1.2d" in rules else ())), ("axis",)),  # 22.4, 24.1.2
        upgrades=_upgrades(doc, rules, c),
        special=_special(doc, rules),
        boxes=_boxes(doc, specs),
        resource_points=(points, points),
    )


def _tracks(g: Board, doc: PositionDoc) -> None:
    g.turn = between(doc.turn, 1, LAST_TURN, "the turn", "$.turn")
    g.weather = index_of(WEATHERS, doc.weather, "weather", "$.weather")
    g.rolled = WEATHERS.index("clear") if doc.weather == "mud" else g.weather  # 23.3.1: the rain has stopped
    marsh = one_of(("clear", "marsh"), doc.seasonal_marsh, "seasonal marsh", "$.seasonal_marsh")
    g.marsh = int(marsh == "marsh" or g.wet)
    g.vp = between(doc.vp, -99, 99, "Victory Points", "$.vp")
    g.resource_points = doc.resource_points
    g.baku, g.elbrus = int(doc.baku), int(doc.elbrus)


def _begin(g: Board, doc: PositionDoc) -> None:
    """The phase a position stands in."""
    side = named_side(SIDES, doc.side, "$.side")
    if g.scenario.has("30.0") and caucasus(g) & g.sets[COMBAT + AXIS]:
        g.trans_caucasus = doc.turn
    g.phasing = side
    g.phase = index_of(PHASES, doc.phase, "phase", "$.phase")
    if doc.phase != "initial":
        g.rail_used = sum(not g.forces.is_leader(u) for u in g.marked_with(side, Status.TRAIN))  # 5.6.5
    limit = g.scenario.special.get("phase_of", {}).get(side, "")
    if limit == "interchange" and doc.phase not in ("movement", "combat", "recovery"):
        raise BadInput("the Interchange Turn has a movement, a combat and a recovery phase (33.2.3)", "$.phase")
    if limit == "interchange" and doc.phase == "movement":
        detrain(g, side)  # 33.2.3: no unit has come by rail in it
        g.rail_used = 0
    g.stack = phase_stack(side, doc.phase, limit, under_way=_under_way(g, side, doc.phase))


def _under_way(g: Board, side: Side, phase: str) -> bool:
    """Whether units have done something in the phase a position stands in: then it does not begin anew."""
    if phase == "combat":
        return bool(g.marked_with(side, OF_COMBAT) or g.marked_with(1 - side, OF_COMBAT))
    done = OF_THE_PHASE | Status.EXTENDED | Status.AUTO_DS | Status.RESERVE | Status.TRAIN
    return phase == "movement" and bool(g.marked_with(side, done) or g.marked_with(1 - side, Status.RETREATED))


def _complete(board: BoardDoc) -> None:
    """What goes without saying on a small board."""
    for link in board.links:
        link.special = link.special or link.kind in SPECIAL_LINKS
    for box in board.boxes:
        box.kind = box.kind or ENTRY_KINDS[0]


def _forces(doc: PositionDoc, specs: list[UnitSpec], c: Charts) -> Forces:
    try:
        return Forces(specs, c, "$.units")
    except BadInput as e:
        for i, u in enumerate(doc.units):
            if e.where.startswith(f"$.units.{u.id}."):
                field = e.where.removeprefix(f"$.units.{u.id}.")
                raise BadInput(e.message, f"$.units[{i}].{'values' if field == 'faces' else field}") from None
        raise


def _specs(doc: PositionDoc, pack: Pack) -> list[UnitSpec]:
    known = read_counters(pack) if any(not (u.values and u.side) for u in doc.units) else {}
    return wargame.counters_of(doc.units, known, _spec)


def _spec(u: UnitDoc, counter: UnitSpec | None) -> UnitSpec:
    if any(c.isspace() for c in u.id):
        raise BadInput("a unit's id is one word", "$.id")
    between(u.range, 0, 99, "a range in hexes", "$.range")
    given: dict[str, Any] = {k: v for k in PRINTED if (v := getattr(u, k)) is False or v not in ("", None, 0, [])}
    if u.values:
        given["faces"] = u.values.split(";")
    if u.values and u.side:
        never: dict[str, Any] = {"replacements": []} if u.id == "Linden" else {}  # 20.9
        return UnitSpec(id=u.id, **_usual(never | given))
    if counter is not None:
        return msgspec.structs.replace(counter, **given)
    if u.values:
        raise BadInput("a unit with its own values needs a side", "$")
    raise BadInput(f"there is no counter {u.id}; give its side and values", "$")


def _upgrades(doc: PositionDoc, rules: frozenset[str], c: Charts) -> tuple[Upgrade, ...]:
    """32.4, 32.5 The upgrades of counters that a position names."""
    plan, ids = c.doc["upgrades"], {u.id for u in doc.units}
    found = []
    for word, rule in (("wiking", "32.4"), ("michalik", "32.5")):
        old, new = plan[word]
        if rule in rules and old in ids:
            found.append(Upgrade(plan[f"{word}_turn"], old, new, rule))
    return tuple(found)


def _spares(doc: PositionDoc, upgrades: tuple[Upgrade, ...], pack: Pack) -> list[UnitSpec]:
    """Counters that lie beside the board though a position does not name them: in an Initial Phase the Supply Points
    (18.1), and what other counters are exchanged for (32.4, 32.5)."""
    initial, wanted = doc.phase == PHASES[0], {up.new for up in upgrades}
    if not initial and not wanted:
        return []
    ids = {u.id for u in doc.units}
    spare = (s for s in read_counters(pack).values() if s.id not in ids)
    return [s for s in spare if s.id in wanted or (initial and s.type == "supply")]


def _usual(given: dict[str, Any]) -> dict[str, Any]:
    """What a unit written out is where it does not say so, by its faces, its type and its side (2.3)."""
    soviet, faces = given["side"] == SIDES[SOVIET], given["faces"]
    if faces[0].startswith("S-") and not faces[0].startswith("S-0-"):
        given = {"type": "artillery" if given.get("asu") == "artillery_division" else "support_hq"} | given
    elif given.get("asu"):
        given = {"type": "artillery" if given["asu"] == "artillery_division" else "support_hq"} | given
    elif given.get("branch") in ("nkvd", "naval"):
        given = {"type": given["branch"]} | given
    elif given.get("dot") in ("black", "red"):
        light = "t34" if soviet else "sturmgeschuetz"
        given = {"type": light if given.get("free_stacking") else "tank"} | given
    elif given.get("dot") == "white":
        given = {"type": "tank_destroyer"} | given
    kind = given.get("type", "infantry")
    if kind in ("support_hq", "artillery"):  # 18.2.1
        hq = "front_hq" if soviet else "army_hq"
        given = {"asu": "artillery_division" if kind == "artillery" else hq} | given
    if kind in ("support_hq", "artillery", "supply") and len(faces) == 2 and "back" not in given:
        given |= {"faces": faces[:1], "back": faces[1]}  # one step, two sides (18.2.3, 18.6.2)
    if kind == "supply" and not faces[0].endswith("-0"):
        given = {"back": "S-0-T"} | given
    if kind in ("t34", "kv1", "sturmgeschuetz"):  # 21.5.2
        given = {"free_stacking": True} | given
    if soviet and given.get("branch") == "guards":  # 2.3.2
        given = {"quality": "elite"} | given
    if "[" in faces[0]:
        given = {"doubled": "mountain" if kind == "mountain" else "city"} | given
    free = bool(given.get("free_stacking"))
    given = {"replacements": _replaced_by(kind, given.get("nation", ""), free, soviet)} | given
    corps = "brigade" if free else "corps"
    sizes = {"tank": corps, "mechanized": corps, "naval": "brigade", "support_hq": "front", "army_hq": "army"}
    return {"size": sizes.get(kind, "division") if soviet else "division"} | given


def _replaced_by(kind: str, nation: str, free: bool, soviet: bool) -> list[str]:
    """21.1.2, 21.5 The types of Replacement that serve a unit of that type and nationality."""
    if nation and nation not in ("german", "soviet"):
        own = {"hungarian": ["hun"], "romanian": ["rom"], "italian": ["ital"]}
        return [*own.get(nation, []), "axis"]
    if kind == "infantry" or (kind in ("security", "jaeger", "bicycle", "engineer", "sturm", "ski") and not free):
        return ["infantry", "cavalry", "special"]
    first = {"cavalry": ["cavalry"], "tank": ["tank"], "mechanized": ["tank"]}.get(kind, [])
    if kind in ("t34", "kv1", "sturmgeschuetz"):
        return ["tank", "special"]
    return [*first, "special"] if free or not first or (kind == "mechanized" and not soviet) else first


def _rules(doc: PositionDoc, pack: Pack) -> frozenset[str]:
    """The rules named and all statements below them: 32 stands for 32.0, 32.1, 32.1a and so on."""
    every: set[str] = set()
    for i, rule in enumerate(doc.rules):
        number = rule.removesuffix(".0")
        try:
            below = find(pack, number)
        except BadInput:
            raise BadInput(f"there is no rule {rule!r}", f"$.rules[{i}]") from None
        every |= {rule, f"{number}.0", *(s.rule for s in below), *(s.rule.rstrip("abcdefghijk") for s in below)}
    return frozenset(every)


def _boxes(doc: PositionDoc, specs: list[UnitSpec]) -> dict[str, tuple[Entrant, ...]]:
    """Volunteers (20.8) and Trans-Caucasus Front units (30.0) that are not on the board wait for their arrival."""
    found: dict[str, tuple[Entrant, ...]] = {}
    for box, group in (("volunteers", "volunteer"), ("trans_caucasus", "trans_caucasus")):
        pairs = zip(specs, doc.units, strict=True)
        outside = [(s, u) for s, u in pairs if not (u.at or u.eliminated or u.box)]
        waiting = [Entrant(s.id, u.steps or 0) for s, u in outside if group in s.groups]
        found[box] = tuple(waiting)
    return found


def _special(doc: PositionDoc, rules: frozenset[str]) -> dict[str, Any]:
    """The Replacements, and restrictions of all movement by their rules: S1.2 and S4.2 on Turn 1, S3.4 on Turn 28, S2.4
    on Turn 10, and 33.2.3 where it is named itself."""
    special: dict[str, Any] = {}
    if doc.replacements is not None:
        special["replacements"] = doc.replacements
        for kind, number in doc.replacements.items():
            one_of(REPLACEMENT_KINDS, kind, "type of Replacement", f"$.replacements.{kind}")
            between(number, 0, 99, "Replacements", f"$.replacements.{kind}")
    if rules & {"S1.2b", "S4.2"}:
        special["tactical_only"] = {"side": "axis", "turn": 1}
    if "S3.4c" in rules:
        special["tactical_and_rail_only"] = {"turn": 28}
    if "S2.4a" in rules and doc.turn == 10:
        special["phase_of"] = {SOVIET: "normal"}
    if any(rule.startswith("33.2.3") for rule in doc.rules):
        special["phase_of"] = {AXIS: "interchange"}
    return special


def _frozen(doc: PositionDoc, specs: list[UnitSpec], c: Charts) -> tuple[Frozen, ...]:
    """What releases the units that a position calls frozen, by the groups of their counters (20.4, 20.6, 31.0)."""
    near = c.constant("north_caucasus_radius")
    saratov = {"hex": c.hex("saratov"), "distance": c.constant("saratov_radius")}
    releases: dict[str, tuple[str, tuple[dict[str, Any], ...]]] = {
        "garrison": ("20.4", ({"kind": "axis_within", "distance": c.constant("garrison_radius")},)),
        "north_caucasus": ("20.6", ({"kind": "don_crossed"}, {"kind": "stalingrad_within", "distance": near})),
        "reserve_army_8": ("31.0", ({"kind": "turn", "turn": 15}, {"kind": "axis_near", **saratov})),
    }
    for army in ("5", "6", "7"):
        releases[f"reserve_army_{army}"] = ("31.0", ({"kind": "owner", "from_turn": 2, "per_turn": 1},))
    found = []
    for group, (rule, release) in releases.items():
        units = [s.id for s, u in zip(specs, doc.units, strict=True) if "frozen" in u.status and group in s.groups]
        if units:
            found.append(Frozen(group, rule, tuple(units), release))
    return tuple(found)


def _areas(doc: PositionDoc, m: Map) -> dict[str, str]:
    for box, side in doc.areas.items():
        at_path(f"$.areas.{box}", m.box_place, box)
        one_of(("", *SIDES), side, "side", f"$.areas.{box}")
    return doc.areas


def _place(g: Board, u: int, doc: UnitDoc) -> None:
    steps, flags = wargame.steps_left(g, u, doc), _flags(g, u, doc)
    if not 0 <= doc.offensives <= 2 or (doc.offensives and g.forces.asu[u] not in ("army_hq", "front_hq")):
        raise BadInput("an Army or Front HQ holds up to two Planned Offensive markers (26.2)", "$.offensives")
    between(doc.box, 0, len(g.assigned), "the Holding Boxes", "$.box")
    if doc.eliminated and (doc.at or doc.box):
        raise BadInput("a unit in the Eliminated Box is nowhere else", "$.eliminated")
    if doc.box and not is_army(g, u) and (doc.at or g.forces.side[u] != SOVIET):
        raise BadInput("Soviet units are in a Holding Box, and nowhere else (34.2)", "$.box")
    if doc.box and is_army(g, u):
        if doc.box in g.assigned:
            raise BadInput(f"Holding Box {doc.box} belongs to another Reserve Army", "$.box")
        g.assigned[armies(g).index(u)] = doc.box
    place = named_place(g, doc.at, "$.at") if doc.at else NOWHERE
    if doc.at and g.map.is_hex(place) and not g.ground.playable >> place & 1:
        raise BadInput(f"no unit can be in {doc.at}: it is Sea or unplayable (2.2.3)", "$.at")
    held = bool(doc.box) and not is_army(g, u)
    if doc.at or held:
        g.put(u, place, steps=steps)
        g.inside[u] = doc.box if held else g.inside[u]
        g.set_status(u, flags)
        g.offensives[u] = 16 * doc.offensives
    elif doc.eliminated:
        g.pool[u] = ELIMINATED if g.forces.combat[u] else REMOVED


def _flags(g: Board, u: int, doc: UnitDoc) -> int:
    flags = 0
    for word in doc.status:
        flags |= STATUS_WORDS[one_of(STATUS_WORDS, word, "status", "$.status")]
    if flags & Status.ISOLATED:
        flags |= Status.OOS
    if flags & Status.DISRUPTED and flags & Status.FULL_RETREAT:
        raise BadInput("a unit is Disrupted or in Full Retreat, not both", "$.status")
    if flags & (Status.DISRUPTED | Status.FULL_RETREAT) and not g.forces.combat[u]:
        raise BadInput("Non-Combat Units are always in Good Order (13.1.1)", "$.status")
    return flags


def _markers(g: Board, doc: PositionDoc) -> None:
    for h, word, where in by_hex(g, doc.control, "$.control"):
        if not g.ground.controllable >> h & 1:
            raise BadInput("control is kept for City, VP and Port hexes (16.3.4)", where)
        g.set_control(h, named_side(SIDES, word, where))
    settle_control(g)
    for h, word, where in by_hex(g, doc.forts, "$.forts"):
        owner, _, state = word.partition(" ")
        one_of(("", "begun"), state, "state of a Fortification", where)
        if not g.ground.playable >> h & 1:
            raise BadInput(f"there is no Fortification in {g.hex_name(h)}: it is Sea or unplayable (2.2.3)", where)
        g.set_fort(h, named_side(SIDES, owner, where), BEGUN if state else BUILT)
    _rails(g, doc)
    for h, level, where in by_hex(g, doc.city_battles, "$.city_battles"):
        if not g.is_city(h) or level not in (1, 2):
            raise BadInput("a City Battle is 1 or 2, in a City hex", where)
        if level == 2 and not g.ground.major_city >> h & 1:
            raise BadInput("a Minor City has no City Battle 2 (11.6.2)", where)
        g.city_battle[h] = level
    if doc.flotilla:
        side = at_path("$.flotilla", g.map.grid.parse_hexside, doc.flotilla)
        if not g.ground.volga[side % 6] >> side // 6 & 1:
            raise BadInput(f"{doc.flotilla} is no Volga hexside", "$.flotilla")
        if why := why_not_flotilla(g, side, SOVIET):
            raise BadInput(f"{why.reason} ({why.rule})", "$.flotilla")
        g.flotilla = side + 1
    for name in doc.deactivated:
        g.deactivated |= 1 << index_of(FORT_GROUPS, name, "group of printed forts", "$.deactivated")
    g.happened(ELSEWHERE)


def _rails(g: Board, doc: PositionDoc) -> None:
    rails = union(g.ground.rail(doc.turn))
    if len(doc.railheads) > MAX_RAILHEADS:
        raise BadInput(f"there are {MAX_RAILHEADS} Railhead markers", "$.railheads")
    for i, name in enumerate(doc.railheads):
        g.railheads[i] = named_hex(g, name, f"$.railheads[{i}]")
        if not rails >> g.railheads[i] & 1:
            raise BadInput(f"there is no railroad in {name}", f"$.railheads[{i}]")
    repaired = members(rails) if doc.repaired == "all" else named_hexes(g.map, doc.repaired, "$.repaired")
    for h in repaired:
        if not rails >> h & 1:
            raise BadInput(f"there is no railroad in {g.hex_name(h)}", "$.repaired")
        g.set_repaired(h)


def _shared_hexes(g: Board, doc: PositionDoc) -> None:
    """5.1, 29.1.1 Only a Contested City hex holds Combat Units of both sides."""
    for i, unit in enumerate(doc.units):
        h = g.place[i]
        if g.forces.combat[i] and g.map.is_hex(h) and is_contested(g, h):
            if not g.is_city(h):
                raise BadInput(f"{unit.at} holds Combat Units of both sides (5.1)", f"$.units[{i}].at")
            if not g.plays("contested_cities"):
                raise BadInput("a Contested City hex needs the option contested_cities (29.0)", f"$.units[{i}].at")


def _air(g: Board, doc: PositionDoc, c: Charts) -> None:
    rows = c.table("air_units").rows
    for name, word in doc.air.items():
        i = index_of(rows, name, "air unit", f"$.air.{name}")
        states = {"ready": AIR_READY, "used": AIR_USED, "away": AIR_AWAY}
        g.air[i] = states.get(word, AIR_PLACED)
        g.air_place[i] = NOWHERE if word in states else named_hex(g, word, f"$.air.{name}")
