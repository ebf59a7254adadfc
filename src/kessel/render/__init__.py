"""Maps, counters and boards as pictures and text: pure functions of what `core` knows.

| for | call |
| --- | --- |
| a map as SVG | `map_svg(map, area=..., view=..., highlights=..., title=...)` |
| where its hexes lie | `layout(map)` |
| a counter | `counter_svg(piece)`, `counter_document(piece)`, `stack_svg(pieces)`, `face_key(piece)` |
| a file | `write_picture(svg, path, zoom=...)` for .svg and .png |
| a terminal | `text_board(board_or_map, area=..., view=..., marks=...)` |
"""

from kessel.render.board import LAYERS, Highlight, Layout, layout, map_signs, map_svg
from kessel.render.counters import CounterStyle, counter_document, counter_svg, face_key, marker_svg, stack_svg
from kessel.render.picture import png, write_picture
from kessel.render.text import text_board

__all__ = [
    "LAYERS",
    "CounterStyle",
    "Highlight",
    "Layout",
    "counter_document",
    "counter_svg",
    "face_key",
    "layout",
    "map_signs",
    "map_svg",
    "marker_svg",
    "png",
    "stack_svg",
    "text_board",
    "write_picture",
]
