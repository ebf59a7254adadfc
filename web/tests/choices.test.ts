import { describe, expect, it } from 'vitest'
import type { Card, Choice } from '../src/api/types'
import { grouped, like, matching, NOTHING, offer, read, target } from '../src/lib/choices'

const choice = (text: string, parts: Partial<Choice> = {}): Choice => ({
  text, verb: text.split(' ')[0] ?? '', label: '', unit: '', units: [], place: '', path: [], hexside: '', number: null,
  word: '', words: [], ...parts,
})
const move = (unit: string, place: string) => choice(`move ${unit} ${place}`, { unit, place })
const MOVES = [choice('pass'), move('16Pz', '2130'), move('16Pz', '2131'), move('24Pz', '2131')]

describe('what is offered', () => {
  it('rings the units first and lists what needs no click on the map', () => {
    const o = offer(MOVES, NOTHING)
    expect([...o.units]).toEqual(['16Pz', '24Pz'])
    expect(o.places.size).toBe(0)
    expect(o.plain.map((c) => c.text)).toEqual(['pass'])
    expect(o.choices).toHaveLength(4)
  })

  it('rings the places of the unit that was picked', () => {
    const o = offer(MOVES, { ...NOTHING, unit: '16Pz' })
    expect([...o.places]).toEqual(['2130', '2131'])
    expect(o.units.size).toBe(0)
    expect(o.choices.map((c) => c.text)).toEqual(['move 16Pz 2130', 'move 16Pz 2131'])
  })

  it('rings places at once where no unit is to be chosen, or only one', () => {
    expect([...offer([choice('kg 0802', { place: '0802' })], NOTHING).places]).toEqual(['0802'])
    expect([...offer([move('16Pz', '2130'), move('16Pz', '2131')], NOTHING).places]).toEqual(['2130', '2131'])
  })

  it('takes the end of a path for its place', () => {
    const retreat = choice('retreat 1417-1316', { path: ['1417', '1316'] })
    expect(target(retreat)).toBe('1316')
    expect([...offer([retreat], NOTHING).places]).toEqual(['1316'])
  })

  it('knows cards by their ids in the action', () => {
    const cards = [{ id: 'P23', name: 'Corps Raus', where: 'hand', side: 'german', lines: [] }] as unknown as Card[]
    const plays = [choice('play P23 activate', { word: 'activate' }), choice('play P23 event', { word: 'event' })]
    expect([...offer(plays, NOTHING, cards).cards]).toEqual(['P23'])
    expect(matching(plays, { ...NOTHING, card: 'P23' })).toHaveLength(2)
    expect(read(plays[0] as Choice, cards)).toBe('Play Corps Raus (P23): activate')
  })

  it('narrows groups of units one by one', () => {
    const attacks = [
      choice('attack 2132 with 16Pz', { place: '2132', units: ['16Pz'] }),
      choice('attack 2132 with 16Pz 24Pz', { place: '2132', units: ['16Pz', '24Pz'] }),
    ]
    expect(matching(attacks, { ...NOTHING, units: ['24Pz'] }).map((c) => c.text)).toEqual(['attack 2132 with 16Pz 24Pz'])
  })
})

describe('asking why not', () => {
  it('makes the question from a listed action', () => {
    expect(like(MOVES, { place: '9999' })).toBe('move 16Pz 9999')
    expect(like(MOVES, { unit: '3Mot' })).toBe('move 3Mot 2130')
    expect(like([choice('retreat 1417-1316', { path: ['1417', '1316'] })], { place: '1000' })).toBe('retreat 1000')
    expect(like([choice('pass')], { place: '1000' })).toBe('')
  })
})

describe('how a choice reads', () => {
  it('tells the manner apart from what it is about', () => {
    expect(read(choice('to 1206 tactical'), [], { to: 'Go to' })).toBe('Go to 1206 (tactical)')
    expect(read(choice('restore 44Inf infantry'))).toBe('Restore 44Inf (infantry)')
    expect(read(choice('activate 62A'))).toBe('Activate 62A')
    expect(read(choice('rail'))).toBe('Rail')
    expect(read(choice('move I-526 PzJg298 AA298', { units: ['I-526', 'PzJg298', 'AA298'] }))).toBe('Move I-526, PzJg298 and AA298')
    expect(read(choice('break_down 133.40A into 2 2 1'))).toBe('Break down 133.40A into parts of 2, 2 and 1 steps')
  })
})

it('groups choices by verb', () => {
  expect(grouped(MOVES).map(([verb, list]) => [verb, list.length])).toEqual([['pass', 1], ['move', 3]])
})

describe('phrases', () => {
  it('may be of a whole action, or say where the words of the notation stand', () => {
    const phrases = { arrive: 'Bring in {} at {}', draw: 'Draw more chits:', 'draw 0': 'Draw no more' }
    expect(read(choice('arrive 16Pz X'), [], phrases)).toBe('Bring in 16Pz at X')
    expect(read(choice('draw 0'), [], phrases)).toBe('Draw no more')
    expect(read(choice('draw 2'), [], phrases)).toBe('Draw more chits: 2')
  })
})
