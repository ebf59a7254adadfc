// Where units came from and went to, read off the events: `unit` with `from` and `to`, or with a `path`.
import type { Event, LogEntry, Overlays, Piece } from '../api/types'
import { spoken } from './text'

/** The way of the unit an event moves, from its first hex to its last; null where it moves none. */
export function wayOf(e: Event): { unit: string; way: string[] } | null {
  const unit = e['unit']
  if (typeof unit !== 'string') return null
  const path = Array.isArray(e['path']) ? e['path'].map(String) : []
  const end = typeof e['to'] === 'string' ? e['to'] : path.at(-1)
  if (end === undefined) return null
  const from = typeof e['from'] === 'string' ? e['from'] : undefined
  const way = [...(from !== undefined && path[0] !== from ? [from] : []), ...path]
  if (way.at(-1) !== end) way.push(end)
  return { unit, way }
}

/** A layer for each side: what its units did in the latest turn in which any of them moved. */
export function lastMoves(log: LogEntry[], pieces: Piece[]): Overlays {
  const sides = new Map(pieces.map((p) => [p.id, p.side]))
  const by = new Map<string, { turn: number; lines: string[][] }>()
  let turn = 0
  for (const event of log.flatMap((e) => e.events)) {
    if ('turn' in event) turn++
    const moved = wayOf(event)
    const side = moved && sides.get(moved.unit)
    if (!moved || !side || moved.way.length < 2) continue
    const found = by.get(side)
    if (found?.turn === turn) found.lines.push(moved.way)
    else by.set(side, { turn, lines: [moved.way] })
  }
  return Object.fromEntries([...by].map(([side, { lines }]) => [`${spoken(side)} moves, last turn`, { lines }]))
}
