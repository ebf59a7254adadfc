import { expect, test } from 'vitest'
import type { Piece } from '../src/api/types'
import { describe, spoken } from '../src/lib/text'

test('words of the rules begin with a capital, and so do the sides in them', () => {
  expect(spoken('not_leading')).toBe('Not leading')
  expect(spoken('beside_germans')).toBe('Beside Germans')
  expect(spoken('axis')).toBe('Axis')
})

test('of an enemy whose steps are hidden none are told', () => {
  const piece = { id: '546.389ID', name: '', kind: 'pz3', values: 'A-5', steps: 0, full_steps: 5, status: [] as string[] } as Piece
  expect(describe(piece)).toBe('546.389ID, Panzer III tanks, A-5, 5 steps when whole, how many are left is hidden')
  expect(describe({ ...piece, steps: 2 })).toContain('2 of 5 steps')
})
