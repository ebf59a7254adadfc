// Looking things up: which of a game's charts the decision is about, and what a search finds.
import type { Chart, LogEntry, Piece, Said } from '../api/types'

/** The column and row of a chart that are at work now: -1 where none is. */
export interface Lit {
  column: number
  row: number
}

const plain = (text: string): string => text.replace(/\s+/g, '').toLowerCase()

/** A chart is at work when it has the column the fight stands on; its row is that of the die that fell there. */
export function lit(chart: Chart, column: string, die: number): Lit {
  const found = column ? chart.columns.findIndex((c, i) => i > 0 && plain(c) === plain(column)) : -1
  if (found < 0) return { column: -1, row: -1 }
  return { column: found, row: die ? chart.rows.findIndex((r) => r[0] === String(die)) : -1 }
}

/** The rules in which every word of the search occurs, those first whose number it is. */
export function search(rules: Said[], wanted: string, most = 60): Said[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return []
  const found = rules.filter((r) => {
    const text = `${r.rule} ${r.title}`.toLowerCase()
    return words.every((w) => text.includes(w))
  })
  const exact = (r: Said) => (r.rule.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1)
  return found.toSorted((a, b) => exact(a) - exact(b)).slice(0, most)
}

/** The chapter a rule belongs to. */
export const chapterOf = (rule: string): string => /^(?:[A-Z]{2}-[A-Za-z]*\d*|[A-Za-z]*\d+)/.exec(rule)?.[0] ?? rule

/** A statement cut into plain text and numbers of rules that are there. */
export function ruleParts(text: string, known: ReadonlySet<string>): { text: string; rule: boolean }[] {
  return text
    .split(/((?:[A-Z]{1,3}-?)?\d+(?:\.\w+)+)/)
    .filter(Boolean)
    .map((part) => ({ text: part, rule: known.has(part) }))
}

/** How the log says that a counter is lost. */
const DIES = /\b(eliminated|destroyed|is lost|surrenders?|disbanded|starves?)\b/

export interface Loss {
  unit: string
  what: string
  rule: string
  /** The action with which it happened. */
  number: number
}

/** The counters that were lost and have not come back, the last ones first. */
export function lostIn(log: LogEntry[], pieces: Piece[]): Loss[] {
  const found = new Map<string, Loss>()
  for (const { number, events } of log)
    for (const { what, rule, ...facts } of events) {
      if (!DIES.test(what)) continue
      const units = [facts['unit'], ...(Array.isArray(facts['units']) ? facts['units'] : [])]
      for (const unit of units) if (typeof unit === 'string') found.set(unit, { unit, what, rule, number })
    }
  for (const p of pieces) found.delete(p.id)
  return [...found.values()].reverse()
}
