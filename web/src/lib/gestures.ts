// How a drawing lies under its frame, and the hand that moves it: drag, wheel, two fingers.

export interface Lie {
  /** Where the drawing's corner lies in the frame, in pixels, and how much it is stretched. */
  readonly x: number
  readonly y: number
  readonly k: number
}

type Spot = { x: number; y: number }

/** A pointer that moved no more than so many pixels has clicked. */
const STILL = 4

export class Gestures {
  now: Lie = { x: 0, y: 0, k: 1 }
  /** Between these it may be stretched. */
  scales: [number, number] = [0.08, 2.5]
  /** What of the drawing may be seen. */
  bounds = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity }
  private readonly pointers = new Map<number, Spot>()
  private travelled = 0
  private readonly forget = new AbortController()

  /** `moved` is told whether it was by hand; `held`: something else is dragged. */
  constructor(
    private readonly frame: HTMLElement,
    private readonly moved: (byHand: boolean) => void,
    private readonly held: () => boolean,
  ) {
    const { signal } = this.forget
    frame.addEventListener('pointerdown', (e) => this.down(e), { signal })
    frame.addEventListener('wheel', (e) => this.wheel(e), { signal, passive: false })
    // The middle button would begin to scroll the page.
    frame.addEventListener('mousedown', (e) => e.button === 1 && e.preventDefault(), { signal })
    window.addEventListener('pointermove', (e) => this.move(e), { signal })
    for (const type of ['pointerup', 'pointercancel'] as const) window.addEventListener(type, (e) => this.up(e), { signal })
    frame.addEventListener('dragstart', (e) => e.preventDefault(), { signal })
    // What was a drag is no click.
    frame.addEventListener('click', (e) => this.travelled > STILL && e.stopPropagation(), { signal, capture: true })
  }

  close(): void {
    this.forget.abort()
  }

  set(lie: Lie, byHand = false): void {
    this.now = lie
    this.moved(byHand)
  }

  /** The nearest lie in which no more is seen than may be. */
  within({ x, y, k }: Lie): Lie {
    const { left, top, right, bottom } = this.bounds
    return {
      x: inside(x, k, this.frame.clientWidth, left, right),
      y: inside(y, k, this.frame.clientHeight, top, bottom),
      k,
    }
  }

  scaleBy(factor: number, at: Spot = { x: this.frame.clientWidth / 2, y: this.frame.clientHeight / 2 }, byHand = false): void {
    const { x, y, k } = this.now
    const next = Math.min(Math.max(k * factor, this.scales[0]), this.scales[1])
    this.set(this.within({ x: at.x - ((at.x - x) / k) * next, y: at.y - ((at.y - y) / k) * next, k: next }), byHand)
  }

  moveBy(dx: number, dy: number, byHand = false): void {
    const { x, y, k } = this.now
    this.set(this.within({ x: x + dx, y: y + dy, k }), byHand)
  }

  private spot(event: MouseEvent): Spot {
    const box = this.frame.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }

  private down(event: PointerEvent): void {
    if (!this.pointers.size) this.travelled = 0
    if (this.held() || event.ctrlKey || event.button > 1) return
    this.pointers.set(event.pointerId, this.spot(event))
  }

  private move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId)
    if (!before) return
    if (event.pointerType === 'mouse' && !event.buttons) return this.up(event) // it was let go beyond the window
    const at = this.spot(event)
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1]
    this.pointers.set(event.pointerId, at)
    this.travelled += Math.hypot(at.x - before.x, at.y - before.y)
    if (!other) return this.moveBy(at.x - before.x, at.y - before.y, true)
    const apart = (spot: Spot) => Math.hypot(spot.x - other.x, spot.y - other.y)
    this.moveBy((at.x - before.x) / 2, (at.y - before.y) / 2, true)
    if (apart(before) > 0) this.scaleBy(apart(at) / apart(before), { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 }, true)
  }

  private up(event: PointerEvent): void {
    this.pointers.delete(event.pointerId)
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault()
    const step = event.deltaMode === 1 ? 0.05 : event.deltaMode ? 1 : 0.002
    this.scaleBy(2 ** (-event.deltaY * step * (event.ctrlKey ? 10 : 1)), this.spot(event), true)
  }
}

/** Where one side of the drawing lies so that its bounds fill the frame, or are in the middle of it. */
function inside(at: number, k: number, size: number, low: number, high: number): number {
  const before = -at / k - low
  const behind = (size - at) / k - high
  const shift = behind > before ? (before + behind) / 2 : Math.min(0, before) || Math.max(0, behind)
  return at + (Number.isFinite(shift) ? shift * k : 0)
}
