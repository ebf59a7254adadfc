// A QR code of a short text: bytes, error correction M, versions 1 to 10 (213 bytes). Made here, so that the secret of
// an invitation goes nowhere.

/** For each version: error correction words a block, and the data words of each block. */
const BLOCKS: [number, number[]][] = [
  [10, [16]], [16, [28]], [26, [44]], [18, [32, 32]], [24, [43, 43]],
  [16, [27, 27, 27, 27]], [18, [31, 31, 31, 31]], [22, [38, 38, 39, 39]], [22, [36, 36, 36, 37, 37]], [26, [43, 43, 43, 43, 44]],
]
const PATTERNS = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]]

// --- Reed-Solomon over GF(256) ---------------------------------------------------------------------------------------

const EXP: number[] = []
const LOG: number[] = []
for (let i = 0, x = 1; i < 255; i++) {
  EXP[i] = x
  LOG[x] = i
  x = x & 128 ? (x << 1) ^ 0x11d : x << 1
}
const times = (a: number, b: number): number => (a && b ? (EXP[((LOG[a] ?? 0) + (LOG[b] ?? 0)) % 255] ?? 0) : 0)

/** The error correction words of a block. */
export function correction(data: number[], words: number): number[] {
  let generator = [1]
  for (let i = 0; i < words; i++) {
    const root = EXP[i] ?? 1
    generator = [...generator, 0].map((c, k) => c ^ times(generator[k - 1] ?? 0, root))
  }
  const rest = [...data, ...Array<number>(words).fill(0)]
  for (let i = 0; i < data.length; i++) {
    const lead = rest[i] ?? 0
    if (lead) generator.forEach((c, k) => (rest[i + k] = (rest[i + k] ?? 0) ^ times(c, lead)))
  }
  return rest.slice(data.length)
}

/** All words of the code: data and correction of its blocks, taken in turn. */
function codewords(bytes: Uint8Array, version: number): number[] {
  const [words, sizes] = BLOCKS[version - 1] ?? [0, []]
  const room = sizes.reduce((a, b) => a + b, 0)
  const long = version > 9
  const bits = [0, 1, 0, 0]
  const put = (value: number, n: number) => {
    for (let i = n - 1; i >= 0; i--) bits.push((value >> i) & 1)
  }
  put(bytes.length, long ? 16 : 8)
  for (const b of bytes) put(b, 8)
  put(0, Math.min(4, room * 8 - bits.length))
  while (bits.length % 8) bits.push(0)
  const data: number[] = []
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(''), 2))
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad)
  let at = 0
  const blocks = sizes.map((n) => data.slice(at, (at += n)))
  const checks = blocks.map((b) => correction(b, words))
  const inTurn = (rows: number[][]) =>
    Array.from({ length: Math.max(...rows.map((r) => r.length)) }, (_, i) => rows.flatMap((r) => (i < r.length ? [r[i] ?? 0] : []))).flat()
  return [...inTurn(blocks), ...inTurn(checks)]
}

// --- the square ------------------------------------------------------------------------------------------------------

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

type Square = (boolean | null)[][]

/** The remainder that protects the format and the version. */
function protect(value: number, shift: number, polynomial: number): number {
  let rest = value << shift
  const top = Math.floor(Math.log2(polynomial))
  for (let i = 31; i >= top; i--) if (rest & (1 << i)) rest ^= polynomial << (i - top)
  return (value << shift) | rest
}

