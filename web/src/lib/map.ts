// The drawn map: its layers go into the page as they are; where hexes and boxes lie is read from the same drawing.

export interface Spot {
  id: string
  /** What is printed there. */
  about: string
  x: number
  y: number
}

export interface BoxSpot {
  id: string
  x: number
  y: number
  width: number
  height: number
}

/** A side of a hex, and the hexes on both sides of it; '' beyond the edge of the map. */
export interface Hexside {
  a: string
  b: string
  d: string
}

/** The name of a place as it is drawn, a line an element, and the room it takes. */
export interface Label {
  lines: SVGTextElement[]
  left: number
  right: number
  top: number
  bottom: number
}

export class MapSheet {
  readonly svg: SVGSVGElement
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly hexes = new Map<string, Spot>()
  readonly boxes = new Map<string, BoxSpot>()
  /** The corners of a hex around its centre, and its outline as path data. */
  readonly corners: [number, number][] = []
  readonly outline: string
  /** Distance of neighbouring centres. */
  readonly across: number
  /** Named places, the greatest first. */
  readonly cities: { name: string; x: number; y: number; rank: number }[] = []
  readonly labels: Label[] = []
  private sides: Hexside[] | null = null
  private beside = new Map<string, string[]>()
  private readonly cells = new Map<string, Spot[]>()

  constructor(text: string) {
    const doc = new DOMParser().parseFromString(text, 'image/svg+xml')
    const root = doc.documentElement
    if (root.nodeName !== 'svg') throw new Error('The map could not be read.')
    this.svg = document.importNode(root, true) as unknown as SVGSVGElement
    let outline = ''
    for (const path of this.svg.querySelectorAll<SVGPathElement>('g.hexes path')) {
      const points = corners(path.getAttribute('d') ?? '')
      const x = mean(points.map((p) => p[0]))
      const y = mean(points.map((p) => p[1]))
      const id = path.dataset.hex ?? ''
      this.hexes.set(id, { id, about: path.dataset.about ?? '', x, y })
      if (!this.corners.length) this.corners.push(...points.map(([px, py]): [number, number] => [px - x, py - y]))
      outline ||= 'M' + points.map((p) => `${(p[0] - x).toFixed(1)} ${(p[1] - y).toFixed(1)}`).join('L') + 'z'
    }
    for (const g of this.svg.querySelectorAll<SVGGElement>('g.boxes > g[data-place]')) {
      const rect = g.querySelector('rect')
      const at = (name: string) => Number(rect?.getAttribute(name) ?? 0)
      const id = g.dataset.place ?? ''
      this.boxes.set(id, { id, x: at('x'), y: at('y'), width: at('width'), height: at('height') })
    }
    for (const group of this.svg.querySelectorAll<SVGGElement>('g.names > g')) {
      const rank = Number(/rank-(\d)/.exec(group.getAttribute('class') ?? '')?.[1] ?? 0)
      let last: SVGTextElement | null = null
      for (const text of group.querySelectorAll('text')) {
        const at = (name: string) => Number(text.getAttribute(name) ?? 0)
        if (rank) this.cities.push({ name: text.textContent?.trim() ?? '', x: at('x'), y: at('y'), rank })
        const size = Number(text.getAttribute('font-size') ?? group.getAttribute('font-size') ?? 14)
        const half = (text.textContent ?? '').length * size * 0.26
        const [left, right, top, bottom] = [at('x') - half, at('x') + half, at('y') - size * 0.8, at('y') + size * 0.25]
        const above = this.labels.at(-1)
        const goesOn = last && above && text.getAttribute('x') === last.getAttribute('x') && top - above.bottom < size * 0.2
        if (goesOn) {
          above.lines.push(text)
          ;[above.left, above.right, above.bottom] = [Math.min(above.left, left), Math.max(above.right, right), bottom]
        } else this.labels.push({ lines: [text], left, right, top, bottom })
        last = text
      }
    }
    this.cities.sort((a, b) => b.rank - a.rank)
    this.svg.querySelector('g.hexes')?.remove()
    this.svg.querySelector('g.legend')?.remove()
    this.outline = outline
    const size = bounds([...this.hexes.values()], [...this.boxes.values()])
    ;({ left: this.left, top: this.top, width: this.width, height: this.height } = size)
    this.svg.setAttribute('viewBox', `${this.left} ${this.top} ${this.width} ${this.height}`)
    this.svg.querySelector('rect.paper')?.remove()
    this.svg.setAttribute('aria-hidden', 'true')
    this.across = nearest([...this.hexes.values()])
    for (const spot of this.hexes.values()) {
      const key = this.cell(spot.x, spot.y)
      const list = this.cells.get(key)
      if (list) list.push(spot)
      else this.cells.set(key, [spot])
    }
  }

