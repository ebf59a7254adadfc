import { describe, expect, it } from 'vitest'
import type { LogEntry, Piece } from '../src/api/types'
import { chapterOf, lit, lostIn, search, ruleParts } from '../src/lib/library'

const chart = { id: 'crt', title: 'Combat results', columns: ['die', '1-1', '4-1'], rows: [['1', 'A1', 'DS'], ['2', 'EX', 'D1']], provenance: '', note: '' }
const rules = [
  { rule: '7.1', title: 'Units two hexes apart make a bond' },
  { rule: '7.2', title: 'Retreat into a bond eliminates' },
  { rule: '12.2', title: 'A retreat of 7.2 hexes' },
]

describe('the library', () => {
  it('lights the column of the fight and the row of the die', () => {
    expect(lit(chart, '4-1', 2)).toEqual({ column: 2, row: 1 })
    expect(lit(chart, '4-1', 0)).toEqual({ column: 2, row: -1 })
    expect(lit(chart, '9-1', 2)).toEqual({ column: -1, row: -1 })
    expect(lit(chart, '', 2)).toEqual({ column: -1, row: -1 })
  })

  it('finds rules by all their words, and a number first', () => {
    expect(search(rules, 'retreat bond').map((r) => r.rule)).toEqual(['7.2'])
    expect(search(rules, '7.2').map((r) => r.rule)).toEqual(['7.2', '12.2'])
    expect(search(rules, '  ')).toEqual([])
  })

  it('knows the chapter of a rule', () => {
    expect(['7.6.1', 'S1.3', 'RX-6.2', 'PA-CS.A'].map(chapterOf)).toEqual(['7', 'S1', 'RX-6', 'PA-CS'])
  })
})

describe('rules that name others', () => {
  it('lead there, and only where there is such a rule', () => {
    const parts = ruleParts('As 5.1 and RX-6.4.1 say, not 9.9.', new Set(['5.1', 'RX-6.4.1']))
    expect(parts.filter((p) => p.rule).map((p) => p.text)).toEqual(['5.1', 'RX-6.4.1'])
    expect(parts.map((p) => p.text).join('')).toBe('As 5.1 and RX-6.4.1 say, not 9.9.')
  })
})

describe('the order of battle', () => {
  it('tells who is lost and has not come back', () => {
    const entry = (number: number, what: string, unit: string) => ({ number, events: [{ what, rule: '10.1', unit }] }) as unknown as LogEntry
    const log = [entry(1, '44Inf is eliminated', '44Inf'), entry(2, '5GRfl loses a step', '5GRfl'), entry(3, '9GRfl is destroyed', '9GRfl'), entry(4, '3Pz is eliminated', '3Pz')]
    expect(lostIn(log, [{ id: '44Inf' } as Piece]).map((l) => [l.unit, l.number])).toEqual([['3Pz', 4], ['9GRfl', 3]])
  })
})
