// Named layers over the map, whatever the game calls them: hexes with a word each, and lines from place to place.
import type { Overlays } from '../api/types'
import type { MapSheet } from './map'

export interface Layer {
  name: string
  ink: string
  fills: { word: string; hexes: string[]; ink: string }[]
  lines: string
  words: { x: number; y: number; text: string }[]
}

const INKS = ['#7a3e8f', '#b3541e', '#1f7a4d', '#2b5a86', '#a3262a', '#7d6b1f']
/** Words for a side keep the side's colour. */
const SIDE_INKS: Record<string, string> = {
  axis: '#2b5a86', german: '#2b5a86', soviet: '#a8430f', supplied: '#1f7a4d', 'out of supply': '#a3262a',
}

export function overlayShapes(map: MapSheet, overlays: Overlays, shown: string[]): Layer[] {
  return shown.flatMap((name, i) => {
    const doc = overlays[name]
    if (!doc) return []
    const ink = sideInk(name) ?? INKS[i % INKS.length] ?? '#7a3e8f'
    const { hexes, lines } = parts(doc)
    const by = new Map<string, string[]>()
    for (const [hex, word] of Object.entries(hexes)) by.set(word, [...(by.get(word) ?? []), hex])
    const fills = [...by].map(([word, list], j) => ({
      word,
      hexes: list,
      ink: SIDE_INKS[word] ?? (by.size > 1 ? (INKS[(i + j) % INKS.length] ?? ink) : ink),
    }))
    const words = Object.entries(hexes).flatMap(([hex, word]) => {
      const at = map.middle(hex)
      return at && word && by.size > 2 ? [{ ...at, text: word }] : []
    })
    return [{ name, ink, fills, lines: lines.map((l) => lineOf(map, l)).join(''), words }]
  })
}

/** A layer whose name begins with a side's has that side's colour. */
function sideInk(name: string): string | undefined {
  const side = /^(axis|german|soviet)/i.exec(name)
  return side?.[1] && SIDE_INKS[side[1].toLowerCase()]
}

function parts(doc: Overlays[string]): { hexes: Record<string, string>; lines: string[][] } {
  if (Array.isArray(doc)) return { hexes: listed(doc), lines: [] }
  const { hexes, lines } = doc as { hexes?: string[] | Record<string, string>; lines?: string[][] }
  if (hexes || lines) return { hexes: Array.isArray(hexes) ? listed(hexes) : (hexes ?? {}), lines: lines ?? [] }
  return { hexes: doc as Record<string, string>, lines: [] }
}

const listed = (hexes: string[]) => Object.fromEntries(hexes.map((h) => [h, '']))

function lineOf(map: MapSheet, places: string[]): string {
  const points = places.map((p) => map.middle(p)).filter((p) => p !== null)
  return points.length > 1 ? 'M' + points.map((p) => `${p.x} ${p.y}`).join('L') : ''
}
