// What was said, put among what happened: turns and dice as the log tells them, each message after what it was said to.
import type { LogEntry, Speech } from '../api/types'

export interface Part {
  text: string
  /** It names a hex or a unit of this table. */
  link: boolean
}
export interface Item {
  key: string
  said: Speech | null
  parts: Part[]
  text: string
  dice: [number, number][]
}

/** Words that name a unit or a hex become links. */
export function linked(text: string, units: ReadonlySet<string>, isPlace: (p: string) => boolean): Part[] {
  const parts: Part[] = []
  for (const word of text.split(/(\s+|[,;:!?]|\.(?=\s|$))/)) {
    const link = units.has(word) || (/^\d{4}$/.test(word) && isPlace(word))
    const last = parts.at(-1)
    if (!link && last && !last.link) last.text += word
    else if (word) parts.push({ text: word, link })
  }
  return parts
}

/** Events worth telling beside talk: a new turn, and whatever dice were rolled for. */
function events(entry: LogEntry): Item[] {
  const told = entry.events.filter((e) => 'turn' in e)
  if (entry.dice.length && entry.events.length) told.push(entry.events.at(-1) ?? { what: '', rule: '' })
  return told.map((e, i) => ({
    key: `e${entry.number}.${i}`, said: null, parts: [], text: e.what, dice: i === told.length - 1 ? entry.dice : [],
  }))
}

export function story(talk: Speech[], log: LogEntry[], units: string[], isPlace: (p: string) => boolean): Item[] {
  const known = new Set(units)
  const items: Item[] = []
  let at = 0
  const tellUntil = (n: number) => {
    for (; at < log.length && (log[at]?.number ?? 0) <= n; at++) items.push(...events(log[at] as LogEntry))
  }
  for (const said of talk) {
    tellUntil(said.after)
    items.push({ key: `s${said.n}`, said, parts: linked(said.text, known, isPlace), text: '', dice: [] })
  }
  tellUntil(Infinity)
  return items
}
