// What of the table the legal actions are about. No rule is known here: everything is read off the listed choices.
import type { Card, Choice } from '../api/types'
import { spoken } from './text'

/** What a player has pointed at so far, on the way to one of the choices. */
export interface Picked {
  verb: string
  unit: string
  units: string[]
  place: string
  card: string
}

export const NOTHING: Picked = { verb: '', unit: '', units: [], place: '', card: '' }

export const words = (c: Choice): string[] => c.text.split(' ')

/** Where a choice leads: its place, or the end of its path. */
export const target = (c: Choice): string => c.place || c.path.at(-1) || ''

export const isPicked = (p: Picked): boolean => !!(p.verb || p.unit || p.units.length || p.place || p.card)

export function fits(c: Choice, p: Picked): boolean {
  if (p.verb && c.verb !== p.verb) return false
  if (p.unit && c.unit !== p.unit && !c.units.includes(p.unit)) return false
  if (p.units.some((u) => !c.units.includes(u))) return false
  if (p.place && target(c) !== p.place) return false
  return !(p.card && !words(c).includes(p.card))
}

export const matching = (choices: Choice[], p: Picked): Choice[] => choices.filter((c) => fits(c, p))

/** What is to be ringed and listed at this point. */
export interface Offer {
  choices: Choice[]
  units: Set<string>
  places: Set<string>
  hexsides: Set<string>
  cards: Set<string>
  /** Choices that no click on the map or a card leads to. */
  plain: Choice[]
}

export function offer(all: Choice[], picked: Picked, cards: Card[] = []): Offer {
  const choices = matching(all, picked)
  const units = new Set<string>()
  const places = new Set<string>()
  const hexsides = new Set<string>()
  const found = new Set<string>()
  const plain: Choice[] = []
  const ids = new Set(cards.map((c) => c.id))
  const severalUnits = new Set(choices.map((c) => c.unit)).size > 1
  for (const c of choices) {
    let shown = false
    if (c.unit && c.unit !== picked.unit) {
      units.add(c.unit)
      shown = true
    }
    for (const u of c.units) {
      units.add(u)
      shown = true
    }
    const place = target(c)
    // With several units to choose from, their places come after the unit has been picked.
    if (place && place !== picked.place && (!c.unit || picked.unit || !severalUnits)) {
      places.add(place)
      shown = true
    }
    if (place && c.unit) shown = true
    if (c.hexside) {
      hexsides.add(c.hexside)
      shown = true
    }
    for (const word of words(c)) {
      if (ids.has(word) && word !== picked.card) {
        found.add(word)
        shown = true
      }
    }
    if (!shown) plain.push(c)
  }
  return { choices, units, places, hexsides, cards: found, plain }
}

/** A listed action turned into one about something else, to ask why that is not allowed. */
export function like(choices: Choice[], what: { unit?: string; place?: string }): string {
  const model = choices.find((c) => (what.place ? !!target(c) : !!c.unit))
  if (!model) return ''
  const swap = (text: string, from: string, to: string) =>
    text
      .split(' ')
      .map((w) => (w === from ? to : w))
      .join(' ')
  let text = model.text
  if (what.unit && model.unit) text = swap(text, model.unit, what.unit)
  if (what.place && target(model)) {
    text = model.path.length ? swap(text, model.path.join('-'), what.place) : swap(text, target(model), what.place)
  }
  return text
}

/** Choices under their verb, for the list of texts. */
export function grouped(choices: Choice[]): [string, Choice[]][] {
  const by = new Map<string, Choice[]>()
  for (const c of choices) {
    const list = by.get(c.verb)
    if (list) list.push(c)
    else by.set(c.verb, [c])
  }
  return [...by]
}

/** How a choice reads: its label, or its notation with the game's phrase for it or for its verb (`{}` stands for a word
 * of the notation) and cards by their names. */
export function read(
  c: Choice, cards: Card[] = [], phrases: Record<string, string> = {}, called: (word: string) => string = (word) => word,
): string {
  const whole = c.label || phrases[c.text]
  if (whole) return whole
  const names = new Map(cards.map((card) => [card.id, card.name]))
  const [verb = '', ...rest] = words(c)
  const gaps = (phrases[verb] ?? '').split('{}').length - 1
  const manner = rest.length > Math.max(gaps, 1) && /^[a-z_]+$/.test(rest.at(-1) ?? '') ? (rest.pop() ?? '').replaceAll('_', ' ') : ''
  const ofCard = names.has(rest.at(-1) ?? '')
  const named = together(rest, c.units, called).map((w) => (names.has(w) ? `${names.get(w)} (${w})` : w))
  const phrase = (phrases[verb] ?? spoken(verb)).replace(/\{\}/g, () => named.shift() ?? '')
  const text = named.join(' ')
  const how = manner && (ofCard ? `: ${manner}` : ` (${manner})`)
  return inParts(`${phrase} ${text}`.replaceAll('_', ' ').trim()) + how
}

/** Units that stand at the end of a choice are named with "and" between them. */
const together = (rest: string[], units: string[], called: (word: string) => string): string[] => {
  const tail = rest.slice(-units.length)
  const named = rest.map(called)
  if (units.length < 2 || tail.join() !== units.join()) return named
  const last = named.slice(-units.length)
  return [...named.slice(0, -units.length), `${last.slice(0, -1).join(', ')} and ${last.at(-1)}`]
}

/** "into 2 2 1" as one says it. */
const inParts = (text: string): string =>
  text.replace(/ into (\d+(?: \d+)+)$/, (_, numbers: string) => {
    const steps = numbers.split(' ')
    return ` into parts of ${steps.slice(0, -1).join(', ')} and ${steps.at(-1)} steps`
  })
