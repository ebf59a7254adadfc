// What a program would do in the seat's place, when it is asked.
import type { Advice } from '../api/types'
import { say } from './announce.svelte'
import { NOTHING, target } from './choices'
import type { TableState } from './table.svelte'
import { sentence } from './text'

export class Advising {
  given: Advice | null = $state.raw(null)
  /** A program thinks about it. */
  thinks = $state(false)

  constructor(private readonly game: TableState) {}

  forget(): void {
    this.given = null
  }

  async ask(): Promise<void> {
    const { game } = this
    if (!game.seat || this.thinks) return
    this.thinks = true
    this.given = null
    say('Thinking')
    const version = game.view?.version
    try {
      const found = await game.seat.hint()
      if (game.view?.version !== version) return
      this.given = found
      const choice = game.view?.question?.choices.find((c) => c.text === found.do)
      if (choice) {
        game.picked = { ...NOTHING, unit: choice.unit }
        game.cursor = target(choice) || game.pieces.get(choice.unit)?.place || game.cursor
        say(`Suggestion: ${found.says}`)
      }
    } catch (e) {
      game.tell(sentence(e), '', 'error')
    } finally {
      this.thinks = false
    }
  }
}
