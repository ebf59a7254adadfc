"""What one side may see, as data a client can draw."""

from __future__ import annotations

from msgspec.structs import replace

from kessel.core.board import NOWHERE
from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexset import members
from kessel.core.view import Marker, Piece, SideView, Track
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import BEGUN, IN_PLAY, PHASES, Status
from kessel.games.stalingrad42.data.forces import AXIS, SIDES, SOVIET
from kessel.games.stalingrad42.movement.maskirovka import armies, box_of, is_army
from kessel.wargame.views import SIZE_SIGNS, pieces, status_words

KINDS = {
    "tank": "armor",
    "t34": "armor",
    "kv1": "armor",
    "sturmgeschuetz": "armor",
    "tank_destroyer": "antitank",
    "support_hq": "headquarters",
    "army_hq": "headquarters",
    "reserve_army": "headquarters",
    "nkvd": "infantry",
    "jaeger": "infantry",
    "sturm": "engineer",
}
SHOWN: dict[int, str] = {
    Status.DISRUPTED: "disrupted",
    Status.FULL_RETREAT: "full retreat",
    Status.OOS: "out of supply",
    Status.ISOLATED: "isolated",
    Status.TRAIN: "train",
    Status.REPLACED: "replacement",
    Status.FROZEN: "frozen",
    Status.RESERVE: "reserve",
    Status.AUTO_DS: "auto DS",
    Status.EXTENDED: "extended",
    Status.DONE: "moved",
    Status.ATTACKED: "attacked",
}

PHRASES = {
    "to": "Go to",
    "step": "Go one hex, to",
    "drop": "Leave behind",
    "halt": "Stop here",
    "by": "Move by",
    "with": "Take along",
    "full_retreat": "Take up Full Retreat",
    "extended": "Use extended movement",
    "reserve": "Go into reserve",
    "flip": "Flip the Supply Point",
    "rail": "Go by rail to",
    "sail": "Go by sea to",
    "strait": "Cross the strait",
    "repair": "Extend the railhead from {} to {}",
    "arrive": "Bring in {} at {}",
    "enlist": "Bring in volunteers {} at {}",
    "build": "Build a fortification",
    "supply": "Place a Supply Point in",
    "restore": "Restore a step of {} from {} Replacements",
    "revive": "Rebuild",
    "add": "Add {} to the attack",
    "remove": "Take {} out of the attack",
    "declare": "Declare the attack",
    "disengagement": "Go on to Disengagement",
    "cancel": "Give it up",
    "air": "Call in air support:",
    "artillery": "Fire the artillery of",
    "auto_ds": "Claim Automatic DS at",
    "defend": "Try a Determined Defense led by",
    "desperate": "Try a Desperate Defense led by",
    "lead": "Lead with",
    "lose": "Let {} lose a step",
    "remnant": "Leave a Remnant",
    "take": "Take the result of die",
    "form": "Put {} into the Breakthrough Group",
    "go": "Advance along",
    "strike": "Break through against",
    "exploit": "Advance after the Automatic DS at",
    "decline": "Form the group where it stands, in",
    "enter": "Enter the vacated hex",
    "stay": "Stay where they are",
    "station": "Leave the Air Unit with",
    "swap": "Switch the markers of",
    "pretend": "Pretend to switch the markers of",
    "return": "Bring back {} at {}",
    "displace": "Displace {} to {}",
    "offensive": "Make a Planned Offensive with",
    "flotilla": "Place the flotilla between",
    "winter_offensive": "Call the Winter Offensive",
    "switch": "Make the Supply Point mobile or not",
    "transfer": "Transfer to",
    "spend": "Spend {} to make ready",
    "assign": "Give {} Holding Box",
    "join": "Add {} to {}",
    "into": "Put it into",
    "call": "Bring out",
    "emerge": "Come out of the Holding Box",
    "absorb": "Give an extra step to",
    "release": "Release",
    "ready": "Make ready again",
    "place": "Return to",
    "exclude": "Leave out",
    "keep": "Leave in Full Retreat",
    "stock": "Place a Supply Point with",
    "intrude": "Enter the city with",
    "raze": "Give up the fortification in",
}


