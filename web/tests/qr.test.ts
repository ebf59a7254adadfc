// The code is read back by a reader written for this test: format, mask, words, checks, text.
import { describe, expect, it } from 'vitest'
import { correction, qr } from '../src/lib/qr'

describe('error correction', () => {
  it('is that of the worked example in the standard', () => {
    const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
    expect(correction(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23])
  })
})

const MASK = [
  (i: number, j: number) => (i + j) % 2, (i: number) => i % 2, (_: number, j: number) => j % 3, (i: number, j: number) => (i + j) % 3,
  (i: number, j: number) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2, (i: number, j: number) => ((i * j) % 2) + ((i * j) % 3),
  (i: number, j: number) => (((i * j) % 2) + ((i * j) % 3)) % 2, (i: number, j: number) => (((i + j) % 2) + ((i * j) % 3)) % 2,
]
/** Format words of level M by mask, as the standard lists them. */
const FORMATS = [0x5412, 0x5125, 0x5e7c, 0x5b4b, 0x45f9, 0x40ce, 0x4f97, 0x4aa0]
const ALIGN: Record<number, number[]> = { 21: [], 25: [6, 18], 29: [6, 22], 33: [6, 26], 37: [6, 30], 41: [6, 34], 45: [6, 22, 38], 57: [6, 28, 50] }
const SPLIT: Record<number, number[]> = { 21: [16], 25: [28], 29: [44], 33: [32, 32], 37: [43, 43], 41: [27, 27, 27, 27], 45: [31, 31, 31, 31], 57: [43, 43, 43, 43, 44] }

function reserved(size: number, i: number, j: number): boolean {
  if ((i < 9 && j < 9) || (i < 9 && j > size - 9) || (i > size - 9 && j < 9) || i === 6 || j === 6) return true
  if (size > 41 && ((i < 6 && j > size - 12) || (j < 6 && i > size - 12))) return true
  const at = ALIGN[size] ?? []
  return at.some((y) => at.some((x) => Math.abs(i - y) < 3 && Math.abs(j - x) < 3 && !(y === 6 && x === 6) && !(y === 6 && x === size - 7) && !(y === size - 7 && x === 6)))
}

function readBack(rows: boolean[][]): string {
  const size = rows.length
  const dark = (i: number, j: number) => Number(rows[i]?.[j] ?? false)
  let format = 0
  const spots: [number, number][] = [[0, 8], [1, 8], [2, 8], [3, 8], [4, 8], [5, 8], [7, 8], [8, 8], [8, 7], [8, 5], [8, 4], [8, 3], [8, 2], [8, 1], [8, 0]]
  spots.forEach(([i, j], n) => (format |= dark(i, j) << n))
  const mask = FORMATS.indexOf(format)
  expect(mask).toBeGreaterThanOrEqual(0)
  const bits: number[] = []
  for (let j = size - 1, up = true; j > 0; j -= 2, up = !up) {
    if (j === 6) j--
    for (let k = 0; k < size; k++)
      for (const column of [j, j - 1]) {
        const i = up ? size - 1 - k : k
        if (!reserved(size, i, column)) bits.push(dark(i, column) ^ Number(MASK[mask]?.(i, column) === 0))
      }
  }
  const words = Array.from({ length: Math.floor(bits.length / 8) }, (_, n) => parseInt(bits.slice(n * 8, n * 8 + 8).join(''), 2))
  const sizes = SPLIT[size] ?? []
  const blocks: number[][] = sizes.map(() => [])
  let at = 0
  for (let n = 0; n < Math.max(...sizes); n++) sizes.forEach((most, b) => n < most && blocks[b]?.push(words[at++] ?? 0))
  const each = (words.length - at) / sizes.length
  const checks: number[][] = sizes.map(() => [])
  for (let n = 0; n < Math.floor(each); n++) sizes.forEach((_, b) => checks[b]?.push(words[at++] ?? 0))
  blocks.forEach((block, b) => expect(correction(block, Math.floor(each))).toEqual(checks[b]))
  const data = blocks.flat().flatMap((w) => [7, 6, 5, 4, 3, 2, 1, 0].map((n) => (w >> n) & 1))
  const number = (from: number, n: number) => parseInt(data.slice(from, from + n).join(''), 2)
  expect(number(0, 4)).toBe(4)
  const wide = size > 53 ? 16 : 8
  const bytes = Array.from({ length: number(4, wide) }, (_, n) => number(4 + wide + n * 8, 8))
  return new TextDecoder().decode(new Uint8Array(bytes))
}

describe('a code', () => {
  it.each([5, 20, 40, 60, 84, 100, 120, 210])('of %i characters is read back', (n) => {
    const text = `https://play.example/join/${'AbC-9_'.repeat(40)}`.slice(0, n)
    expect(readBack(qr(text))).toBe(text)
  })
  it('is refused where the text is too long', () => {
    expect(() => qr('x'.repeat(214))).toThrow()
  })
})
