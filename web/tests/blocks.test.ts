import { describe, expect, it } from 'vitest'
import { apart } from '../src/lib/blocks'

describe('blocks of formations', () => {
  it('end up beside each other, not on top', () => {
    const all = Array.from({ length: 12 }, (_, i) => ({ bx: 100 + (i % 3) * 5, by: 50 + Math.floor(i / 3) * 4 }))
    apart(all, 40, 20)
    for (const [i, a] of all.entries())
      for (const b of all.slice(i + 1)) expect(Math.abs(a.bx - b.bx) > 39.5 || Math.abs(a.by - b.by) > 19.5).toBe(true)
  })
})
