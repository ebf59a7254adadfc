// Looking ahead: what the choice under the pointer would do, what it costs to go there, how a fight stands.
import { ApiError } from '../api/client'
import type { Choice, Preview, View, Way } from '../api/types'
import { target } from './choices'
import { hasOdds, odds, shortNumber, STARTS } from './previews'
import type { TableState } from './table.svelte'

export interface Shown {
  text: string
  doc: Preview
}

/** A pointer rests so long before it is asked what would happen there. */
const REST = 60

export class Ahead {
  shown: Shown | null = $state.raw(null)
  costs: Map<string, string> = $state.raw(new Map())
  /** How the attack that stands can be carried on to its die. */
  ways: Way[] = $state.raw([])
  /** The fight as it stands, shown while nothing else is pointed at. */
  private standing: Shown | null = $state.raw(null)
  private timer = 0
  private costsMissing = false

  constructor(private readonly game: TableState) {}

  close(): void {
    clearTimeout(this.timer)
  }

  /** Another question: nothing is known of it yet. */
  forget(): void {
    this.standing = null
    this.ways = []
  }

  /** Nothing is picked any more. */
  rest(): void {
    this.shown = this.standing
    this.costs = new Map()
  }

  /** Nothing is pointed at any more. */
  leave(): void {
    if (!this.game.proposed) this.shown = this.standing
  }

  /** The pointer is at a place: what the choice there would do, after a moment of rest. */
  at(place: string): void {
    const { game } = this
    clearTimeout(this.timer)
    if (game.together.length) {
      this.shown = null
      if (game.places.has(place)) this.timer = window.setTimeout(() => void this.loadWay(place), REST)
      return
    }
    const choice = place ? game.choicesAt(place)[0] : undefined
    if (!choice || !game.offer.places.has(place)) {
      this.shown = this.standing
      return
    }
    this.timer = window.setTimeout(() => void this.load(choice), REST)
  }

  private async loadWay(place: string): Promise<void> {
    const { game } = this
    const found = await game.seat?.march(game.together, place).catch(() => null)
    if (found && game.hovered === place && game.together.length) this.shown = { text: '', doc: found.way }
  }

  async load(choice: Choice): Promise<void> {
    const { game } = this
    if (!game.seat || game.busy || this.shown?.text === choice.text) return
    const version = game.view?.version
    try {
      const doc = await game.seat.preview(choice.text)
      if (!game.proposed && game.view?.version === version) this.shown = { text: choice.text, doc }
    } catch {
      if (game.view?.version === version) this.shown = null
    }
  }

  /** Costs of a reach that needs no unit to be picked first; the odds as they stand, where choices change them. */
  async look(view: View): Promise<void> {
    const { game } = this
    const choices = view.question?.choices ?? []
    if (!choices.length || !game.seat) return
    if (choices.some((c) => target(c) && !c.unit)) await this.loadCosts()
    if (choices.length > 24) return
    try {
      const first = (c: Choice) => 2 * Number(c.text === game.lesson?.fits[0]) + Number(STARTS.includes(c.verb))
      // What is to be attacked is not chosen yet: nothing stands.
      const open = choices.filter((c) => first(c) || choices.length === 1 || !target(c))
      const starting = open.toSorted((a, b) => first(b) - first(a))
      for (const choice of starting.slice(0, 3)) {
        const doc = await game.seat.preview(choice.text)
        if (game.view?.version !== view.version || game.proposed) return
        this.ways = doc.ways ?? this.ways
        if (hasOdds(doc)) {
          this.shown = this.standing = { text: choice.text, doc }
          return
        }
      }
    } catch {
      // Without a look ahead the choice is still there to be made.
    }
  }

  async loadCosts(): Promise<void> {
    const { game } = this
    const unit = game.picked.unit
    const choices = game.offer.choices.filter((c) => target(c) && (unit || !c.unit)).slice(0, 400)
    if (!game.seat || this.costsMissing || choices.length < 2) return
    try {
      const found = await game.seat.previews(choices.map((c) => c.text))
      if (game.picked.unit !== unit) return
      const costs = new Map<string, string>()
      choices.forEach((c, i) => {
        const cost = found[i]?.cost
        if (typeof cost === 'number' && cost > 0 && !costs.has(target(c))) costs.set(target(c), shortNumber(cost))
      })
      this.costs = costs
    } catch (e) {
      if (e instanceof ApiError && (e.status === 404 || e.status === 405)) this.costsMissing = true
    }
  }

  /** How a fight stands that this choice sets going, where one sees it now: no need to ask again. */
  oddsOf(choice: Choice): string {
    const doc = [this.shown, this.standing].find((p) => p?.text === choice.text)?.doc
    return STARTS.includes(choice.verb) ? odds(doc) : ''
  }
}
