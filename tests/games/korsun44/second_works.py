"""The second implementation: engineering (15.0, 18.3.1, 18.8, 18.9), from the text and the JSON of a position alone."""

from __future__ import annotations

from typing import Any

from .second import BAD, OUT, Man, World, printed, zones
from .second_points import engineer_near
from .second_supply import ROADS

FORMER = {"engineer", "construction_engineer", "bridge_engineer", "assault_engineer"}


class Works:
    """What one side may do in its Engineering Phase."""

    def __init__(self, w: World, doc: dict[str, Any], side: str) -> None:
        self.w, self.doc, self.side = w, doc, side
        self.enemy = "soviet" if side == "german" else "german"
        zoc, zoi = zones(w, self.enemy)
        self.zoned = zoc | zoi
        self.points = {x["id"]: x.get("sp", 0) for x in doc["units"] if printed()[x["id"]]["role"] == "sdm"}
        self.payer = {x["id"]: x.get("supplied_by", "") for x in doc["units"]}
        self.tracks = doc.get("tracks", {})

    # --- who ---

    def engineers(self, kinds: frozenset[str] = frozenset()) -> list[Man]:
        """15.0, 12.17.2.7 Engineers on the map in good order."""
        mine = [m for m in self.w.men if m.at and m.side == self.side and m.engineer and not m.marks & BAD]
        return [m for m in mine if not kinds or m.engineer & kinds]

    def pays(self, m: Man) -> bool:
        """13.5.1, 14.3 Whether a unit is in supply and its own SDM has a point."""
        sdm = self.payer.get(m.id, "")
        return not m.marks & OUT and bool(sdm) and self.points[sdm] > 0

    # --- bridges ---

    def holds(self, a: str, b: str) -> bool:
        """15.2.2 Both hexes under control; a friend in each that lies in an enemy zone."""
        w = self.w
        if not all(w.holds(h, self.side) for h in (a, b)):
            return False
        return all(h not in self.zoned or bool(w.here(h, self.side)) for h in (a, b))

    def printed_bridge(self, key: str) -> str:
        """The state of the printed bridge over a hexside; empty where there is none."""
        a, b = key.split("|")
        if not self.w.water(a, b) & {"river", "stream"} or not self.w.links.get(frozenset((a, b))):
            return ""
        for x in self.w.bridges.get(frozenset((a, b)), []):
            if x.get("kind", "printed") == "printed":
                return str(x.get("state", "intact"))
        return "intact"

    def built(self, key: str) -> list[dict[str, Any]]:
        return [x for x in self.w.bridges.get(frozenset(key.split("|")), []) if x.get("kind", "printed") != "printed"]

    def stands(self, key: str) -> bool:
        return self.printed_bridge(key) == "intact" or any(
            x.get("state", "intact") == "intact" for x in self.built(key)
        )

    def repairs_stream(self, key: str) -> bool:
        """15.2.2.1, 15.2.2.2 Whether a destroyed bridge over a stream repairs itself in this side's phase."""
        a, b = key.split("|")
        w = self.w
        if self.printed_bridge(key) != "destroyed" or w.water(a, b) & {"river"} or not self.holds(a, b):
            return False
        if self.railroad(a, b):
            return False
        near = any(min(w.far(m.at, a), w.far(m.at, b)) <= 3 for m in self.engineers())
        beside = self.side == "soviet" and any(m.size == "division" for h in (a, b) for m in w.here(h, "soviet"))
        return near or beside

    def repair(self, key: str) -> set[str]:
        """15.2.2.3 Who may begin to repair a destroyed river bridge."""
        a, b = key.split("|")
        w = self.w
        if self.printed_bridge(key) != "destroyed" or "river" not in w.water(a, b) or not self.holds(a, b):
            return set()
        if self.railroad(a, b):
            return set()
        return {m.id for m in self.engineers() if m.at in (a, b) and self.pays(m)}

    def build(self, key: str) -> set[str]:
        """15.2.3 Army and korps engineers make new bridges."""
        a, b = key.split("|")
        if not self.w.water(a, b) & {"river", "stream"} or self.stands(key) or not self.holds(a, b):
            return set()
        if any(x.get("state") == "building" for x in self.built(key)) or self.printed_bridge(key) == "repairing":
            return set()
        makers = self.engineers(frozenset({"korps" if self.side == "german" else "army"}))
        return {m.id for m in makers if m.at in (a, b) and self.pays(m)}

    def lay(self, key: str) -> set[str]:
        """15.2.4 K and J engineers lay a bridge; a German stands in the other hex if a Soviet zone covers it."""
        a, b = key.split("|")
        w = self.w
        if self.side != "german" or not w.water(a, b) & {"river", "stream"} or self.stands(key):
            return set()
        if any(x.get("state") == "building" for x in self.built(key)):
            return set()
        found = set()
        for m in self.engineers(frozenset({"bridge_K", "bridge_J"})):
            if m.at not in (a, b):
                continue
            other = b if m.at == a else a
            if other in w.held(self.enemy) or (other in self.zoned and not w.here(other, self.side)):
                continue
            found.add(m.id)
        return found

    def improve(self, key: str) -> set[str]:
        """18.3.1 Engineers of korps level, of construction and of bridges make one carry heavy tanks."""
        a, b = key.split("|")
        w = self.w
        if self.side != "german" or "bridge_collapse" not in w.options or self.printed_bridge(key) != "intact":
            return set()
        marked = any(x.get("ok") for x in w.bridges.get(frozenset((a, b)), []))
        if marked or not all(w.holds(h, self.side) for h in (a, b)):
            return set()
        kinds = frozenset({"korps", "construction", "bridge_K", "bridge_J"})
        return {m.id for m in self.engineers(kinds) if m.at in (a, b) and self.pays(m)}

    def railroad(self, a: str, b: str) -> bool:
        """15.2.2.1 A bridge of the railroad alone."""
        return self.w.links[frozenset((a, b))] == {"railroad"}

    def destroy(self, key: str) -> bool:
        """15.2.1 One's own bridge, with an engineer in reach."""
        a, b = key.split("|")
        if not self.stands(key) or not engineer_near(self.w, self.side, (a, b)):
            return False
        good = [x for x in self.w.bridges.get(frozenset((a, b)), []) if x.get("state", "intact") == "intact"]
        first = sorted(good, key=lambda x: x.get("kind", "printed") != "printed")
        return bool(first) and first[0].get("owner") == self.side

    # --- works ---

    def dig(self) -> set[str]:
        """15.1.1"""
        w, found = self.w, set()
        for m in self.engineers():
            plain = w.terrain(m.at) == "clear" and not w.has(m.at, "village")
            if self.side == "german" and plain and m.at not in w.positions and "attacked" not in m.marks:
                found |= {m.id} if self.pays(m) else set()
        return found

    def lay_mines(self) -> set[str]:
        """15.3.1 Divisions and army engineers, in clear hexes and villages, paid by the army's SDM."""
        w, found = self.w, set()
        if self.side != "soviet" or self.tracks.get("mines_left", 0) < 1:
            return found
        for m in w.men:
            able = m.size == "division" or "army" in m.engineer
            if not m.at or m.side != "soviet" or m.marks & BAD or not able or m.at in self.doc["minefields"]:
                continue
            if w.terrain(m.at) == "clear" and self.pays(m):
                found.add(m.id)
        return found

    def lift_mines(self) -> set[str]:
        """15.3.3.1 Any Soviet engineer in the hex."""
        if self.side != "soviet":
            return set()
        return {m.id for m in self.engineers() if m.at in self.doc["minefields"]}

    def repair_rail(self) -> set[str]:
        """15.2.5 A construction engineer of a korps in the hex of a cut, paid by its korps SDM."""
        cut = {*self.doc.get("rail_cuts", []), *self.doc.get("rail_repairs", [])}
        if self.side != "german":
            return set()
        return {m.id for m in self.engineers(frozenset({"construction"})) if m.at in cut and self.pays(m)}

    def airfield(self) -> set[str]:
        """18.8 Korps engineers, on a road in clear terrain within six hexes of Korsun."""
        w, korsun = self.w, self.korsun()
        if self.side != "german" or "alternate_airfield" not in w.options or not korsun:
            return set()
        if self.tracks.get("korsun_sp", 0) < 2 or self.tracks.get("airfield_state", 0):
            return set()
        return {
            m.id
            for m in self.engineers(frozenset({"korps"}))
            if w.terrain(m.at) == "clear" and self.on_road(m.at) and w.far(m.at, korsun) <= 6 and not m.marks & OUT
        }

    def depot(self) -> set[tuple[str, str]]:
        """18.9 Korps engineers, on a road within ten hexes of Korsun or of the airfield."""
        w, korsun = self.w, self.korsun()
        if self.side != "german" or "alternate_depot" not in w.options or not korsun:
            return set()
        if self.tracks.get("depot_state", 0):
            return set()
        stocks = [x for x, track in (("korsun", "korsun_sp"), ("airfield", "airfield_sp")) if self.tracks.get(track, 0)]
        return {
            (m.id, stock)
            for m in self.engineers(frozenset({"korps"}))
            for stock in stocks
            if self.on_road(m.at) and w.far(m.at, korsun) <= 10 and not m.marks & OUT
        }

    def korsun(self) -> str:
        return next((h for h, said in self.w.hexes.items() if said.get("name") == "Korsun"), "")

    def on_road(self, h: str) -> bool:
        return any(self.w.links.get(frozenset((h, x)), set()) & ROADS for x in self.w.around(h))

    # --- the list ---

    def wet(self) -> list[str]:
        return ["|".join(sorted(k)) for k in self.w.sides if self.w.sides[k] & {"river", "stream"}]

    def legal(self) -> set[str]:
        """All that the side may do, in the words of the answer; hexsides as sets of hexes do not read alike."""
        found = {f"dig {m}" for m in self.dig()} | {f"lay_mines {m}" for m in self.lay_mines()}
        found |= {f"lift_mines {m}" for m in self.lift_mines()} | {f"repair_rail {m}" for m in self.repair_rail()}
        found |= {f"level {h}" for h in self.w.positions if self.side == "german"}
        found |= {f"build_airfield {m}" for m in self.airfield()}
        found |= {f"build_depot {m} from {x}" for m, x in self.depot()}
        for key in self.wet():
            for verb, who in (("repair", self.repair(key)), ("build", self.build(key)), ("lay_bridge", self.lay(key)),
                              ("improve", self.improve(key))):  # fmt: skip
                found |= {f"{verb} {key} by {m}" for m in who}
            found |= {f"destroy {key}"} if self.destroy(key) else set()
        return {*found, "pass"} if found else set()
