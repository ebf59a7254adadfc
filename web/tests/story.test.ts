import { describe, expect, it } from 'vitest'
import type { LogEntry, Speech } from '../src/api/types'
import { linked, story } from '../src/lib/story'

const said = (n: number, after: number, text: string): Speech => ({
  n, seat: 'axis', name: '', kind: 'say', text, made: 0, after, version: after, to: -1,
})
const entry = (number: number, dice: [number, number][], what: string): LogEntry => ({
  number, side: 'axis', text: 'x', dice, events: [{ what, rule: '' }],
})

describe('talk among events', () => {
  it('stands after what it was said to', () => {
    const log = [entry(1, [], 'moves'), entry(2, [[6, 3]], 'holds'), entry(3, [[6, 1]], 'retreats')]
    const items = story([said(1, 0, 'hello'), said(2, 2, 'lucky')], log, [], () => false)
    expect(items.map((i) => i.said?.text ?? i.text)).toEqual(['hello', 'holds', 'lucky', 'retreats'])
  })
  it('links units and hexes, and nothing else', () => {
    const parts = linked('Look at 2403, 24Pz is near 1942.', new Set(['24Pz']), (p) => p === '2403')
    expect(parts.filter((p) => p.link).map((p) => p.text)).toEqual(['2403', '24Pz'])
    expect(parts.map((p) => p.text).join('')).toBe('Look at 2403, 24Pz is near 1942.')
  })
})
