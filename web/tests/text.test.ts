import { expect, test } from 'vitest'
import { spoken } from '../src/lib/text'

test('words of the rules begin with a capital, and so do the sides in them', () => {
  expect(spoken('not_leading')).toBe('Not leading')
  expect(spoken('beside_germans')).toBe('Beside Germans')
  expect(spoken('axis')).toBe('Axis')
})