def side_pieces(g: Board, side: Side | None) -> list[Piece]:
    """The counters as one side sees them: a Reserve Army's Holding Box is known to the Soviet player alone (34.1.2)."""
    found = pieces(g, (u for u, pool in enumerate(g.pool) if pool == IN_PLAY), _shown, _piece)
    notes = {g.forces.ids[u]: f"holding box {box_of(g, u)}" for u in armies(g) if shows_box(g, u, side)}
    return [replace(p, note=notes[p.id]) if p.id in notes else p for p in found] if notes else found


def _shown(g: Board, u: Unit) -> tuple[int, ...]:
    """All a counter shows that can change."""
    return g.place[u], g.inside[u], g.steps[u], g.status[u], g.offensives[u]


def _piece(g: Board, u: Unit) -> Piece:
    f = g.forces
    status = status_words(g.status[u], SHOWN)
    if g.status[u] & Status.FLIPPED:
        status.append("ready" if f.is_supply_point(u) else "used")
    if g.offensives[u]:
        status.append("planned offensive")
    return Piece(
        id=f.ids[u],
        side=SIDES[f.side[u]],
        place=f"holding box {g.inside[u]}" if g.inside[u] > 0 else g.place_name(g.place[u]),
        name=f.names[u],
        kind=KINDS.get(f.type[u], f.type[u]),
        size=SIZE_SIGNS.get(f.size[u], ""),
        values=str(g.face(u)),
        steps=g.steps[u],
        full_steps=f.full_steps[u],
        nation=f.nation[u],
        elite=f.quality[u],
        status=status,
        dot="" if f.dot[u] == "none" else f.dot[u],
        formation=f.formations[u][0] if f.formations[u] else "",
    )


def shows_box(g: Board, u: Unit, side: Side | None) -> bool:
    """Whether a side may know which Holding Box is a Reserve Army's."""
    return is_army(g, u) and (side == SOVIET or bool(g.status[u] & Status.REMOVED_NEXT)) and box_of(g, u) > 0


def side_view(g: Board, side: Side | None) -> SideView:
    """The table as that side sees it."""
    phase = PHASES[g.phase] if 0 <= g.phase < len(PHASES) else ""
    tracks = [
        Track("turn", g.turn, low=g.scenario.first_turn, high=g.scenario.last_turn),
        Track("weather", g.weather, g.weather_word.replace("_", "-")),
        Track("victory points", g.vp),
    ]
    return SideView(
        turn=f"Turn {g.turn}",
        phase=f"{('Axis', 'Soviet')[g.phasing]} {phase} phase",
        pieces=side_pieces(g, side),
        markers=_markers(g),
        tracks=tracks,
        control=_control(g),
    )


def _control(g: Board) -> dict[str, str]:
    owners, known, grid = bytes(g.control), _memo_of_control(g), g.map.grid
    if owners not in known:
        known.clear()
        known[owners] = {grid.name(h): SIDES[c - 1] for h, c in enumerate(owners[: grid.size]) if c}
    return known[owners]


@fact(FOREVER)
def _memo_of_control(g: Board) -> dict[bytes, dict[str, str]]:
    """The last answer only."""
    return {}


def _markers(g: Board) -> list[Marker]:
    found = []
    for s in (AXIS, SOVIET):
        for h in members(g.fort_hexes[s]):
            state = g.fort_of(h)
            text = "under construction" if state is not None and state[1] == BEGUN else ""
            found.append(Marker("fortification", g.hex_name(h), text, SIDES[s]))
    found.extend(Marker("railhead", g.hex_name(h), side="axis") for h in g.railheads if h != NOWHERE)
    if any(g.city_battle):
        for h in (h for h in g.map.grid.hexes if g.city_battle[h]):
            found.append(Marker("city battle", g.hex_name(h), str(g.city_battle[h] & 3)))
    if g.flotilla:
        found.append(Marker("flotilla", "", side="soviet", hexside=g.map.grid.hexside_name(g.flotilla - 1)))
    return found
