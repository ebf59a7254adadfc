import { expect, test } from 'vitest'
import { patched } from '../src/api/difference'
import type * as api from '../src/api/schema'

const piece = (id: string, place: string): api.Piece => ({ id, side: 'red', place })
const pieces = ['A', 'B', 'C', 'D', 'E'].map((id) => piece(id, '0101'))
const view: api.View = {
  game: 'g', scenario: 's', version: 7, sides: ['red', 'blue'], seat: 'red', can_undo: true,
  question: { side: 'red', rule: '5.1', prompt: 'Move.' },
  table: { turn: '1', pieces, markers: [{ kind: 'fort', place: '0101' }], control: { '0101': 'red', '0102': 'blue' } },
}

test('counters are kept, left out, replaced and put in where they belong', () => {
  const edits = [1, -1, piece('B', '0202'), 1, -1, piece('F', '0303'), 1]
  const now = patched(view, { since: 7, version: 8, turn: '1', pieces: edits })
  expect(now?.table.pieces?.map((p) => p.id + p.place)).toEqual(['A0101', 'B0202', 'C0101', 'F0303', 'E0101'])
})

test('what is not told is as it was; the question is always told', () => {
  const now = patched(view, { since: 7, version: 8, turn: '2' })
  expect(now?.table.pieces).toEqual(pieces)
  expect(now?.table.markers).toEqual(view.table.markers)
  expect(now?.table.turn).toBe('2')
  expect(now?.question).toBeNull()
  expect(now?.can_undo).toBe(false)
  expect(now?.version).toBe(8)
  expect(view.version).toBe(7)
})

test('hexes change hands, and lists can become empty', () => {
  const now = patched(view, { since: 7, version: 8, turn: '1', markers: [], control: { '0101': 'blue', '0102': '' } })
  expect(now?.table.control).toEqual({ '0101': 'blue' })
  expect(now?.table.markers).toEqual([])
})

test('a difference from another version is not taken', () => {
  expect(patched(view, { since: 6, version: 8, turn: '1' })).toBeNull()
})
