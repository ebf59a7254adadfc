// Shapes drawn over the map, as path data.
import type { MapSheet } from './map'

const at = (n: number): string => n.toFixed(1)

export function outlines(map: MapSheet, places: Iterable<string>): string {
  let d = ''
  for (const id of places) {
    const h = map.hexes.get(id)
    const b = map.boxes.get(id)
    if (h) d += map.outline.replace(/(-?[\d.]+) (-?[\d.]+)/g, (_, x, y) => `${at(+x + h.x)} ${at(+y + h.y)}`)
    else if (b) d += `M${b.x} ${b.y}h${b.width}v${b.height}h${-b.width}z`
  }
  return d
}

/** The border of a region alone: the hexsides that only one of its hexes has. */
export function border(map: MapSheet, places: Iterable<string>): string {
  const inside = new Set(places)
  let d = ''
  for (const s of map.hexsides) if (inside.has(s.a) !== inside.has(s.b)) d += s.d
  return d
}

/** A line through the middle of these places. */
export function line(map: MapSheet, places: Iterable<string>): string {
  const points = [...places].map((p) => map.middle(p)).filter((p) => p !== null)
  return points.length > 1 ? 'M' + points.map((p) => `${p.x} ${p.y}`).join('L') : ''
}
