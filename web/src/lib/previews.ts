// What a preview tells, as far as the page looks into it.
import type { Preview } from '../api/types'

/** Verbs that go on with a fight as it stands. */
export const STARTS = ['declare', 'engage', 'assault', 'pass', 'roll', 'fight']

/** Whether a preview tells how a fight stands. */
export const hasOdds = (p: Preview): boolean => Object.keys(p).some((k) => k.startsWith('chances')) || 'column' in p || 'odds' in p || 'ratio' in p

/** What a preview has for the page itself; the rest is to be read. */
export const FOR_THE_PAGE = ['undoable', 'warnings', 'plan', 'ways', 'reach']

/** Whether a preview has anything to be read. */
export const tells = (p: Preview | undefined): boolean => !!p && Object.keys(p).some((k) => !FOR_THE_PAGE.includes(k))

/** How it stands, in a word. */
export function odds(p: Preview | undefined): string {
  const found = p && (p['column'] ?? p['odds'] ?? p['ratio'])
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}

/** The units and hexes a preview is about, to be shown on the map. */
export const shownBy = (p: Preview | undefined, key: 'units' | 'reach'): string[] => {
  const found = p?.[key]
  return Array.isArray(found) ? found.map(String) : []
}

export const shortNumber = (n: number): string => {
  const whole = Math.floor(n)
  const rest = n - whole
  if (rest === 0) return String(whole)
  return rest === 0.5 ? `${whole || ''}½` : n.toFixed(1)
}
