// What an event of the log is about.
import type { Event } from '../api/types'
import { wayOf } from './moves'

/** Whether an event tells the checks behind it. */
export const hasTrace = (e: Event): boolean => {
  const trace = e['trace']
  return Array.isArray(trace) ? trace.length > 0 : typeof trace === 'object' && trace !== null
}

/** The hexes an event is about. */
export const placesOf = (e: Event): string[] =>
  [e['hex'], e['place'], e['to'], e['target']].flatMap((v) =>
    typeof v === 'string' ? [v] : Array.isArray(v) ? v.map(String) : [],
  )

/** The unit an event moves, if it names one and where it goes. */
export function moved(e: Event): { unit: string; to: string } | null {
  const found = wayOf(e)
  const to = found?.way.at(-1)
  return found && to !== undefined ? { unit: found.unit, to } : null
}
