"""Unit symbols in the NATO manner, put together from a few strokes.

A symbol is drawn in a frame 30 wide and 20 high around the point 0,0. What a kind of unit shows is a list of parts;
a kind without an entry shows its first letters, so that no unit is ever nameless.
"""

from __future__ import annotations

from xml.sax.saxutils import escape as xml_escape

LINE = 'fill="none" stroke="{ink}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"'
SOLID = 'fill="{ink}"'
OPEN = 'fill="{box}" stroke="{ink}" stroke-width="1.3"'


def _disc(x: float, y: float, r: float) -> str:
    return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 0 {2 * r:g} 0 {r:g} {r:g} 0 1 0 {-2 * r:g} 0z"


PARTS: dict[str, tuple[str, str]] = {
    "cross": (LINE, "M-15-10 15 10M-15 10 15-10"),
    "slash": (LINE, "M-15 10 15-10"),
    "track": (LINE, "M-6.5-5.2h13a5.2 5.2 0 0 1 0 10.4h-13a5.2 5.2 0 0 1 0-10.4z"),
    "ball": (SOLID, _disc(0, 0, 4.4)),
    "small_ball": (SOLID, _disc(0, 0, 2.6)),
    "two_wheels": (OPEN, _disc(-8.4, 10, 2.6) + _disc(8.4, 10, 2.6)),
    "bicycle": (OPEN, _disc(-3.6, 10, 2.6) + _disc(3.6, 10, 2.6)),
    "halftrack": (OPEN, _disc(-8.4, 10, 2.6) + "M-1 7.6h10a2.4 2.4 0 0 1 0 4.8h-10a2.4 2.4 0 0 1 0-4.8z"),
    "mountain": (SOLID, "M-5 10 0 1.5 5 10z"),
    "skis": (LINE, "M-8 4.5 2 9.5M8 4.5-2 9.5M-8 4.5l-.6-2.2M8 4.5l.6-2.2"),
    "bridge": (LINE, "M-9 5v-8h18v8M0-3v8"),
    "chevron": (LINE, "M-15 10 0-10 15 10"),
    "dome": (LINE, "M-15 10q15-17 30 0"),
    "anchor": (LINE, "M0-7.5V7M-3.4-4h6.8M-6.5 2q1 5.5 6.5 6 5.5-.5 6.5-6"),
    "wings": (LINE, "M-8 6q4-5 8 0 4-5 8 0"),
    "middle": (LINE, "M0-10v20"),
    "low_line": (LINE, "M-15 4h30"),
    "top_bar": (SOLID, "M-15-10h30v5.5h-30z"),
    "left_bar": (SOLID, "M-15-10h5v20h-5z"),
    "propeller": (SOLID, "M0 0C-4-6-13-6-13 0S-4 6 0 0C4-6 13-6 13 0S4 6 0 0z"),
    "up_arrow": (LINE, "M0 2v-9m-2.8 3L0-7l2.8 3"),
    "rockets": (LINE, "M-5-1.5 0-5.5 5-1.5M-5-5 0-9 5-5"),
    "star": (SOLID, "m0-8.5 2.2 5.6 6 .3-4.7 3.8 1.6 5.8L0 3.7l-5.1 3.3 1.6-5.8-4.7-3.8 6-.3z"),
    "crest": (SOLID, "M-15-10h30v4h-4v-2.4h-4v2.4h-4v-2.4h-6v2.4h-4v-2.4h-4v2.4h-4z"),
    "tank": (
        SOLID,
        "M-13 4.5q0-3 3-3h2l1.5-4.2q.4-1.3 1.8-1.3h7q1.4 0 1.7 1.2l.3 1h10v1.8h-9.6l.5 1.5h4.8q3 0 3 3 0 4-4 4"
        "h-18q-4 0-4-4z",
    ),
    "assault_gun": (
        SOLID,
        "M-13 4.5q0-3.2 3-3.2l2-4.3h10.5l1.6 2h9.9v1.8h-8.2l1 .5h3.2q3 0 3 3.2 0 4-4 4h-18q-4 0-4-4z",
    ),
    "boat": (SOLID, "M-13 3h26l-3.5 5.5h-18zm5-1.2v-4h5v-4h4v4h4v4z"),
    "train": (SOLID, "M-13-5h8v6h10v-3.5h8v8h-26z" + _disc(-8, 8, 2) + _disc(0, 8, 2) + _disc(8, 8, 2)),
    "plane": (
        SOLID,
        "M0-9.5q1.5 0 1.6 3l.1 2.5 11.8 4v2.6l-11.7-1-.5 5 3.4 1.7v1.7l-4.7-.7-4.7.7v-1.7l3.4-1.7-.5-5-11.7 1v-2.6"
        "l11.8-4 .1-2.5q.1-3 1.6-3z",
    ),
    "heavy_plane": (
        SOLID,
        "M0-9.5q1.6 0 1.7 3l.1 2 2.6.6v-2.6h1.6v3l8.5 2.2v2.6l-12.8-.8-.5 5 3.6 1.7v1.7l-4.8-.7-4.8.7v-1.7l3.6-1.7"
        "-.5-5-12.8.8v-2.6l8.5-2.2v-3h1.6v2.6l2.6-.6.1-2q.1-3 1.7-3z",
    ),
    "crates": (LINE, "M-9 8v-8h8v8zM1 8v-8h8v8zM-4 0v-8h8v8"),
    "truck": (SOLID, "M-12-6h14v9h-14zm15 3h5l3.5 4v2h-8.5z" + _disc(-6.7, 6, 2.3) + _disc(6.3, 6, 2.3)),
}

