// How sentences call the units and formations that the notation writes by a short name: sent once a table.
import type { Seat } from '../api/client'

let known: Record<string, string> = $state.raw({})

export async function openNames(seat: Seat): Promise<void> {
  known = await seat.names().catch(() => ({}))
}

export const called = (id: string): string => known[id] ?? id

/** A word of the notation; a number is a number, whatever army has it, a way is read place for place, and a hexside
 * by its two hexes. */
export const calledWord = (word: string): string =>
  /^\d+$/.test(word) ? word : word.includes('|') ? word.replace('|', ' and ') : /^\d{4}-/.test(word) ? word.split('-').map(called).join('-') : called(word)
