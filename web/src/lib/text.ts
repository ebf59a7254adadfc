// Small sentences about what is on the table.
import type { Piece } from '../api/types'

export function spoken(word: string): string {
  const text = word
    .replaceAll('_', ' ')
    .replaceAll('-', ' ')
    .replace(/\b(german|soviet|axis)(s?)\b/g, (name: string) => name.charAt(0).toUpperCase() + name.slice(1))
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A side as the people who fight on it: "the Soviets". */
export function folk(side: string): string {
  if (side === 'axis') return 'the Axis'
  return side === 'german' || side === 'soviet' ? `the ${spoken(side)}s` : spoken(side)
}

export function describe(p: Piece): string {
  const steps = p.full_steps > 1 ? `${p.steps} of ${p.full_steps} steps` : ''
  const parts = [p.name && p.name !== p.id ? `${p.id}, ${p.name}` : p.id, p.kind.replaceAll('_', ' '), p.values, steps]
  return [...parts, ...p.status].filter(Boolean).join(', ')
}

export function ago(seconds: number): string {
  const past = Math.max(0, Date.now() / 1000 - seconds)
  if (past < 90) return 'just now'
  if (past < 5400) return `${Math.round(past / 60)} minutes ago`
  if (past < 129600) return `${Math.round(past / 3600)} hours ago`
  return `${Math.round(past / 86400)} days ago`
}

export const percent = (chance: number): string => {
  const p = chance * 100
  return p > 0 && p < 1 ? '<1 %' : `${Math.round(p)} %`
}

/** What went wrong, in words. */
export const sentence = (e: unknown): string => (e instanceof Error ? e.message : String(e))
