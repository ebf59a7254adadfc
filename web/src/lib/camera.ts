// Where the map lies under its frame: moving and zooming it, bringing places into sight.
import { Gestures, type Lie } from './gestures'
import type { MapSheet } from './map'
import { settings } from './settings.svelte'

type Spot = { x: number; y: number }
type Frame = HTMLDivElement

/** How far beyond its edge the map can be moved, in units of the map. */
const EDGE = 120
/** So wide a hex is on the screen at least when a table is opened, in pixels. */
const START = 62
/** So wide it is at most, and at least, where some places are to be seen together. */
const NEAR = 96
const LEAST = 44
/** So far from the edge of the frame a place is that was brought into sight, in pixels. */
const ROOM = 130
/** So long nothing has moved before the map is drawn anew for its size. */
const REST = 140
/** A frame that becomes so much higher or lower keeps its middle; less moves nothing. */
const MUCH = 160

export class Camera {
  private readonly hand: Gestures
  private readonly resize: ResizeObserver
  private timer = 0
  /** How high the frame was when the map was last laid out in it. */
  private high: number
  /** How it lay when the whole map was last shown: it stays whole when the frame changes. */
  private fitted: Lie | null = null
  /** When the movement that is under way began. */
  private gliding = 0
  /** How it lay when the table was opened, until there was something to choose on it. */
  private opened: Lie | null

  /** `moved` is told at once, `rested` when a movement is over; `held`: something else is dragged. */
  constructor(
    private readonly frame: Frame,
    private readonly map: MapSheet,
    private readonly moved: () => void,
    private readonly rested: () => void,
    held: () => boolean,
  ) {
    this.hand = new Gestures(
      frame,
      (byHand) => {
        if (byHand) this.gliding = 0
        this.moved()
        clearTimeout(this.timer)
        this.timer = window.setTimeout(this.rested, REST)
      },
      held,
    )
    this.opened = this.hand.now
    this.high = frame.clientHeight
    this.resize = new ResizeObserver(() => {
      this.limit()
      const change = frame.clientHeight - this.high
      this.high = frame.clientHeight
      if (this.now === this.fitted) this.fit()
      else if (Math.abs(change) > MUCH) this.shift(change / 2)
    })
    this.resize.observe(frame)
    this.limit()
  }

  /** How the map lies now. */
  get now(): Lie {
    return this.hand.now
  }

  close(): void {
    this.hand.close()
    this.resize.disconnect()
    clearTimeout(this.timer)
  }

  private limit(): void {
    const { frame, map } = this
    const k = Math.min(frame.clientWidth / map.width, frame.clientHeight / map.height)
    this.hand.scales = [Math.min(k * 0.8, 0.3), 2.5]
    this.hand.bounds = { left: -EDGE, top: -EDGE, right: map.width + EDGE, bottom: map.height + EDGE + 160 }
  }

  /** What was in the middle stays there when a panel takes much of the frame, as on a phone. */
  private shift(down: number): void {
    const opened = this.now === this.opened
    this.hand.set({ ...this.now, y: this.now.y + down })
    if (opened) this.opened = this.now
  }

  /** The whole map in sight. */
  fit(): void {
    const { frame, map } = this
    const k = Math.min(frame.clientWidth / map.width, frame.clientHeight / map.height) * 0.98
    this.to(k, { x: map.left + map.width / 2, y: map.top + map.height / 2 }, false)
    this.fitted = this.now
  }

  /** How a table opens: at what can be chosen, else at all units until there is something to choose; not if the map
   * has been moved since. */
  begin(choices: string[], units: string[]): void {
    if (this.now !== this.opened) return
    const chosen = this.start(choices)
    if (!chosen && !this.start(units, true)) this.fit()
    this.opened = chosen ? null : this.now
  }

  /** Where most of these places are, large enough to read or, to see `all` of them, as large as they have room; false
   * if none is on the map. */
  start(places: string[], all = false): boolean {
    const spots = places.map((p) => this.map.hexes.get(p)).filter((p) => p !== undefined)
    if (!spots.length) return false
    const xs = spots.map((p) => p.x).sort((a, b) => a - b)
    const ys = spots.map((p) => p.y).sort((a, b) => a - b)
    const at = (n: number[], share: number) => n[Math.floor((n.length - 1) * share)] ?? 0
    const [left, right, top, bottom] = [at(xs, 0.05), at(xs, 0.95), at(ys, 0.05), at(ys, 0.95)]
    const wide = Math.max(right - left + 400, 900)
    const high = Math.max(bottom - top + 400, 700)
    const k = Math.min(this.frame.clientWidth / wide, this.frame.clientHeight / high, 1)
    const middle = all ? { x: (left + right) / 2, y: (top + bottom) / 2 } : { x: at(xs, 0.5), y: at(ys, 0.5) }
    this.to(all ? k : Math.max(k, START / this.map.across), middle, false)
    return true
  }

