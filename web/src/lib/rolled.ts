// The last dice and what came of them.
import type { Event, LogEntry } from '../api/types'

export interface Rolled {
  dice: [number, number][]
  events: Event[]
}

/** What has more sides is a pile that was drawn from. */
const DIE = 12
const MOST = 3

/** The last of these actions that rolled dice, with what they led to: of a long story the events that name their die,
 * or where a fight goes on, its end. */
export function rolledIn(entries: LogEntry[], fighting: boolean): Rolled | null {
  const entry = entries.findLast((e) => e.dice.length)
  if (!entry) return null
  const named = entry.events.filter((e) => 'die' in e)
  const short = entry.events.length <= MOST + 1
  const events = (short || (fighting && !named.length) ? entry.events : named).slice(-MOST)
  const dice = entry.dice.filter(([sides]) => sides <= DIE)
  return events.length ? { dice, events } : null
}
