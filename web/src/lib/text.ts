// Small sentences about what is on the table.
import type { Piece } from '../api/types'
import { called } from './called.svelte'

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

/** Types of tanks are printed on counters by their short names. */
const TANKS: Record<string, string> = {
  pz2: 'Panzer II tanks',
  pz3: 'Panzer III tanks',
  pz4: 'Panzer IV tanks',
  pzjg: 'tank destroyers',
  t34: 'T-34 tanks',
  t70: 'T-70 tanks',
  hq: 'headquarters',
  recon: 'reconnaissance',
}

/** What a unit is: infantry, artillery, headquarters. */
export const kindOf = (p: Piece): string => TANKS[p.kind] ?? p.kind.replaceAll('_', ' ')

/** States that counters bear by a short name. */
const STATES: Record<string, string> = {
  OOS1: 'out of supply (OOS1)',
  OOS2: 'long out of supply (OOS2)',
  DRG: 'disorganized (DRG)',
  DPT: 'disrupted (DPT)',
  RTD: 'routed (RTD)',
}
export const stateOf = (state: string): string => STATES[state] ?? state

/** How much of it is left; an enemy may keep that to himself. */
const stepsOf = (p: Piece): string => {
  if (p.full_steps < 2) return ''
  return p.steps ? `${p.steps} of ${p.full_steps} steps` : `${p.full_steps} steps when whole, how many are left is hidden`
}

const bare = (name: string) => name.replace(/[^\w]/g, '')

export function describe(p: Piece): string {
  const name = called(p.id) === p.id && bare(p.name) !== bare(p.id) ? [p.id, p.name].filter(Boolean).join(', ') : p.name || p.id
  const parts = [name, kindOf(p), p.values, stepsOf(p)]
  return [...parts, ...p.status.map(stateOf)].filter(Boolean).join(', ')
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
