// The line between the sides, from what is known to the seat: units, and hexes it is said who holds.
import type { Piece } from '../api/types'
import type { MapSheet } from './map'

/** So many hexes from the nearest unit or hex held there is still a front. */
const REACH = 4
/** Control of so large a share of all hexes is told: then it is told of ground, not of places. */
const GROUND = 0.25

export const holdsGround = (map: MapSheet, control: Record<string, string>): boolean =>
  Object.keys(control).length > map.hexes.size * GROUND

/** Whose each hex is: of who stands there or holds it, else of who is nearer. */
export function owners(map: MapSheet, pieces: Piece[], control: Record<string, string>, sides: string[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const [place, side] of Object.entries(control)) if (map.hexes.has(place)) found.set(place, sides.indexOf(side))
  for (const p of pieces) if (map.hexes.has(p.place)) found.set(p.place, sides.indexOf(p.side))
  for (const [place, side] of found) if (side < 0) found.delete(place)
  let edge = [...found.keys()]
  for (let far = 0; far < REACH && edge.length; far++) {
    const votes = new Map<string, number>()
    for (const place of edge) {
      for (const next of map.neighbours(place)) {
        if (!found.has(next) && map.hexes.get(next)?.about !== 'sea') votes.set(next, (votes.get(next) ?? 0) + (found.get(place) === 0 ? 1 : -1))
      }
    }
    for (const [place, vote] of votes) found.set(place, vote >= 0 ? 0 : 1)
    edge = [...votes.keys()]
  }
  return found
}

/** The hexsides between hexes of different sides. */
export function front(map: MapSheet, pieces: Piece[], control: Record<string, string>, sides: string[]): string {
  const held = owners(map, pieces, control, sides)
  let d = ''
  for (const s of map.hexsides) {
    const [a, b] = [held.get(s.a), held.get(s.b)]
    if (a !== undefined && b !== undefined && a !== b) d += s.d
  }
  return d
}