  to(k: number, { x, y }: Spot, smooth = true): void {
    const [w, h] = [this.frame.clientWidth, this.frame.clientHeight]
    this.high = h
    const t = this.hand.within({ x: w / 2 - (x - this.map.left) * k, y: h / 2 - (y - this.map.top) * k, k })
    if (smooth && settings.speed > 0) this.glide(t.k, t.x, t.y)
    else {
      this.gliding = 0
      this.hand.set(t)
    }
    if (!smooth) this.rested()
  }

  /** Move the map there in a few frames; a later movement ends an earlier one. */
  private glide(k: number, x: number, y: number): void {
    const start = performance.now()
    this.gliding = start
    const from = this.now
    const long = 180 / settings.speed
    const frameStep = () => {
      if (this.gliding !== start) return
      const t = Math.min(1, (performance.now() - start) / long)
      const e = t * (2 - t)
      const mix = (a: number, b: number) => a + (b - a) * e
      this.hand.set({ x: mix(from.x, x), y: mix(from.y, y), k: mix(from.k, k) })
      if (t < 1) requestAnimationFrame(frameStep)
    }
    requestAnimationFrame(frameStep)
  }

  zoomBy(factor: number): void {
    this.hand.scaleBy(factor)
  }

  panBy(dx: number, dy: number): void {
    this.hand.moveBy(dx, dy)
  }

  /** A spot of the map in the frame. */
  seen({ x, y }: Spot): Spot {
    return { x: (x - this.map.left) * this.now.k + this.now.x, y: (y - this.map.top) * this.now.k + this.now.y }
  }

  /** The place under a pointer. */
  placeAt(event: MouseEvent): string {
    const box = this.frame.getBoundingClientRect()
    const x = (event.clientX - box.left - this.now.x) / this.now.k + this.map.left
    const y = (event.clientY - box.top - this.now.y) / this.now.k + this.map.top
    return this.map.at(x, y)
  }

  inSight(spot: Spot): boolean {
    const { x, y } = this.seen(spot)
    return x > 60 && y > 50 && x < this.frame.clientWidth - 70 && y < this.frame.clientHeight - 50
  }

  /** Bring a place into sight if it is not, by no more than it takes where it is not far; what is in sight stays where
   * it is. To be seen from `near`, the map comes as near as to see counters. */
  reveal(place: string, near = false): void {
    const spot = this.map.middle(place)
    if (!spot) return
    if (near && this.now.k < LEAST / this.map.across) return this.to(START / this.map.across, spot)
    if (this.inSight(spot)) return
    const { x, y } = this.seen(spot)
    const [w, h] = [this.frame.clientWidth, this.frame.clientHeight]
    const within = (n: number, size: number) => Math.min(Math.max(n, Math.min(ROOM, size / 3)), size - Math.min(ROOM, size / 3))
    const [dx, dy] = [x - within(x, w), y - within(y, h)]
    const aside = Math.abs(dx) < w / 2 && Math.abs(dy) < h / 2
    const { k } = this.now
    const middle = { x: (w / 2 - this.now.x + dx) / k + this.map.left, y: (h / 2 - this.now.y + dy) / k + this.map.top }
    this.to(k, aside ? middle : spot)
  }

  /** Bring all of these places into sight, as large as they can be seen together, if one of them is not. */
  revealAll(places: string[], always = false): void {
    const spots = places.map((p) => this.map.middle(p)).filter((p) => p !== null)
    if (!spots.length || (!always && spots.every((p) => this.inSight(p)))) return
    const [xs, ys] = [spots.map((p) => p.x), spots.map((p) => p.y)]
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
    const { across } = this.map
    const k = Math.min(
      (this.frame.clientWidth - 140) / (right - left + across),
      (this.frame.clientHeight - 100) / (bottom - top + across),
    )
    const size = always ? NEAR / across : this.now.k
    this.to(Math.max(Math.min(k, size), LEAST / across), { x: (left + right) / 2, y: (top + bottom) / 2 }, !always)
  }

  /** Bring the first of these places into sight if none of them is. */
  revealAny(places: string[]): void {
    const spots = places.map((p) => this.map.middle(p)).filter((p) => p !== null)
    const first = places.find((p) => this.map.middle(p))
    if (first && !spots.some((p) => this.inSight(p))) this.reveal(first)
  }

  /** Whether a place is in the upper half of the frame. */
  isHigh(place: string): boolean {
    const spot = this.map.middle(place)
    return !!spot && this.seen(spot).y < this.frame.clientHeight / 2
  }

  /** Where a spread-out stack lies: above its hex, or below it where the frame ends, and never beyond its edges. */
  beside(spot: Spot, width: number, height: number, scale: number): Spot {
    const { k } = this.now
    const at = this.seen(spot)
    const y = at.y - (66 + height * scale) * k < 4 ? spot.y + 62 + height * scale : spot.y - 66
    const half = (width / 2) * scale * k + 6
    const inside = Math.min(Math.max(at.x, half), Math.max(this.frame.clientWidth - half, half))
    return { x: spot.x + (inside - at.x) / k, y }
  }
}
