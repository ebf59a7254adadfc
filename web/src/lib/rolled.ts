// The last dice and what came of them.
import type { Event, LogEntry } from '../api/types'
import { placesOf } from './events'

export interface Rolled {
  dice: [number, number][]
  events: Event[]
  /** Where it was. */
  places: string[]
}

/** Dice have six or ten sides; a draw from a cup or a pile is none. */
export const isDie = (sides: number): boolean => sides === 6 || sides === 10

const MOST = 3

/** Where a lesson goes on, another position may lie on the table. */
const goesOn = (e: LogEntry): boolean => e.text === 'next'

/** The last of these actions that rolled dice, with what they led to: of a long story the events that name their dice
 * or chits,
 * or where a fight goes on, its end. Without any, those from before. Where nothing names a place, it was where the last
 * question was `about`. */
export function rolledIn(
  entries: LogEntry[], fighting: boolean, before: Rolled | null = null, about: string[] = [],
): Rolled | null {
  const step = entries.findLastIndex(goesOn)
  const entry = entries.slice(step + 1).findLast((e) => e.dice.length)
  if (!entry) return step < 0 ? before : null
  const named = entry.events.filter((e) => 'die' in e || 'dice' in e || 'chits' in e)
  const short = entry.events.length <= MOST + 1
  const events = (short || (fighting && !named.length) ? entry.events : named).slice(-MOST)
  const dice = entry.dice.filter(([sides]) => isDie(sides))
  const places = [...new Set(entry.events.flatMap(placesOf))]
  return events.length ? { dice, events, places: places.length ? places : about } : before
}
