// The view of a version from the one before it and what differs (src/kessel/table/differences.py).
import type * as api from './schema'

/** The view the difference leads to; null if it leads on from another version than this view's. */
export function patched(old: api.View, d: api.Difference): api.View | null {
  if (d.since !== old.version) return null
  const was = old.table
  const control: Record<string, string> = { ...was.control, ...d.control }
  for (const [hex, side] of Object.entries(d.control ?? {})) if (!side) delete control[hex]
  return {
    ...old,
    version: d.version,
    question: d.question ?? null,
    can_undo: d.can_undo ?? false,
    outcome: d.outcome ?? null,
    lesson: d.lesson ?? null,
    table: {
      turn: d.turn,
      phase: d.phase ?? '',
      pieces: d.pieces ? edited(was.pieces ?? [], d.pieces) : was.pieces,
      markers: d.markers ?? was.markers,
      tracks: d.tracks ?? was.tracks,
      cards: d.cards ?? was.cards,
      control,
    },
  }
}

/** From the first to the last: n to keep the next n, -n to leave the next n out, a counter to put in. */
function edited(old: api.Piece[], edits: (number | api.Piece)[]): api.Piece[] {
  const found: api.Piece[] = []
  let i = 0
  for (const e of edits) {
    if (typeof e !== 'number') found.push(e)
    else if (e < 0) i -= e
    else found.push(...old.slice(i, (i += e)))
  }
  return found
}
