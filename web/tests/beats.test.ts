import { describe, expect, it } from 'vitest'
import type * as api from '../src/api/schema'
import { fullRecap, fullTable, type Recap } from '../src/api/types'
import { beatsOf, linesOf, tableAfter } from '../src/lib/beats'

const piece = (id: string, place: string, steps = 2) => ({ id, side: 'axis', place, steps, full_steps: 2 })
const start = fullTable({ turn: '1', pieces: [piece('A', '0101'), piece('B', '0102'), piece('C', '0103')] })
const go = (unit: string, from: string, to: string) => ({ what: `${unit} moves`, rule: '5.1', unit, from, to })
const recap: Recap = fullRecap({
  since: 4,
  until: 9,
  sums: {},
  changes: [{ unit: 'C', side: 'axis', entry: 5, after: piece('C', '0104') }],
  chapters: [
    {
      kind: 'march', side: 'axis', title: '6A', first: 6, last: 9,
      lines: [{ entry: 6, event: go('A', '0101', '0201') }, { entry: 9, event: go('B', '0202', '0302') }],
      changes: [
        { unit: 'A', side: 'axis', entry: 6, after: piece('A', '0201') },
        { unit: 'B', side: 'axis', entry: 9, after: piece('B', '0302', 1), lost: 1 },
      ],
    },
    {
      kind: 'battle', side: 'axis', title: 'Attack on 0203', first: 7, last: 8,
      lines: [
        { entry: 7, event: { what: 'chit 1', rule: '12.4' }, dice: [[60, 3]] },
        { entry: 7, event: { what: 'chit 2', rule: '12.4' } },
        { entry: 8, event: go('B', '0102', '0202') },
        { entry: 8, event: { what: 'C is lost', rule: '12.5', unit: 'C' } },
      ],
      changes: [
        { unit: 'B', side: 'axis', entry: 8, after: piece('B', '0202') },
        { unit: 'C', side: 'axis', entry: 8, after: null, lost: 2, gone: true },
      ],
    },
    { kind: 'phase', side: '', title: 'Supply', lines: [{ entry: 9, event: { what: 'a', rule: '1' } }, { entry: 9, event: { what: 'b', rule: '2' } }] },
  ],
} as unknown as api.Recap)
const places = (n: number) => Object.fromEntries(tableAfter(start, recap, beatsOf(recap), n).pieces.map((p) => [p.id, p.place]))

describe('a recap', () => {
  it('tells a march and a quiet phase at once, a fight line by line', () => {
    expect(beatsOf(recap).map((b) => linesOf(recap, b).length)).toEqual([2, 2, 1, 1, 2])
    expect(beatsOf(recap, (c) => c.kind === 'battle').map((b) => b.chapter)).toEqual([1, 1, 1])
  })

  it('begins after what one did oneself', () => {
    expect(places(0)).toEqual({ A: '0101', B: '0102', C: '0104' })
  })

  it('moves what it tells of, and never back to what was earlier', () => {
    expect(places(1)).toEqual({ A: '0201', B: '0302', C: '0104' })
    expect(places(3)).toEqual({ A: '0201', B: '0302', C: '0104' })
  })

  it('shows losses when the chapter ends', () => {
    expect(places(4)).toEqual({ A: '0201', B: '0302' })
    expect(tableAfter(start, recap, beatsOf(recap), 5).pieces.find((p) => p.id === 'B')?.steps).toBe(1)
  })
})
