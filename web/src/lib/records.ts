// A game as a file, and a game that goes on from an earlier moment of another.
import type { TableState } from './table.svelte'
import { holdMade } from './tokens'

/** A new table from the moment that is looked at; its id. */
export async function branch(game: TableState): Promise<string> {
  if (!game.seat) return ''
  const made = await game.seat.branch(game.past?.n ?? game.log.length)
  holdMade(made)
  return made.id
}

export async function saveRecord(game: TableState): Promise<void> {
  if (!game.seat || !game.view) return
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await game.seat.record())
  link.download = `${game.view.game}-${game.view.scenario}.kessel`
  link.click()
  URL.revokeObjectURL(link.href)
}
