// Counters as the server draws them, asked for once per face and kept.
import { SvelteMap } from 'svelte/reactivity'
import { counters } from '../api/client'
import type { Piece } from '../api/types'

const BATCH = 120
const ids = new SvelteMap<string, string>()
const asked = new Set<string>()
let defs: SVGDefsElement | null = null
let next = 0

function home(): SVGDefsElement {
  if (!defs) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    svg.setAttribute('class', 'faces')
    svg.setAttribute('width', '0')
    svg.setAttribute('height', '0')
    svg.setAttribute('aria-hidden', 'true')
    defs = svg.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'defs'))
    document.body.append(svg)
  }
  return defs
}

/** Everything a counter shows; where it stands is no part of it. */
export function key(p: Piece): string {
  return [
    p.id, p.name, p.side, p.kind, p.size, p.values, p.steps, p.full_steps, p.nation, p.elite, p.dot, p.formation,
    ...p.status,
  ].join('\u0001')
}

const middle = (k: string): string => `${k}\u0001middle`

/** The id of the face's symbol, '' until it has come. From farther away another is drawn, as soon as it has come. */
export const face = (p: Piece, near = true): string => (near ? '' : ids.get(middle(key(p)))) || (ids.get(key(p)) ?? '')

/** Ask for all faces of these pieces that are not here yet. */
export async function want(pieces: Piece[], near = true): Promise<void> {
  const missing = new Map<string, Piece>()
  for (const p of pieces) {
    const k = near ? key(p) : middle(key(p))
    if (!asked.has(k)) missing.set(k, p)
  }
  for (const k of missing.keys()) asked.add(k)
  const list = [...missing]
  for (let i = 0; i < list.length; i += BATCH) {
    const part = list.slice(i, i + BATCH)
    try {
      const svgs = await counters(part.map(([, p]) => ({ ...p, place: '', note: '' })), near)
      part.forEach(([k], j) => ids.set(k, add(svgs[j] ?? '')))
    } catch (e) {
      for (const [k] of part) asked.delete(k)
      throw e
    }
  }
}

function add(svg: string): string {
  const doc = new DOMParser().parseFromString(
    `<svg xmlns="http://www.w3.org/2000/svg"><g>${svg}</g></svg>`, 'image/svg+xml')
  const id = `face-${next++}`
  const g = doc.documentElement.firstElementChild
  if (!g) return ''
  g.setAttribute('id', id)
  for (const title of g.querySelectorAll('title')) title.remove()
  home().append(document.importNode(g, true))
  return id
}