BARE = {"tank", "assault_gun", "boat", "train", "plane", "heavy_plane", "truck", "star", "crates"}
"""Parts that are pictures: a symbol made of them has no frame."""

KINDS: dict[str, tuple[str, ...]] = {
    "infantry": ("cross",),
    "rifle": ("cross",),
    "regiment": ("cross",),
    "guards_infantry": ("cross",),
    "motorized": ("cross", "two_wheels"),
    "motorized_infantry": ("cross", "two_wheels"),
    "trucked_infantry": ("cross", "two_wheels"),
    "halftrack_infantry": ("cross", "halftrack"),
    "mechanized": ("cross", "track"),
    "mech": ("cross", "track"),
    "panzergrenadier": ("cross", "track"),
    "armor": ("track",),
    "armour": ("track",),
    "panzer": ("track",),
    "heavy_armor": ("track", "left_bar"),
    "tank_destroyer": ("track", "chevron"),
    "pzjg": ("track", "chevron"),
    "mech_anti_tank": ("chevron", "two_wheels"),
    "anti_tank": ("chevron",),
    "antitank": ("chevron",),
    "armored_cavalry": ("slash", "track"),
    "assault_gun": ("assault_gun",),
    "sturmgeschuetz": ("assault_gun",),
    "tank": ("track",),
    "t34": ("tank",),
    "t70": ("tank",),
    "kv1": ("tank",),
    "pz2": ("tank",),
    "pz3": ("tank",),
    "pz4": ("tank",),
    "tiger": ("tank",),
    "cavalry": ("slash",),
    "recon": ("slash", "track"),
    "reconnaissance": ("slash", "track"),
    "motorcycle": ("slash", "two_wheels"),
    "bicycle": ("cross", "bicycle"),
    "mountain": ("cross", "mountain"),
    "jaeger": ("cross", "=J"),
    "ski": ("cross", "skis"),
    "parachute": ("cross", "wings"),
    "airborne": ("cross", "wings"),
    "naval": ("cross", "anchor"),
    "marine": ("cross", "anchor"),
    "engineer": ("bridge",),
    "pioneer": ("bridge",),
    "sturm": ("cross", "middle"),
    "machine_gun": ("=MG",),
    "mortar": ("small_ball", "up_arrow"),
    "artillery": ("ball",),
    "rocket": ("small_ball", "rockets"),
    "rocket_artillery": ("small_ball", "rockets"),
    "self_propelled_artillery": ("ball", "track"),
    "anti_aircraft": ("dome",),
    "flak": ("dome",),
    "security": ("cross", "=S"),
    "police": ("=POL",),
    "nkvd": ("=NKVD",),
    "militia": ("cross", "=M"),
    "partisan": ("=P",),
    "fortress": ("cross", "crest"),
    "fortified": ("cross", "crest"),
    "static": ("cross", "crest"),
    "training": ("cross", "=T"),
    "ersatz": ("cross", "=E"),
    "alarm": ("cross", "=A"),
    "kampfgruppe": ("=KG",),
    "battlegroup": ("=KG",),
    "remnant": ("=R",),
    "headquarters": ("=HQ",),
    "hq": ("=HQ",),
    "army_hq": ("top_bar", "=HQ"),
    "support_hq": ("top_bar", "=HQ"),
    "leader": ("star",),
    "reserve_army": ("=RES",),
    "supply": ("low_line",),
    "supply_unit": ("low_line",),
    "depot": ("crates",),
    "truck": ("truck",),
    "transport_column": ("truck",),
    "air": ("propeller",),
    "fighter": ("plane",),
    "dive_bomber": ("plane",),
    "ground_attack": ("plane",),
    "bomber": ("heavy_plane",),
    "transport": ("heavy_plane",),
    "armored_train": ("train",),
    "railhead": ("train",),
    "flotilla": ("boat",),
    "boat": ("boat",),
    "signals": ("=SIG",),
    "mechanized_infantry": ("cross", "track"),
    "airborne_infantry": ("cross", "wings"),
    "fusilier": ("cross", "=F"),
    "fortified_area": ("cross", "crest"),
    "partisans": ("=P",),
    "assault_engineer": ("bridge", "middle"),
    "construction_engineer": ("bridge", "low_line"),
    "bridge_engineer": ("bridge", "two_wheels"),
    "heavy_artillery": ("ball", "left_bar"),
    "super_heavy_artillery": ("ball", "left_bar", "top_bar"),
    "mortar_artillery": ("small_ball", "up_arrow"),
    "barrage": ("ball", "rockets"),
    "at_gun": ("chevron",),
    "flak_88": ("dome", "chevron"),
    "sdm": ("truck",),
    **dict.fromkeys(("PzIII", "PzIV", "PzV", "PzVI", "T-34", "M4", "IS-1"), ("tank",)),
    **dict.fromkeys(("StuG", "Marder", "SU-76", "SU-85", "SU-122", "SU-152"), ("assault_gun",)),
}


