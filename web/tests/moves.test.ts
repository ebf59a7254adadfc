import { expect, test } from 'vitest'
import type { LogEntry, Piece } from '../src/api/types'
import { lastMoves, wayOf } from '../src/lib/moves'

const piece = (id: string, side: string) => ({ id, side }) as Piece
const entry = (...events: LogEntry['events']) => ({ number: 1, side: 'axis', text: '', dice: [], events }) as LogEntry
const move = (unit: string, from: string, to: string) => ({ what: '', rule: '', unit, from, to })

test('a way is read off from, path and to', () => {
  expect(wayOf({ what: '', rule: '', unit: 'A', from: '0101', path: ['0102', '0103'] })?.way).toEqual(['0101', '0102', '0103'])
  expect(wayOf({ what: '', rule: '', unit: 'A', from: '0101', path: ['0101', '0102'] })?.way).toEqual(['0101', '0102'])
  expect(wayOf(move('A', '0101', '0104'))?.way).toEqual(['0101', '0104'])
  expect(wayOf({ what: 'a check', rule: '', unit: 'A', hex: '0101' })).toBeNull()
  expect(wayOf({ what: '', rule: '', from: '0101', to: '0102' })).toBeNull()
})

test('each side has the moves of the latest turn in which it moved', () => {
  const log = [
    entry({ what: 'turn 1', rule: '', turn: 1 }, move('A', '0101', '0102')),
    entry(move('B', '0505', '0504')),
    entry({ what: 'turn 2', rule: '', turn: 2 }, move('A', '0102', '0103')),
    entry(move('A2', '0201', '0202')),
  ]
  const found = lastMoves(log, [piece('A', 'axis'), piece('A2', 'axis'), piece('B', 'soviet')])
  expect(found).toEqual({
    'Axis moves, last turn': { lines: [['0102', '0103'], ['0201', '0202']] },
    'Soviet moves, last turn': { lines: [['0505', '0504']] },
  })
})
