import { describe, expect, it } from 'vitest'
import { apart, fitting } from '../src/lib/blocks'
import { aside, farNames } from '../src/lib/names'

describe('blocks of formations', () => {
  it('end up beside each other, not on top', () => {
    const all = Array.from({ length: 12 }, (_, i) => ({ bx: 100 + (i % 3) * 5, by: 50 + Math.floor(i / 3) * 4 }))
    apart(all, 40, 20)
    for (const [i, a] of all.entries())
      for (const b of all.slice(i + 1)) expect(Math.abs(a.bx - b.bx) > 39.5 || Math.abs(a.by - b.by) > 19.5).toBe(true)
  })
})

describe('names on blocks', () => {
  it('leave room for the strength', () => {
    expect(fitting('6A', '112')).toBe('6A')
    expect(fitting('KaB 42K 1PzA', '27')).toBe('KaB 42K')
    expect(fitting('Southwestern', '27')).toMatch(/^South.*…$/)
  })

  it('are kept clear of by blocks', () => {
    const all = [{ bx: 100, by: 50 }, { bx: 102, by: 52 }]
    apart(all, 40, 20, [{ x: 100, y: 50, w: 30, h: 8 }])
    for (const b of all) expect(Math.abs(b.bx - 100) >= 49.9 || Math.abs(b.by - 50) >= 17.9).toBe(true)
  })

  it('of places do not lie on each other, and the greatest come first', () => {
    const city = (name: string, x: number, rank: number) => ({ name, x, y: 0, rank })
    const shown = farNames([city('Kharkov', 0, 4), city('Merefa', 20, 3), city('Poltava', 900, 3)], 1)
    expect(shown.map((c) => c.name)).toEqual(['Kharkov', 'Poltava'])
  })

  it('of places stand beside a counter and not under it, nor on another name', () => {
    const label = (left: number, top: number) => ({ lines: [], left, right: left + 60, top, bottom: top + 16 })
    const counter = { left: 0, right: 64, top: 0, bottom: 64 }
    const labels = [label(10, 50), label(10, 66), label(300, 0)]
    const [first, second, third] = aside(labels, [counter])
    expect(second).toEqual({ x: 0, y: 0 })
    expect(third).toEqual({ x: 0, y: 0 })
    const moved = { left: 10 + (first?.x ?? 0), top: 50 + (first?.y ?? 0) }
    expect(moved.left >= 64 || moved.top >= 64 || moved.top + 16 <= 0 || moved.left + 60 <= 0).toBe(true)
    expect(moved.left >= 70 || moved.left + 60 <= 10 || moved.top >= 82 || moved.top + 16 <= 66).toBe(true)
  })
})
