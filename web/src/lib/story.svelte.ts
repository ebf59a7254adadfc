// What happened since one's last decision, told step by step: each event moves what it names on a copy of the board as
// it was, until the board as it is takes over.
import type { Event, SideView } from '../api/types'
import { wayOf } from './moves'
import { settings } from './settings.svelte'

export interface Told extends Event {
  by: string
}

const PAUSE = 900

/** Whether an event tells the checks behind it. */
export const hasTrace = (e: Event): boolean => {
  const trace = e['trace']
  return Array.isArray(trace) ? trace.length > 0 : typeof trace === 'object' && trace !== null
}

/** The hexes an event is about. */
export const placesOf = (e: Event): string[] =>
  [e['hex'], e['to'], e['target']].flatMap((v) => (typeof v === 'string' ? [v] : Array.isArray(v) ? v.map(String) : []))

export class Story {
  events: Told[] = $state.raw([])
  at = $state(0)
  playing = $state(false)
  table: SideView | null = $state.raw(null)
  private start: SideView | null = null
  private timer = 0

  /** Tell the events; few or quiet ones are not worth a story. */
  tell(before: SideView, events: Told[], speed: number): void {
    this.stop()
    this.events = events
    this.start = before
    this.at = events.length
    const moving = events.filter((e) => moved(e)).length
    if (speed > 0 && moving > 1) this.play()
  }

  play(): void {
    if (!this.start || !this.events.length) return
    if (this.at >= this.events.length) this.show(0)
    this.playing = true
    this.next()
  }

  pause(): void {
    this.playing = false
    clearTimeout(this.timer)
  }

  stop(): void {
    this.pause()
    this.table = null
    this.at = this.events.length
  }

  step(by: number): void {
    this.pause()
    this.show(Math.min(Math.max(this.at + by, 0), this.events.length))
  }

  private next(): void {
    this.timer = window.setTimeout(() => {
      if (!this.playing) return
      this.show(this.at + 1)
      if (this.at >= this.events.length) this.stop()
      else this.next()
    }, PAUSE / (settings.speed || 1))
  }

  private show(n: number): void {
    this.at = n
    if (!this.start || n >= this.events.length) {
      this.table = null
      return
    }
    const places = new Map<string, string>()
    for (const event of this.events.slice(0, n)) {
      const move = moved(event)
      if (move) places.set(move.unit, move.to)
    }
    const pieces = this.start.pieces.map((p) => (places.has(p.id) ? { ...p, place: places.get(p.id) ?? p.place } : p))
    this.table = { ...this.start, pieces }
  }
}

/** The unit an event moves, if it names one and where it goes. */
export function moved(e: Event): { unit: string; to: string } | null {
  const found = wayOf(e)
  const to = found?.way.at(-1)
  return found && to !== undefined ? { unit: found.unit, to } : null
}
