// Formations as blocks, for a map seen from far away: name, strength, steps left; beside their units, away from the
// enemy, and never on top of each other. A single unit needs no block. Strength is the sum of the first number printed on each counter, with a plus where some are hidden.
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
/** So wide a letter on a block is, in pixels. */
const LETTER = 7.6
/** Of more formations than this, those above them are drawn. */
const MANY = 12

/** What of a name fits beside the strength: its first words, or what is left of the first. */
export function fitting(name: string, strength: string): string {
  const room = Math.floor((WIDE - 22 - strength.length * LETTER) / LETTER)
  const words = name.split(' ')
  while (words.length > 1 && words.join(' ').length > room) words.pop()
  const kept = words.join(' ')
  return kept.length > room ? `${kept.slice(0, room - 1)}…` : kept
}

/** Units by side and formation; where those are many, by the formation above. */
function grouped(pieces: Piece[]): Map<string, Piece[]> {
  const by = (above: Set<string>) => {
    const found = new Map<string, Piece[]>()
    for (const p of pieces) {
      const words = p.formation.split(' ')
      const name = above.has(p.side) && words.length > 1 ? words.slice(1).join(' ') : p.formation
      const key = `${p.side}/${name}`
      found.set(key, [...(found.get(key) ?? []), p])
    }
    for (const [key, units] of found) if (units.length < 2) found.delete(key)
    return found
  }
  const fine = by(new Set())
  const count = (side: string) => [...fine.keys()].filter((k) => k.startsWith(`${side}/`)).length
  return by(new Set([...new Set(pieces.map((p) => p.side))].filter((side) => count(side) > MANY)))
}

/** The formation itself, without those above it. */
const nameOf = (key: string): string => key.slice(key.indexOf('/') + 1).split(' ')[0] ?? ''

const first = (values: string): number | null => {
  const found = /\d+/.exec(values.split('-')[0] ?? '')
  return found ? Number(found[0]) : null
}

/** `unit` is how many units of the map one pixel of the screen is; blocks keep off what is `taken`. */
export function blocks(map: MapSheet, pieces: Piece[], sides: string[], unit: number, taken: Box[] = []): Block[] {
  const by = grouped(pieces.filter((p) => p.formation && map.hexes.has(p.place)))
  const all = pieces.map((p) => ({ side: sides.indexOf(p.side), ...map.hexes.get(p.place) })).filter(isSpot)
  const made = [...by].map(([key, units]): Block => {
    const spots = units.map((p) => map.hexes.get(p.place)).filter((s) => s !== undefined)
    const x = spots.reduce((n, s) => n + s.x, 0) / spots.length
    const y = spots.reduce((n, s) => n + s.y, 0) / spots.length
    const known = units.map((p) => first(p.values))
    const sum = known.reduce((a: number, b) => a + (b ?? 0), 0)
    const open = units.filter((p) => p.steps) // of others the steps left are hidden
    const steps = open.reduce((n, p) => n + p.steps, 0)
    const full = open.reduce((n, p) => n + Math.max(p.full_steps, p.steps), 0)
    return {
      key, name: nameOf(key), side: sides.indexOf(units[0]?.side ?? ''), units: units.length,
      strength: known.includes(null) && !sum ? '' : `${sum}${open.length < units.length ? '+' : ''}`, left: full ? steps / full : 1, x, y, bx: x, by: y,
    }
  })
  for (const b of made) {
    b.bx = b.x + away(b, all.filter((o) => o.side !== b.side)) * 95 * unit
  }
  apart(made, WIDE * unit + 6 * unit, HIGH * unit + 6 * unit, taken)
  const inside = (n: number, low: number, high: number) => Math.min(Math.max(n, low), high)
  for (const b of made) {
    b.bx = inside(b.bx, map.left + (WIDE * unit) / 2, map.left + map.width - (WIDE * unit) / 2)
    b.by = inside(b.by, map.top + (HIGH * unit) / 2, map.top + map.height - (HIGH * unit) / 2)
  }
  return made
}

const isSpot = (s: { side: number; x?: number; y?: number }): s is Spot => s.x !== undefined

interface Spot {
  side: number
  x: number
  y: number
}

/** To which side the enemy is not: those near count most. */
function away(b: Block, enemies: Spot[]): number {
  const pull = enemies.reduce((n, e) => n + (b.x - e.x) / (1 + Math.hypot(b.x - e.x, b.y - e.y)) ** 3, 0)
  return Math.sign(pull) || 1
}

/** A box around its middle, by half its width and height. */
export interface Box {
  x: number
  y: number
  w: number
  h: number
}

/** Whether a block lies on what is in that box. */
export const covers = (b: Block, unit: number, box: Box): boolean =>
  Math.abs(b.bx - box.x) < (WIDE / 2) * unit + box.w && Math.abs(b.by - box.y) < (HIGH / 2) * unit + box.h

/** Push blocks that overlap apart, the shorter way, and off what lies fast. */
export function apart(all: { bx: number; by: number }[], wide: number, high: number, fast: Box[] = []): void {
  for (let round = 0; round < 200; round++) {
    let moved = false
    // What lies fast gives way in the end: blocks that find no room beside it lie on it, not on each other.
    for (const b of round < 120 ? all : []) {
      for (const f of fast) {
        const dx = wide / 2 + f.w - Math.abs(b.bx - f.x)
        const dy = high / 2 + f.h - Math.abs(b.by - f.y)
        if (dx <= 0.01 || dy <= 0.01) continue
        moved = true
        if (dx < dy) b.bx += dx * (b.bx < f.x ? -1 : 1)
        else b.by += dy * (b.by < f.y ? -1 : 1)
      }
    }
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
