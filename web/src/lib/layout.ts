// Where each counter is drawn: stacks a little askew in their hex, pieces side by side in their box.
import type { Piece } from '../api/types'
import type { MapSheet } from './map'

export interface Placed {
  piece: Piece
  x: number
  y: number
  scale: number
}

const STEP = 4
const MOST = 5

export function layout(map: MapSheet, pieces: Piece[], size: number): Placed[] {
  const by = new Map<string, Piece[]>()
  for (const p of pieces) {
    const list = by.get(p.place)
    if (list) list.push(p)
    else by.set(p.place, [p])
  }
  const at = new Map<string, Placed>()
  for (const [place, stack] of by) {
    const hex = map.hexes.get(place)
    const box = map.boxes.get(place)
    if (hex) {
      const scale = size / 60
      const deep = Math.min(stack.length, MOST) - 1
      stack.forEach((piece, i) => {
        const lift = (Math.min(i, MOST - 1) - deep / 2) * STEP
        at.set(piece.id, { piece, x: hex.x - size / 2 + lift, y: hex.y - size / 2 - lift, scale })
      })
    } else if (box) {
      inBox(stack, box, at)
    }
  }
  // In the order of the view, so that a counter that moves stays the same element.
  return pieces.map((p) => at.get(p.id)).filter((p) => p !== undefined)
}

function inBox(
  stack: Piece[],
  box: { x: number; y: number; width: number; height: number },
  at: Map<string, Placed>,
): void {
  const wide = box.width - 16
  const high = box.height - 44
  let scale = 1
  let row = 1
  for (; scale > 0.2; scale *= 0.92) {
    row = Math.max(1, Math.floor(wide / (66 * scale)))
    if (Math.ceil(stack.length / row) * 66 * scale <= high) break
  }
  stack.forEach((piece, i) => {
    const x = box.x + 8 + (i % row) * 66 * scale
    const y = box.y + 38 + Math.floor(i / row) * 66 * scale
    at.set(piece.id, { piece, x, y, scale })
  })
}

/** The upper left corner of the topmost counter of each stack in a hex, and how many lie under it. */
export function tops(map: MapSheet, placed: Placed[]): { place: string; x: number; y: number; scale: number; more: number }[] {
  const by = new Map<string, { place: string; x: number; y: number; scale: number; more: number }>()
  for (const { piece, x, y, scale } of placed) {
    if (map.hexes.has(piece.place)) by.set(piece.place, { place: piece.place, x, y, scale, more: (by.get(piece.place)?.more ?? -1) + 1 })
  }
  return [...by.values()].filter((t) => t.more > 0)
}
