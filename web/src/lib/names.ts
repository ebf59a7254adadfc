// Names of places that can be read from far away: the greatest of them, none on top of another.
import type { MapSheet } from './map'

/** So many names there are at least, of as few ranks as that takes. */
const FEW = 8
/** So wide a letter is, in the size of the writing. */
const LETTER = 0.56

export interface Name {
  name: string
  x: number
  y: number
  rank: number
  size: number
  great: boolean
}

/** Half of what a name takes up around its middle. */
export const half = (n: Name): { x: number; y: number; w: number; h: number } => ({
  x: n.x, y: n.y - n.size * 0.35, w: (n.name.length * LETTER * n.size) / 2, h: n.size * 0.6,
})

/** `unit` is how many units of the map one pixel of the screen is; names keep within the edges of the map. */
export function farNames(cities: MapSheet['cities'], unit: number, left = -Infinity, right = Infinity): Name[] {
  const ranks = [...new Set(cities.map((c) => c.rank))]
  let least = ranks[0] ?? 0
  for (const rank of ranks) {
    least = rank
    if (cities.filter((c) => c.rank >= rank).length >= FEW) break
  }
  const placed: Name[] = []
  for (const c of cities.filter((c) => c.rank >= least)) {
    const great = c.rank === ranks[0] && c.rank > 2
    const name = { ...c, great, size: (great ? 15 : 13) * unit }
    const { w } = half(name)
    name.x = Math.min(Math.max(name.x, left + w), right - w)
    const a = half(name)
    const free = placed.every((other) => {
      const b = half(other)
      return Math.abs(a.x - b.x) > a.w + b.w || Math.abs(a.y - b.y) > a.h + b.h
    })
    if (free) placed.push(name)
  }
  return placed
}
