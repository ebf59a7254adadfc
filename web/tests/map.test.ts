// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import type { Piece } from '../src/api/types'
import { layout } from '../src/lib/layout'
import { corners, MapSheet } from '../src/lib/map'
import { front, owners } from '../src/lib/front'
import { overlayShapes } from '../src/lib/overlays'
import { moved } from '../src/lib/events'

// Hexes with the same outline as the server draws them, in two columns.
const hex = (id: string, x: number, y: number) =>
  `<path data-hex="${id}" data-about="clear" d="M${x + 28} ${y - 48}l28 48-28 49h-56l-28-49 28-48z"/>`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 400" width="300" height="400">
  <rect class="paper"/><g class="land"></g>
  <g class="boxes"><g data-place="A"><rect x="400" y="0" width="200" height="120"/></g></g>
  <g class="hexes">${hex('1001', 56, 97)}${hex('1002', 56, 194)}${hex('1101', 140, 48)}${hex('1102', 140, 145)}</g></svg>`

const piece = (id: string, place: string): Piece => ({
  id, side: 'axis', place, name: '', kind: 'infantry', size: '', values: '', steps: 1, full_steps: 1, nation: '',
  elite: 0, status: [], dot: '', formation: '', note: '',
})

describe('the map', () => {
  const map = new MapSheet(SVG)

  it('knows where hexes and boxes lie', () => {
    expect(map.hexes.size).toBe(4)
    expect(map.hexes.get('1001')?.x).toBeCloseTo(56, 0)
    expect(map.boxes.get('A')?.width).toBe(200)
    expect(map.at(60, 100)).toBe('1001')
    expect(map.at(450, 50)).toBe('A')
    expect(map.at(800, 800)).toBe('')
  })

  it('takes the hexes out of the drawing it shows', () => {
    expect(map.svg.querySelector('g.hexes')).toBeNull()
    expect(map.svg.querySelector('g.land')).not.toBeNull()
  })

  it('knows which hexes lie beside each other', () => {
    expect(map.neighbours('1001').sort()).toEqual(['1002', '1101', '1102'])
    expect(map.neighbours('1101').sort()).toEqual(['1001', '1102'])
    expect(map.hexsides.filter((s) => s.b).length).toBe(5)
    expect(map.hexsides.length).toBe(4 * 6 - 5)
  })

  it('draws the front between the sides, and none where one of them is not', () => {
    const foe = { ...piece('b', '1102'), side: 'soviet' }
    const sides = ['axis', 'soviet']
    expect(front(map, [piece('a', '1001'), foe], {}, sides).match(/M/g)?.length).toBe(3)
    expect(Object.fromEntries(owners(map, [piece('a', '1001'), foe], { 1002: 'soviet' }, sides))).toEqual({
      1001: 0, 1002: 1, 1101: 0, 1102: 1,
    })
    expect(front(map, [piece('a', '1001')], {}, sides)).toBe('')
  })

  it('steps from hex to hex by the arrow keys', () => {
    expect(map.step('1001', 0, 1)).toBe('1002')
    expect(map.step('1001', 1, 0)).toMatch(/^11/)
    expect(map.step('1001', -1, 0)).toBe('1001')
  })

  it('puts counters of a stack over one another and those of a box side by side', () => {
    const placed = layout(map, [piece('a', '1001'), piece('b', '1001'), piece('c', 'A'), piece('d', 'A'), piece('e', 'nowhere')], 60)
    expect(placed.map((p) => p.piece.id)).toEqual(['a', 'b', 'c', 'd'])
    const [a, b, c, d] = placed
    expect(Math.abs((a?.x ?? 0) - (b?.x ?? 0))).toBeLessThan(6)
    expect((d?.x ?? 0) - (c?.x ?? 0)).toBeGreaterThan(40)
  })

  it('draws overlays of any of the agreed shapes', () => {
    const shapes = overlayShapes(
      map,
      { zones: ['1001', '1002'], supply: { '1001': 'supplied', '1002': 'out of supply' }, bonds: { lines: [['1001', '1101']] } },
      ['zones', 'supply', 'bonds', 'missing'],
    )
    expect(shapes.map((s) => s.name)).toEqual(['zones', 'supply', 'bonds'])
    expect(shapes[0]?.fills[0]?.hexes).toEqual(['1001', '1002'])
    expect(shapes[1]?.fills.map((f) => f.ink)).toEqual(['#1f7a4d', '#a3262a'])
    expect(shapes[2]?.lines).toMatch(/^M/)
  })
})

it('reads the corners of a drawn hex', () => {
  expect(corners('M10 0l5 5h-3v2z')).toEqual([[10, 0], [15, 5], [12, 5], [12, 7]])
})

it('sees which events move a piece', () => {
  expect(moved({ what: '', rule: '', unit: 'a', to: '1001' })).toEqual({ unit: 'a', to: '1001' })
  expect(moved({ what: '', rule: '', unit: 'a', path: ['1000', '1002'] })).toEqual({ unit: 'a', to: '1002' })
  expect(moved({ what: '', rule: '', unit: 'a' })).toBeNull()
})
