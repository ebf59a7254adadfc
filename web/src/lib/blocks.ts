// Formations as blocks, for a map seen from far away: name, strength, steps left; beside their units, away from the
// enemy, and never on top of each other. A single unit needs no block. Strength is the sum of the first number printed on each counter.
import type { Piece } from '../api/types'
import type { MapSheet } from './map'

export interface Block {
  key: string
  name: string
  side: number
  units: number
  strength: string
  /** Share of all steps that is left. */
  left: number
  /** Where its units are, on the average. */
  x: number
  y: number
  /** The middle of the block. */
  bx: number
  by: number
}

export const WIDE = 92
export const HIGH = 30

const first = (values: string): number | null => {
  const found = /\d+/.exec(values)
  return found ? Number(found[0]) : null
}

/** `unit` is how many units of the map one pixel of the screen is. */
export function blocks(map: MapSheet, pieces: Piece[], sides: string[], unit: number): Block[] {
  const by = new Map<string, Piece[]>()
  for (const p of pieces) {
    if (!p.formation || !map.hexes.has(p.place)) continue
    const key = `${p.side}/${p.formation}`
    by.set(key, [...(by.get(key) ?? []), p])
  }
  const made = [...by].filter(([, units]) => units.length > 1).map(([key, units]): Block => {
    const spots = units.map((p) => map.hexes.get(p.place)).filter((s) => s !== undefined)
    const x = spots.reduce((n, s) => n + s.x, 0) / spots.length
    const y = spots.reduce((n, s) => n + s.y, 0) / spots.length
    const known = units.map((p) => first(p.values))
    const sum = known.reduce((a: number, b) => a + (b ?? 0), 0)
    const steps = units.reduce((n, p) => n + p.steps, 0)
    const full = units.reduce((n, p) => n + Math.max(p.full_steps, p.steps), 0)
    return {
      key, name: units[0]?.formation ?? '', side: sides.indexOf(units[0]?.side ?? ''), units: units.length,
      strength: known.includes(null) && !sum ? '' : String(sum), left: full ? steps / full : 1, x, y, bx: x, by: y,
    }
  })
  for (const b of made) {
    const foe = nearest(b, made.filter((o) => o.side !== b.side))
    const away = foe ? Math.sign(b.x - foe.x) || 1 : 1
    b.bx = b.x + away * 95 * unit
  }
  apart(made, WIDE * unit + 6 * unit, HIGH * unit + 6 * unit)
  const inside = (n: number, low: number, high: number) => Math.min(Math.max(n, low), high)
  for (const b of made) {
    b.bx = inside(b.bx, map.left + (WIDE * unit) / 2, map.left + map.width - (WIDE * unit) / 2)
    b.by = inside(b.by, map.top + (HIGH * unit) / 2, map.top + map.height - (HIGH * unit) / 2)
  }
  return made
}

function nearest(b: Block, others: Block[]): Block | undefined {
  let best: Block | undefined
  for (const o of others) if (!best || Math.hypot(o.x - b.x, o.y - b.y) < Math.hypot(best.x - b.x, best.y - b.y)) best = o
  return best
}

/** Push blocks that overlap apart, the shorter way. */
export function apart(all: { bx: number; by: number }[], wide: number, high: number): void {
  for (let round = 0; round < 200; round++) {
    let moved = false
    for (let i = 0; i < all.length; i++)
      for (let j = i + 1; j < all.length; j++) {
        const a = all[i]
        const b = all[j]
        if (!a || !b) continue
        const dx = wide - Math.abs(a.bx - b.bx)
        const dy = high - Math.abs(a.by - b.by)
        if (dx <= 0.01 || dy <= 0.01) continue
        moved = true
        if (dx < dy) {
          const push = (dx / 2) * (a.bx <= b.bx ? 1 : -1)
          a.bx -= push
          b.bx += push
        } else {
          const push = (dy / 2) * (a.by < b.by || (a.by === b.by && i < j) ? 1 : -1)
          a.by -= push
          b.by += push
        }
      }
    if (!moved) return
  }
}
