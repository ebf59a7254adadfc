// Where the map lies under its frame: moving and zooming it, bringing places into sight.
import { select, type Selection } from 'd3-selection'
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior } from 'd3-zoom'
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
/** So long nothing has moved before the map is drawn anew for its size. */
const REST = 140

export class Camera {
  /** How the map lies now. */
  now = zoomIdentity
  private readonly behaviour: ZoomBehavior<Frame, unknown>
  private readonly selection: Selection<Frame, unknown, null, undefined>
  private readonly resize: ResizeObserver
  private timer = 0

  /** `moved` is told at once, `rested` when a movement is over; `held`: something else is dragged. */
  constructor(
    private readonly frame: Frame,
    private readonly map: MapSheet,
    private readonly moved: () => void,
    private readonly rested: () => void,
    held: () => boolean,
  ) {
    this.selection = select(frame)
    this.behaviour = zoom<Frame, unknown>()
      .scaleExtent([0.08, 2.5])
      .filter((e: MouseEvent) => !held() && (!e.ctrlKey || e.type === 'wheel') && (!e.button || e.button === 1))
      .on('zoom', (e: D3ZoomEvent<Frame, unknown>) => {
        this.now = e.transform
        this.moved()
        clearTimeout(this.timer)
        this.timer = window.setTimeout(this.rested, REST)
      })
    this.selection.call(this.behaviour).on('dblclick.zoom', null)
    this.resize = new ResizeObserver(() => this.limit())
    this.resize.observe(frame)
    this.limit()
  }

  close(): void {
    this.resize.disconnect()
    clearTimeout(this.timer)
  }

  private limit(): void {
    const { frame, map } = this
    const k = Math.min(frame.clientWidth / map.width, frame.clientHeight / map.height)
    this.behaviour.scaleExtent([Math.min(k * 0.8, 0.3), 2.5]).translateExtent([
      [-EDGE, -EDGE],
      [map.width + EDGE, map.height + EDGE + 160],
    ])
  }

  /** The whole map in sight. */
  fit(): void {
    const { frame, map } = this
    const k = Math.min(frame.clientWidth / map.width, frame.clientHeight / map.height) * 0.98
    this.to(k, { x: map.left + map.width / 2, y: map.top + map.height / 2 }, false)
  }

  /** Where most of these places are, large enough to read; false if none is on the map. */
  start(places: string[]): boolean {
    const spots = places.map((p) => this.map.hexes.get(p)).filter((p) => p !== undefined)
    if (!spots.length) return false
    const xs = spots.map((p) => p.x).sort((a, b) => a - b)
    const ys = spots.map((p) => p.y).sort((a, b) => a - b)
    const at = (n: number[], share: number) => n[Math.floor((n.length - 1) * share)] ?? 0
    const wide = Math.max(at(xs, 0.95) - at(xs, 0.05) + 400, 900)
    const high = Math.max(at(ys, 0.95) - at(ys, 0.05) + 400, 700)
    const k = Math.min(this.frame.clientWidth / wide, this.frame.clientHeight / high, 1)
    this.to(Math.max(k, START / this.map.across), { x: at(xs, 0.5), y: at(ys, 0.5) }, false)
    return true
  }

  to(k: number, { x, y }: Spot, smooth = true): void {
    const [w, h] = [this.frame.clientWidth, this.frame.clientHeight]
    const free = zoomIdentity.translate(w / 2 - (x - this.map.left) * k, h / 2 - (y - this.map.top) * k).scale(k)
    const t = this.behaviour.constrain()(free, [[0, 0], [w, h]], this.behaviour.translateExtent())
    if (smooth && settings.speed > 0) this.glide(t.k, t.x, t.y)
    else this.selection.call(this.behaviour.transform, t)
    if (!smooth) this.rested()
  }

  /** Move the map there in a few frames. */
  private glide(k: number, x: number, y: number): void {
    const start = performance.now()
    const from = this.now
    const long = 180 / settings.speed
    const frameStep = () => {
      const t = Math.min(1, (performance.now() - start) / long)
      const e = t * (2 - t)
      const mix = (a: number, b: number) => a + (b - a) * e
      this.selection.call(this.behaviour.transform, zoomIdentity.translate(mix(from.x, x), mix(from.y, y)).scale(mix(from.k, k)))
      if (t < 1) requestAnimationFrame(frameStep)
    }
    requestAnimationFrame(frameStep)
  }

  zoomBy(factor: number): void {
    this.selection.call(this.behaviour.scaleBy, factor)
  }

  panBy(dx: number, dy: number): void {
    this.selection.call(this.behaviour.translateBy, dx / this.now.k, dy / this.now.k)
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

  /** Bring a place into sight if it is not; what is in sight stays where it is. */
  reveal(place: string): void {
    const spot = this.map.middle(place)
    if (spot && !this.inSight(spot)) this.to(this.now.k, spot)
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