def escape(text: str) -> str:
    """Somebody's text as part of a drawing, also within quotes; signs that no drawing may hold are left out."""
    return xml_escape("".join(c for c in text if c.isprintable()), {'"': "&quot;"})


def symbol(kind: str, *, ink: str, box: str) -> str:
    """The symbol of a kind of unit, frame included, around 0,0."""
    parts = KINDS.get(kind) or ("=" + initials(kind),)
    body = ""
    if not BARE & set(parts):
        body = f'<path fill="{box}" stroke="{ink}" stroke-width="1.5" d="M-15-10h30v20h-30z"/>'
    for part in parts:
        if part.startswith("="):
            body += _letters(part[1:], "top_bar" in parts, "cross" in parts, ink, box)
        else:
            paint, data = PARTS[part]
            body += f'<path {paint.format(ink=ink, box=box)} d="{data}"/>'
    return body


def _letters(text: str, low: bool, on_cross: bool, ink: str, box: str) -> str:
    size = 10.5 if low else 12.0 if len(text) <= 2 else 9.5 if len(text) == 3 else 8.0
    y = 6.8 if low else size * 0.35
    halo = f' stroke="{box}" stroke-width="3" paint-order="stroke"' if on_cross else ""
    return (
        f'<text y="{y:.3g}" font-size="{size:g}" font-weight="700" text-anchor="middle" fill="{ink}"{halo}>'
        f"{escape(text)}</text>"
    )


def initials(kind: str) -> str:
    """A short text for a kind that has no symbol: its words' initials, or its first letters."""
    parts = [w for w in kind.replace("-", "_").split("_") if w]
    if len(parts) > 1:
        return "".join(w[0] for w in parts[:4]).upper()
    return (parts[0][:3] if parts else "?").upper()
