// What happened since one looked last, told beat by beat on a copy of the board as it was. The server keeps what was
// seen; more of it that comes while it is told is put on at the end.
import type { Chapter, Line, Recap, SideView } from '../api/types'
import { beatsOf, linesOf, tableAfter, type Beat } from './beats'
import { moved } from './events'
import { want } from './faces.svelte'
import { settings } from './settings.svelte'
import type { TableState } from './table.svelte'
import { sentence } from './text'

const PAUSE = 900
/** An enemy's actions come in quick succession: what happened is asked for so much later. */
const SOON = 700

export class Telling {
  doc: Recap | null = $state.raw(null)
  /** So many beats have been shown. */
  at = $state(0)
  playing = $state(false)
  /** The telling lies over the board as it is. */
  on = $state(false)
  onlyBattles = $state(false)
  private start: SideView | null = $state.raw(null)
  private timer = 0
  private later = 0
  /** Nothing is decided before one was told what happened. */
  loading: Promise<void> | null = $state.raw(null)
  /** When this device was last in the hands of who decides: what came since then may be told by itself. */
  private calm = 0
  private heard = 0

  beats: Beat[] = $derived(this.doc ? beatsOf(this.doc, (c) => !this.onlyBattles || c.kind === 'battle') : [])
  beat: Beat | undefined = $derived(this.on ? this.beats[this.at - 1] : undefined)
  chapter: Chapter | undefined = $derived(this.beat && this.doc?.chapters[this.beat.chapter])
  lines: Line[] = $derived(this.beat && this.doc ? linesOf(this.doc, this.beat) : [])
  table: SideView | null = $derived(
    this.on && this.doc && this.start ? tableAfter(this.start, this.doc, this.beats, this.at) : null,
  )
  /** Worth a look: something of it is not one's own doing. */
  count: number = $derived(this.doc?.chapters.length ?? 0)

  constructor(private readonly game: TableState) {}

  /** The seat's person has just acted, at that action: what comes now has not been heard. */
  acted(number: number): void {
    this.heard = number
    this.calm = performance.now()
  }

  /** Nothing is to be told. */
  clear(): void {
    this.stop()
    this.doc = null
    this.start = null
  }

  close(): void {
    this.stop()
    clearTimeout(this.later)
  }

  /** More has happened: at once for who must decide, a moment later for who looks on. */
  soon(): void {
    clearTimeout(this.later)
    const view = this.game.view
    if (view?.question?.side === view?.seat) {
      const loading = this.refresh().finally(() => {
        if (this.loading === loading) this.loading = null
      })
      this.loading = loading
    } else this.later = window.setTimeout(() => void this.refresh(), SOON)
  }

  /** What happened since one has seen it, or since an action of the log. */
  private async refresh(since?: number): Promise<void> {
    const { game } = this
    const view = game.view
    if (view?.waiting.length) return
    const begun = performance.now()
    try {
      await this.load(since ?? (view?.seat ? undefined : this.doc?.since ?? game.log.length))
      if (game.view?.version === view?.version && (view?.question?.side === view?.seat || view?.outcome)) this.offer(begun)
    } catch (e) {
      game.tell(sentence(e), '', 'error')
    }
  }

  /** Tell the game from an earlier action on. */
  async from(n: number): Promise<void> {
    this.game.past = null
    await this.refresh(n)
    this.play(0)
  }

  /** All of it was seen: the game goes on. */
  async allSeen(): Promise<void> {
    const { game, doc } = this
    this.stop()
    if (!game.seat || !doc || !game.view?.seat) return
    try {
      await game.seat.seen(doc.until)
      await this.load()
    } catch (e) {
      game.tell(sentence(e), '', 'error')
    }
  }

  /** Bring it up to date. What is being told goes on from where it is. */
  private async load(since?: number): Promise<void> {
    const { seat } = this.game
    if (!seat) return
    const doc = await seat.recap(since)
    const same = this.doc?.since === doc.since
    if (!same) {
      this.stop()
      this.at = 0
      this.start = doc.chapters.length ? await seat.at(doc.since) : null
    } else if (!this.start && doc.chapters.length) this.start = await seat.at(doc.since)
    this.doc = doc
    const shown = doc.chapters.flatMap((c) => c.changes.flatMap((x) => (x.after ? [x.after] : [])))
    void want([...(this.start?.pieces ?? []), ...shown]).catch(() => undefined)
  }

  /** Tell by itself what had come, at that time, faster than anybody could follow: however long it took to be asked for. */
  private offer(time: number): void {
    if (this.on || settings.speed <= 0 || !this.doc || !this.start) return
    const first = this.beats.findIndex((b) => linesOf(this.doc as Recap, b).some((l) => l.entry > this.heard))
    if (first < 0) return
    const fresh = this.beats.slice(first)
    const worth = fresh.flatMap((b) => linesOf(this.doc as Recap, b)).filter((l) => moved(l.event) || l.dice.length)
    const long = (fresh.length * PAUSE) / settings.speed
    if (worth.length > 1 && time - this.calm < Math.max(long, 4000)) this.play(first)
    this.heard = this.doc.until
  }

  play(from?: number): void {
    if (!this.start || !this.beats.length) return
    if (from !== undefined) this.at = from
    else if (!this.on || this.at >= this.beats.length) this.at = 0
    this.on = true
    this.playing = true
    clearTimeout(this.timer)
    this.next(300)
  }

  pause(): void {
    this.playing = false
    clearTimeout(this.timer)
  }

  /** Back to the board as it is. */
  stop(): void {
    this.pause()
    this.on = false
  }

  step(by: number): void {
    this.pause()
    this.on = true
    this.at = Math.min(Math.max(this.at + by, 0), this.beats.length)
  }

  /** To the beginning of a chapter. */
  show(chapter: number): void {
    const first = this.beats.findIndex((b) => b.chapter === chapter)
    if (first < 0 || !this.start) return
    this.pause()
    this.on = true
    this.at = first + 1
  }

  private next(wait: number): void {
    this.timer = window.setTimeout(() => {
      if (!this.playing) return
      if (this.at >= this.beats.length) this.stop()
      else {
        this.at++
        this.next(PAUSE / (settings.speed || 1))
      }
    }, wait)
  }
}