function fixed(version: number): Square {
  const size = version * 4 + 17
  const square: Square = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null))
  const set = (x: number, y: number, on: boolean) => {
    const row = square[y]
    if (row && x >= 0 && x < size) row[x] = on
  }
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]] as const)
    for (let y = -4; y <= 4; y++)
      for (let x = -4; x <= 4; x++) {
        const far = Math.max(Math.abs(x), Math.abs(y))
        set(cx + x, cy + y, far !== 2 && far !== 4)
      }
  const spots = PATTERNS[version - 1] ?? []
  for (const cy of spots)
    for (const cx of spots) {
      if ((cx === 6 && cy === 6) || (cx === 6 && cy === size - 7) || (cx === size - 7 && cy === 6)) continue
      for (let y = -2; y <= 2; y++) for (let x = -2; x <= 2; x++) set(cx + x, cy + y, Math.max(Math.abs(x), Math.abs(y)) !== 1)
    }
  for (let i = 8; i < size - 8; i++) {
    if (square[6]?.[i] === null) set(i, 6, i % 2 === 0)
    if (square[i]?.[6] === null) set(6, i, i % 2 === 0)
  }
  if (version > 6) {
    const bits = protect(version, 12, 0x1f25)
    for (let i = 0; i < 18; i++) {
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)]
      set(a, b, !!((bits >> i) & 1))
      set(b, a, !!((bits >> i) & 1))
    }
  }
  format(square, 0)
  return square
}

/** Error correction M (00) and the mask, twice. */
function format(square: Square, mask: number): void {
  const size = square.length
  const bits = protect(mask, 10, 0x537) ^ 0x5412
  const put = (x: number, y: number, i: number) => {
    const row = square[y]
    if (row) row[x] = !!((bits >> i) & 1)
  }
  for (let i = 0; i < 15; i++) {
    if (i < 6) put(8, i, i)
    else if (i < 8) put(8, i + 1, i)
    else if (i === 8) put(7, 8, i)
    else put(14 - i, 8, i)
    if (i < 8) put(size - 1 - i, 8, i)
    else put(8, size - 15 + i, i)
  }
  const row = square[size - 8]
  if (row) row[8] = true
}

/** How hard a square is to read: long runs, blocks, false finders, too dark or too bright. */
function penalty(rows: boolean[][]): number {
  const size = rows.length
  const columns = rows.map((_, x) => rows.map((r) => r[x] ?? false))
  let sum = 0
  for (const line of [...rows, ...columns]) {
    const text = line.map(Number).join('')
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2
    for (const finder of ['10111010000', '00001011101'])
      for (let i = text.indexOf(finder); i >= 0; i = text.indexOf(finder, i + 1)) sum += 40
  }
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++) {
      const c = rows[y]?.[x]
      if (c === rows[y - 1]?.[x] && c === rows[y]?.[x - 1] && c === rows[y - 1]?.[x - 1]) sum += 3
    }
  const dark = rows.flat().filter(Boolean).length / (size * size)
  return sum + Math.floor(Math.abs(dark * 20 - 10)) * 10
}

/** The modules of a code, row by row; true is dark. Throws where the text is too long. */
export function qr(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text)
  const version = 1 + BLOCKS.findIndex(([, sizes], i) => bytes.length + (i > 8 ? 3 : 2) <= sizes.reduce((a, b) => a + b, 0))
  if (!version) throw new Error('The text is too long for a QR code.')
  const words = codewords(bytes, version)
  const bits = words.flatMap((w) => [7, 6, 5, 4, 3, 2, 1, 0].map((i) => (w >> i) & 1))
  const empty = fixed(version)
  const size = empty.length
  const order: [number, number][] = []
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5
    for (let i = 0; i < size; i++)
      for (const x of [right, right - 1]) {
        const y = up ? size - 1 - i : i
        if (empty[y]?.[x] === null) order.push([x, y])
      }
  }
  const tries = MASKS.map((mask, n) => {
    const square = empty.map((row) => [...row])
    format(square, n)
    order.forEach(([x, y], i) => {
      const row = square[y]
      if (row) row[x] = !!(bits[i] ?? 0) !== mask(x, y)
    })
    return square as boolean[][]
  })
  return tries.reduce((best, one) => (penalty(one) < penalty(best) ? one : best))
}

/** The dark modules as one path, each a square of one unit. */
export const qrPath = (rows: boolean[][]): string =>
  rows.map((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('')
