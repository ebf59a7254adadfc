// Names of places that can be read from far away: the greatest of them, none on top of another.
import type { Label, MapSheet } from './map'

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

type Box = Pick<Label, 'left' | 'right' | 'top' | 'bottom'>
const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
const shifted = (a: Box, x: number, y: number): Box => ({ left: a.left + x, right: a.right + x, top: a.top + y, bottom: a.bottom + y })
/** So far a name may move away from its sign, across and up or down. */
const ACROSS = [0, 12, -12, 24, -24, 36, -36, 48, -48]
const DOWN = [0, 8, -8, 16, -16, 24, -24, 32, -32, 40, -40]
const WAYS = ACROSS.flatMap((x) => DOWN.map((y) => ({ x, y }))).sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y))

/** How far each name must move to be read beside these counters: as little as possible, and not onto another name. One
 * that has no room stays where it is drawn. */
export function aside(labels: Label[], counters: Box[]): { x: number; y: number }[] {
  const free = { x: 0, y: 0 }
  return labels.map((label) => {
    const near = counters.filter((c) => meet(c, { left: label.left - 48, right: label.right + 48, top: label.top - 40, bottom: label.bottom + 40 }))
    if (!near.some((c) => meet(c, label))) return free
    const others = labels.filter((l) => l !== label && Math.abs(l.left - label.left) < 260 && Math.abs(l.top - label.top) < 80)
    return WAYS.find(({ x, y }) => {
      const there = shifted(label, x, y)
      return !near.some((c) => meet(c, there)) && !others.some((l) => meet(l, there))
    }) ?? free
  })
}
