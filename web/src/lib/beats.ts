// A recap cut into beats: what is shown at once while it is told, and the board after each of them.
import type { Change, Chapter, Line, Piece, Recap, SideView } from '../api/types'
import { moved } from './events'

export interface Beat {
  chapter: number
  /** Its lines are those of the chapter from here to there. */
  from: number
  to: number
  /** The chapter ends with it. */
  last: boolean
}

/** A march is one beat, and so is a phase in which nothing moves; of a fight or a system's impulse every line is one,
 * but for lines of one rule that move nothing. What happened before the first decision can be read, and is not played. */
export function beatsOf(recap: Recap, wanted: (c: Chapter) => boolean = () => true): Beat[] {
  const found: Beat[] = []
  recap.chapters.forEach((c, chapter) => {
    const before = c.lines.every((l) => l.entry === 0)
    if (!wanted(c) || (before && recap.chapters.length > 1)) return
    const n = c.lines.length
    const whole = c.kind === 'march' || (c.kind === 'phase' && !c.lines.some((l) => moved(l.event) || l.dice.length))
    const cuts = whole ? [] : c.lines.flatMap((l, i) => (i && !goesWith(c.lines[i - 1], l) ? [i] : []))
    const edges = [0, ...cuts, n]
    for (let i = 1; i < edges.length; i++) {
      found.push({ chapter, from: edges[i - 1] ?? 0, to: edges[i] ?? n, last: i === edges.length - 1 })
    }
  })
  return found
}

const goesWith = (before: Line | undefined, l: Line): boolean =>
  !!before && before.event.rule === l.event.rule && !moved(l.event) && !moved(before.event) && !l.event['trace']

export const linesOf = (recap: Recap, beat: Beat): Line[] =>
  recap.chapters[beat.chapter]?.lines.slice(beat.from, beat.to) ?? []

/** The board after so many beats: what they moved, and of chapters that are over what became of the counters. */
export function tableAfter(start: SideView, recap: Recap, beats: Beat[], n: number): SideView {
  const pieces = new Map(start.pieces.map((p) => [p.id, p]))
  const known = new Map<string, number>()
  const change = (c: Change) => {
    if ((known.get(c.unit) ?? -1) > c.entry) return
    known.set(c.unit, c.entry)
    if (c.after) pieces.set(c.unit, c.after)
    else pieces.delete(c.unit)
  }
  recap.changes.forEach(change)
  for (const beat of beats.slice(0, n)) {
    for (const line of linesOf(recap, beat)) {
      const move = moved(line.event)
      const p: Piece | undefined = move ? pieces.get(move.unit) : undefined
      if (move && p && (known.get(p.id) ?? -1) <= line.entry) pieces.set(p.id, { ...p, place: move.to })
    }
    if (beat.last) recap.chapters[beat.chapter]?.changes.forEach(change)
  }
  return { ...start, pieces: [...pieces.values()] }
}
