import { expect, test } from 'vitest'
import type { Event, LogEntry } from '../src/api/types'
import { rolledIn } from '../src/lib/rolled'

const event = (what: string, more: object = {}): Event => ({ what, rule: '', ...more })
const entry = (dice: [number, number][], events: Event[]) => ({ number: 1, side: 'axis', text: '', dice, events }) as LogEntry
const talk = ['a', 'b', 'c', 'd', 'e', 'f'].map((w) => event(w))
const shown = (entries: LogEntry[], fighting = false) => rolledIn(entries, fighting)?.events.map((e) => e.what)

test('the die and what it led to', () => {
  const found = rolledIn([entry([[6, 5]], [event('odds'), event('die 5', { die: 5 })]), entry([], [event('moves')])], true)
  expect(found?.dice).toEqual([[6, 5]])
  expect(found?.events.map((e) => e.what)).toEqual(['odds', 'die 5'])
})

test('of a long story what names its die, or how a fight ends', () => {
  expect(shown([entry([[6, 2]], [event('weather', { die: 2 }), ...talk])])).toEqual(['weather'])
  expect(shown([entry([[60, 25]], talk)], true)).toEqual(['d', 'e', 'f'])
  expect(shown([entry([[10, 7]], talk)])).toBeUndefined()
  expect(rolledIn([entry([[60, 25]], talk)], true)?.dice).toEqual([])
})

test('nothing was rolled', () => {
  expect(rolledIn([entry([], talk)], true)).toBeNull()
})

test('draws from a cup are no dice, and the next step of a lesson begins without any', () => {
  const chits = entry([[12, 5], [11, 6], [10, 9]], [event('hits', { die: 9 })])
  expect(rolledIn([chits], true)?.dice).toEqual([[10, 9]])
  const before = rolledIn([chits], true)
  expect(rolledIn([entry([], [event('moves')])], true, before)).toBe(before)
  expect(rolledIn([{ ...entry([], []), text: 'next' }], true, before)).toBeNull()
})