  private cell = (x: number, y: number) => `${Math.floor(x / this.across)},${Math.floor(y / this.across)}`

  /** All sides of all hexes, each once. */
  get hexsides(): Hexside[] {
    if (this.sides) return this.sides
    this.sides = []
    for (const h of this.hexes.values()) {
      const beside: string[] = []
      this.corners.forEach(([ax, ay], i) => {
        const [bx, by] = this.corners[(i + 1) % 6] ?? [0, 0]
        const next = this.near(h.x + ax + bx, h.y + ay + by, this.across * 0.35)?.id ?? ''
        if (next) beside.push(next)
        if (next && next < h.id) return
        const d = `M${(h.x + ax).toFixed(1)} ${(h.y + ay).toFixed(1)}L${(h.x + bx).toFixed(1)} ${(h.y + by).toFixed(1)}`
        this.sides?.push({ a: h.id, b: next, d })
      })
      this.beside.set(h.id, beside)
    }
    return this.sides
  }

  neighbours(hex: string): string[] {
    return this.hexsides.length ? (this.beside.get(hex) ?? []) : []
  }

  /** The hex or box under a point of the map; '' beside it. */
  at(x: number, y: number): string {
    for (const b of this.boxes.values()) {
      if (x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height) return b.id
    }
    return this.near(x, y, this.across * 0.6)?.id ?? ''
  }

  private near(x: number, y: number, within: number): Spot | null {
    let best: Spot | null = null
    let least = within
    for (let i = -1; i <= 1; i++) {
      for (let j = -1; j <= 1; j++) {
        for (const spot of this.cells.get(this.cell(x + i * this.across, y + j * this.across)) ?? []) {
          const d = Math.hypot(spot.x - x, spot.y - y)
          if (d < least) [best, least] = [spot, d]
        }
      }
    }
    return best
  }

  /** The middle of a place, whether hex or box. */
  middle(place: string): { x: number; y: number } | null {
    const box = this.boxes.get(place)
    if (box) return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    return this.hexes.get(place) ?? null
  }

  /** The next hex from one, in a direction given as a vector. */
  step(from: string, dx: number, dy: number): string {
    const spot = this.middle(from)
    if (!spot) return from
    const length = Math.hypot(dx, dy)
    let best = from
    let most = 0.35
    for (const angle of [0, 30, -30, 60, -60]) {
      const a = Math.atan2(dy, dx) + (angle * Math.PI) / 180
      const x = spot.x + Math.cos(a) * this.across
      const y = spot.y + Math.sin(a) * this.across
      const next = this.near(x, y, this.across * 0.4)
      if (!next || next.id === from) continue
      const along = ((next.x - spot.x) * dx + (next.y - spot.y) * dy) / (length * this.across)
      if (along > most + 1e-6) [best, most] = [next.id, along]
    }
    return best
  }
}

/** The corners of a closed path of relative straight lines. */
export function corners(d: string): [number, number][] {
  const points: [number, number][] = []
  let x = 0
  let y = 0
  for (const [, command = '', numbers = ''] of d.matchAll(/([MlhvLz])([^MlhvLz]*)/g)) {
    const n = (numbers.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)
    if (command === 'M' || command === 'L') {
      ;[x, y] = [n[0] ?? 0, n[1] ?? 0]
      points.push([x, y])
    } else if (command === 'h') {
      x += n[0] ?? 0
      points.push([x, y])
    } else if (command === 'v') {
      y += n[0] ?? 0
      points.push([x, y])
    } else if (command === 'l') {
      for (let i = 0; i + 1 < n.length; i += 2) {
        x += n[i] ?? 0
        y += n[i + 1] ?? 0
        points.push([x, y])
      }
    }
  }
  return points
}

const mean = (n: number[]) => n.reduce((a, b) => a + b, 0) / Math.max(n.length, 1)

function bounds(hexes: Spot[], boxes: BoxSpot[]) {
  const margin = 70
  const xs = [...hexes.flatMap((h) => [h.x - 56, h.x + 56]), ...boxes.flatMap((b) => [b.x, b.x + b.width])]
  const ys = [...hexes.flatMap((h) => [h.y - 56, h.y + 56]), ...boxes.flatMap((b) => [b.y, b.y + b.height])]
  const low = (n: number[]) => n.reduce((a, b) => Math.min(a, b), Infinity)
  const high = (n: number[]) => n.reduce((a, b) => Math.max(a, b), -Infinity)
  const [left, top] = [low(xs) - margin, low(ys) - margin]
  return { left, top, width: high(xs) + margin - left, height: high(ys) + margin - top }
}

function nearest(spots: Spot[]): number {
  const first = spots[0]
  if (!first || spots.length < 2) return 97
  return spots.slice(1).reduce((d, s) => Math.min(d, Math.hypot(s.x - first.x, s.y - first.y)), Infinity)
}
