// The state of one table as this device sees it: view, what has been pointed at, what may be done, log and replay.
import { ApiError, mapSvg, Seat } from '../api/client'
import { CHOICE } from '../api/types'
import type { Choice, Coming, Goal, LogEntry, Notify, Overlays, Piece, Preview, SideView, View, Wanted } from '../api/types'
import { called, calledWord, openNames } from './called.svelte'
import { Advising } from './advice.svelte'
import { Ahead } from './ahead.svelte'
import { say } from './announce.svelte'
import { isPicked, like, NOTHING, offer, read, target, type Offer, type Picked } from './choices'
import { want } from './faces.svelte'
import { MapSheet } from './map'
import { lastMoves } from './moves'
import { rolledIn, type Rolled } from './rolled'
import { Folk } from './folk.svelte'
import { notice } from './notices'
import { settings } from './settings.svelte'
import { Telling } from './recap.svelte'
import { chime } from './sound'
import { namePlace, tellPlace } from './places'
import { sentence } from './text'
import { held, hold, WATCH } from './tokens'

export interface Message {
  text: string
  rule: string
  kind: 'refusal' | 'error' | 'news'
}

export class TableState {
  readonly id: string
  view: View | null = $state.raw(null)
  map: MapSheet | null = $state.raw(null)
  log: LogEntry[] = $state.raw([])
  trouble = $state('')
  connected = $state(true)
  busy = $state(false)

  picked: Picked = $state.raw(NOTHING)
  /** The choice that waits for a yes, with what it would do. */
  proposed: { choice: Choice; preview: Preview | null } | null = $state.raw(null)
  /** Attacks a program would still make, while it is asked whether the phase is to end without them. */
  wanted: Wanted[] = $state.raw([])
  hovered = $state('')
  cursor = $state('')
  fanned = $state('')
  message: Message | null = $state.raw(null)
  overlays: Overlays = $state.raw({})
  shownOverlays: string[] = $state([])
  /** The game's overlays and the moves of the last events. */
  allOverlays: Overlays = $derived({ ...this.overlays, ...lastMoves(this.log, this.view?.table.pieces ?? []) })
  past: { n: number; table: SideView } | null = $state.raw(null)
  curtain = $state('')
  /** The last dice and what came of them, while the question is still about it. */
  rolled: Rolled | null = $state.raw(null)
  /** What the scenario is about, in its own words. */
  about = $state('')
  /** How verbs read, as the game wants it. */
  phrases: Record<string, string> = $state.raw({})
  /** Verbs that a click means only with Shift, or where nothing else is meant. */
  aside: string[] = $state.raw([])
  /** Verbs that begin an attack. */
  opens: string[] = $state.raw([])
  /** Units that are to go together, and where all of them can go. */
  together: string[] = $state.raw([])
  private common: Set<string> = $state.raw(new Set())
  readonly recap = new Telling(this)
  readonly ahead = new Ahead(this)
  readonly folk = new Folk()
  readonly advice = new Advising(this)
  /** This device has no seat here. */
  lost = $state(false)

  seat: Seat | null = null
  private hangUp: (() => void) | null = null
  /** A view that came and is not shown yet. */
  private awaited: View | null = null
  private arriving: Promise<void> | null = null

  constructor(id: string) {
    this.id = id
  }

  // --- what is shown -------------------------------------------------------------------------------------------------

  table: SideView | null = $derived(this.past?.table ?? this.recap.table ?? this.view?.table ?? null)
  live = $derived(!this.past && !this.recap.table)
  /** Nothing is decided while a lesson is read. */
  reading = $derived(!!this.view?.lesson?.ready)
  mine = $derived(!!this.view?.question && this.view.question.side === this.view.seat && this.live && !this.reading)
  offer: Offer = $derived(
    this.mine && !this.curtain
      ? offer(this.view?.question?.choices ?? [], this.picked, this.view?.table.cards ?? [])
      : offer([], NOTHING),
  )
  /** Hexes that can be chosen now. */
  places: Set<string> = $derived(this.together.length ? this.common : this.offer.places)
  /** Units that have not moved. */
  movers: Set<string> = $derived(new Set(this.offer.choices.filter((c) => c.verb === 'move').map(mover)))
  stacks: Map<string, Piece[]> = $derived.by(() => {
    const by = new Map<string, Piece[]>()
    for (const p of this.table?.pieces ?? []) {
      const list = by.get(p.place)
      if (list) list.push(p)
      else by.set(p.place, [p])
    }
    return by
  })
  pieces: Map<string, Piece> = $derived(new Map((this.table?.pieces ?? []).map((p) => [p.id, p])))

  // --- opening -------------------------------------------------------------------------------------------------------

  async open(): Promise<void> {
    try {
      const link = location.hash.slice(1)
      const linked = link ? new Seat(this.id, link) : null
      const given = linked && (await linked.view())
      if (given) {
        hold(this.id, given.seat || WATCH, link)
        history.replaceState(null, '', location.pathname)
      }
      const tokens = held(this.id)
      const token = tokens[this.view?.seat ?? ''] ?? Object.entries(tokens).find(([s]) => s !== WATCH)?.[1] ?? tokens[WATCH]
      if (!token) {
        this.lost = true
        return
      }
      const seat = linked && token === link ? linked : new Seat(this.id, token)
      this.seat = seat
      const story = Promise.all([seat.log(0), openNames(seat)])
      const view = given && seat === linked ? given : await seat.view()
      void want(view.table.pieces).catch(() => undefined) // asked for again, and told of, when they are shown
      const [svg, [log]] = await Promise.all([mapSvg(view.game, view.scenario), story])
      this.map = new MapSheet(svg)
      this.log = log
      this.recap.acted(0)
      this.show(view, log.slice(-LATEST))
      this.connect()
    } catch (e) {
      if (e instanceof ApiError && e.status === 403) this.lost = true
      else this.trouble = sentence(e)
    }
  }

  close(): void {
    this.hangUp?.()
    this.recap.close()
    this.ahead.close()
  }

  private connect(): void {
    this.hangUp?.()
    this.hangUp =
      this.seat?.live(
        (v) => void this.receive(v),
        (on) => {
          if (on && !this.connected) {
            void this.refreshLog()
            if (this.seat) void this.folk.sit(this.seat, this.view?.seat ?? '')
          }
          this.connected = on
        },
        (doc) => this.folk.hear(doc),
      ) ?? null
    if (this.seat) void this.folk.sit(this.seat, this.view?.seat ?? '')
  }

  /** The seats of this table that this device holds. */
  get seats(): string[] {
    return Object.keys(held(this.id)).filter((s) => s !== WATCH)
  }

  /** A view has come. What led to it is asked for first, so that it can be told from where the board stood before. */
  private async receive(view: View): Promise<void> {
    const before = this.view
    const known = this.awaited?.seat === view.seat ? this.awaited : before
    if (known && known.seat === view.seat && view.version < known.version) return
    if (!before || before.seat !== view.seat || before.version === view.version) {
      this.show(view)
      return
    }
    this.awaited = view
    this.arriving ??= this.arrive().finally(() => (this.arriving = null))
    await this.arriving
  }

  private async arrive(): Promise<void> {
    const known = this.log.length
    while (this.awaited) {
      const view = this.awaited
      await this.newEntries()
      if (this.awaited.version !== view.version) continue
      this.awaited = null
      this.show(view, this.log.slice(known))
    }
  }

  private show(view: View, fresh: LogEntry[] = []): void {
    const before = this.view
    const came = !!before && before.waiting.length !== view.waiting.length
    const changed = !before || before.version !== view.version || before.seat !== view.seat || came
    this.view = view
    want(view.table.pieces).catch((e: unknown) => this.tell(sentence(e), '', 'error'))
    if (!changed) return
    this.ahead.forget()
    this.unpick()
    this.message = null
    this.advice.forget()
    if (before && fresh.some((e) => e.dice.length)) chime('dice')
    this.rolled = rolledIn(fresh, !!about(view), this.rolled, before?.question?.hexes ?? [])
    const events = fresh.flatMap((e) => e.events.map((event) => ({ ...event, by: e.side })))
    if (before) for (const event of events.slice(-3)) say(event.what)
    if (quiet(view, fresh) && before?.seat === view.seat) this.recap.clear()
    else if (!before || before.seat !== view.seat || before.version !== view.version) this.recap.soon()
    if (this.shownOverlays.length) void this.loadOverlays()
    this.sayPrompt()
    if (view.question?.side === view.seat) {
      if (before && before.question?.side !== view.seat) {
        chime('turn')
        void notice(this.id, 'Your turn', `${view.table.turn}: ${view.question.prompt}`)
      }
      void this.ahead.look(view)
    }
    const asked = view.question?.side ?? ''
    if (asked && asked !== view.seat && held(this.id)[asked]) void this.sit(asked)
  }

  /** Take another of the seats this device holds (two players at one screen). */
  async sit(side: string): Promise<void> {
    const token = held(this.id)[side]
    if (!token) return
    if (settings.curtain && this.view && this.view.seat !== side) this.curtain = side
    this.seat = new Seat(this.id, token)
    const view = await this.seat.view()
    if (view.version !== this.view?.version) await this.newEntries()
    await this.receive(view)
    this.connect()
  }

  /** The log is brought up to date. */
  private async newEntries(): Promise<void> {
    const known = this.log.length
    try {
      const total = (await this.seat?.log(known)) ?? []
      if (total.length) this.log = [...this.log, ...total.filter((e) => e.number > known)]
      else this.log = (await this.seat?.log(0)) ?? []
    } catch (e) {
      this.tell(sentence(e), '', 'error')
    }
  }

  /** After a lost connection the log may have missed something. */
  private async refreshLog(): Promise<void> {
    try {
      this.log = (await this.seat?.log(0)) ?? this.log
      this.message = null
    } catch (e) {
      this.tell(sentence(e), '', 'error')
    }
  }

  private sayPrompt(): void {
    const q = this.view?.question
    if (!q) return
    say(q.side === this.view?.seat ? `Your decision: ${q.prompt} Rule ${q.rule}.` : `${q.side} decides: ${q.prompt}`)
  }

  // --- pointing ------------------------------------------------------------------------------------------------------

  unpick(): void {
    this.picked = NOTHING
    this.proposed = null
    this.fanned = ''
    this.together = []
    this.ahead.rest()
  }

  /** One step back: a waiting question, then what was picked last. */
  back(): void {
    if (this.past) void this.look(this.log.length)
    else if (this.recap.on) this.recap.stop()
    else if (this.message) this.message = null
    else if (this.proposed && this.offer.choices.length > 1) this.proposed = null
    else if (this.proposed) this.unpick() // a single choice was picked with it
    else if (this.fanned) {
      this.fanned = ''
      document.querySelector<HTMLElement>('.frame')?.focus({ preventScroll: true })
    }
    else if (this.picked.place) this.picked = { ...this.picked, place: '' }
    else this.unpick()
  }

  pick(change: Partial<Picked>, aside = false): void {
    this.picked = { ...this.picked, ...change }
    this.proposed = null
    this.message = null
    this.fanned = ''
    this.together = []
    const all = this.offer.choices
    const wanted = change.place ? all.filter((c) => this.aside.includes(c.verb) === aside) : all
    const only = wanted.length ? wanted : all
    const attack = change.place && only.every((c) => this.opens.includes(c.verb))
    if ((only.length === 1 || attack) && only[0]) void this.propose(only[0])
    else if (change.unit && only.some((c) => c.verb === 'move' && mover(c) === change.unit && !target(c))) void this.take([change.unit], true)
    else if (this.picked.unit) void this.ahead.loadCosts()
  }

  pickUnit(id: string): void {
    if (!this.mine) return
    if (this.picked.unit === id || this.picked.units.includes(id)) {
      this.picked = { ...this.picked, unit: '', units: this.picked.units.filter((u) => u !== id), place: '' }
      this.ahead.costs = new Map()
      return
    }
    const all = this.view?.question?.choices ?? []
    const inGroup = this.offer.choices.some((c) => c.units.includes(id) && c.unit !== id)
    if (inGroup) return this.pick({ units: [...this.picked.units, id] })
    if (this.offer.units.has(id)) return this.pick({ unit: id })
    if (all.some((c) => c.unit === id)) {
      this.picked = NOTHING
      return this.pick({ unit: id })
    }
    void this.askWhy({ unit: id })
  }

  /** A click on a hex or box. */
  pickPlace(place: string, aside = false): void {
    this.cursor = place
    this.message = null
    if (!this.mine) {
      this.fanned = this.fanned === place ? '' : (this.stacks.get(place)?.length ?? 0) > 1 ? place : ''
      return
    }
    if (this.together.length && this.common.has(place)) return void this.goTogether(place)
    const going = this.together
    this.together = []
    const units = (this.stacks.get(place) ?? []).filter((p) => this.offer.units.has(p.id))
    const here = this.offer.places.has(place)
    if (here && !units.length) return this.pick({ place }, aside)
    if (units.length === 1 && units[0] && !here) return this.pickUnit(units[0].id)
    if (units.length || here) {
      this.fanned = place
      if (here) this.picked = { ...this.picked, place: '' }
      else if (units.length > 1 && units.every((p) => this.movers.has(p.id))) void this.take(units.map((p) => p.id))
      return
    }
    const standing = this.stacks.get(place) ?? []
    if (going.length && standing.some((p) => p.side !== this.view?.seat)) {
      const who = going.map(called)
      return this.tell(`An enemy holds ${this.namePlace(place)}: ${who.join(', ')} cannot move there.`, '', 'refusal')
    }
    const all = this.view?.question?.choices ?? []
    const other = standing.filter((p) => all.some((c) => c.unit === p.id))
    if (other.length === 1 && other[0]) return this.pickUnit(other[0].id)
    if (other.length > 1) {
      this.picked = NOTHING
      this.fanned = place
      return
    }
    void this.askWhy(standing.length && !this.picked.unit && standing[0] ? { unit: standing[0].id } : { place })
  }

  /** These units are to go together: where can all of them go? A single one `stays` picked for what else it may do. */
  async take(units: string[], stays = false): Promise<void> {
    const seat = this.seat
    if (!seat) return
    this.together = units
    this.common = new Set()
    if (!stays) this.picked = NOTHING
    try {
      const found = await seat.march(units)
      if (this.together === units) this.common = new Set(found.places)
    } catch (e) {
      this.together = []
      this.tell(sentence(e), '', 'error')
    }
  }

  async goTogether(place: string): Promise<void> {
    const units = this.together
    const found = await this.seat?.march(units, place).catch(() => null)
    if (!found?.do.length) return void this.askWhy({ place })
    await this.change((seat, version) => seat.plan(version, found.do))
    if (found.left.length) this.tell(`${found.left.map(called).join(', ')} cannot follow and ${found.left.length > 1 ? 'stay' : 'stays'} behind.`, '', 'news')
  }

  pickCard(id: string): void {
    if (this.offer.cards.has(id)) this.pick({ card: id })
    else if (this.picked.card === id) this.unpick()
  }

  /** Choices that lead to this place as things stand. */
  choicesAt(place: string): Choice[] {
    return this.offer.choices.filter((c) => target(c) === place)
  }

  private async askWhy(what: { unit?: string; place?: string }): Promise<void> {
    const q = this.view?.question
    if (!q || !this.seat) return
    const text = like(this.offer.choices, what) || like(q.choices, what)
    let told = { rule: q.rule, reason: `Nothing can be chosen there now. ${q.prompt}` }
    if (text) {
      try {
        told = (await this.seat.why(text)) ?? told
      } catch (e) {
        if (!(e instanceof ApiError) || e.status !== 400) return this.tell(sentence(e), '', 'error')
      }
    }
    this.tell(told.reason, told.rule, 'refusal')
  }

  tell(text: string, rule: string, kind: Message['kind']): void {
    this.message = { text: text.charAt(0).toUpperCase() + text.slice(1), rule, kind }
    say(rule ? `${text} Rule ${rule}.` : text, kind !== 'news')
  }

  hover(place: string): void {
    if (this.hovered === place) return
    this.hovered = place
    if (!this.proposed && this.mine) this.ahead.at(place)
  }

  // --- acting --------------------------------------------------------------------------------------------------------

  /** Do it, or ask first where it cannot be taken back. */
  async propose(choice: Choice): Promise<void> {
    if (!this.seat || this.busy) return
    if (settings.confirm === 'never' && choice.verb !== 'pass') return this.act(choice)
    let preview: Preview | null = null
    try {
      preview = await this.seat.preview(choice.text, true)
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      return this.tell(e.message, e.rule, e.status === 409 ? 'refusal' : 'error')
    }
    if (preview.plan && preview.undoable) return this.follow(preview.plan)
    if (preview.ways?.length && this.opens.includes(choice.verb)) {
      this.ahead.ways = preview.ways
      this.ahead.shown = { text: choice.text, doc: preview }
      return
    }
    if (this.lesson) return this.act(choice) // whatever it is, it can be taken back
    const said = preview.warnings?.filter((w) => w.level !== 'idle' || settings.left) ?? []
    const asks = { never: said.some((w) => w.level === 'loss'), final: !preview.undoable || said.length > 0, always: true }
    if (!asks[settings.confirm]) return this.act(choice)
    preview.warnings = said
    this.proposed = { choice, preview }
    this.wanted = []
    if (said.some((w) => w.level === 'idle') && this.offer.choices.some((c) => c.verb === 'attack' || this.opens.includes(c.verb))) {
      const asked = this.proposed
      void this.seat.wanted().then((found) => { if (this.proposed === asked) this.wanted = found }).catch(() => undefined)
    }
    this.ahead.ways = []
    this.ahead.shown = { text: choice.text, doc: preview }
    say(`${this.read(choice)}. ${preview.undoable ? 'Can be undone.' : 'Cannot be undone.'} Enter to do it, Escape to go back.`)
  }

  async act(choice: Choice): Promise<void> {
    await this.change((seat, version) => seat.act(version, choice.text))
  }

  /** An attack with the group that best makes it: it stands ready, and can be changed or called off. */
  async follow(plan: string[]): Promise<void> {
    await this.change((seat, version) => seat.plan(version, plan))
  }

  lesson = $derived(this.view?.lesson ?? null)

  /** The lesson's next step. */
  async goOn(): Promise<void> {
    await this.change((seat, version) => seat.act(version, 'next'))
  }

  async teach(what: 'again' | 'back' | 'try'): Promise<void> {
    await this.change((seat, version) => seat.teach(version, what))
  }

  coming = async (): Promise<Coming[]> => (await this.seat?.coming()) ?? []
  goal = async (): Promise<Goal | null> => (await this.seat?.goal()) ?? null

  async undo(): Promise<void> {
    if (this.view?.can_undo) await this.change((seat, version) => seat.undo(version))
  }

  private async change(what: (seat: Seat, version: number) => Promise<{ view: View }>): Promise<void> {
    if (!this.seat || !this.view || this.busy) return
    this.busy = true
    const telling = this.recap.on
    try {
      await this.recap.loading
      if (this.recap.on && !telling) return // first hear what happened
      this.recap.acted(this.log.length)
      await this.receive((await what(this.seat, this.view.version)).view)
      await this.recap.loading
    } catch (e) {
      if (e instanceof ApiError && e.view) await this.receive(e.view)
      this.proposed = null
      if (this.lesson?.said) return this.unpick()
      this.tell(sentence(e), e instanceof ApiError ? e.rule : '', 'error')
    } finally {
      this.busy = false
    }
  }

  // --- asking ---------------------------------------------------------------------------------------------------------

  notified = () => this.seat?.notify()
  setNotified = (n: Notify) => this.seat?.setNotify(n)

  /** One question of `kessel analyze` about the position now. */
  ask = async (question: Record<string, unknown>): Promise<Record<string, unknown>> => (await this.seat?.ask(question)) ?? {}

  async loadOverlays(): Promise<void> {
    try {
      this.overlays = (await this.seat?.overlays()) ?? {}
    } catch (e) {
      this.tell(sentence(e), '', 'error')
    }
  }

  async toggleOverlay(name: string): Promise<void> {
    if (!Object.keys(this.overlays).length) await this.loadOverlays()
    const on = this.shownOverlays.includes(name)
    this.shownOverlays = on ? this.shownOverlays.filter((n) => n !== name) : [...this.shownOverlays, name]
    say(`${name} ${on ? 'hidden' : 'shown'}`)
  }

  // --- looking back --------------------------------------------------------------------------------------------------

  /** The board after n actions; after the last it is the present. */
  async look(n: number): Promise<void> {
    this.recap.stop()
    if (!this.seat || n >= this.log.length) {
      this.past = null
      return
    }
    try {
      const table = await this.seat.at(Math.max(n, 0))
      await want(table.pieces)
      this.past = { n: Math.max(n, 0), table }
      const entry = this.log[n - 1]
      say(entry ? `After action ${n}: ${entry.side} ${entry.text}` : 'The start')
    } catch (e) {
      this.tell(sentence(e), '', 'error')
    }
  }

  // --- words ---------------------------------------------------------------------------------------------------------

  read = (choice: Choice): string => read(choice, this.view?.table.cards, this.phrases, calledWord)

  /** A choice of the question, from its notation. */
  readListed(text: string): string {
    const listed = this.view?.question?.choices.find((c) => c.text === text)
    return listed ? this.read(listed) : this.readText(text)
  }

  /** An action of the log, from its notation. */
  readText = (text: string): string => (text === 'pass' ? 'goes on' : this.read({ ...CHOICE, text }))

  namePlace = (place: string): string => namePlace(this.map, place)
  tellPlace = (place: string): string => tellPlace(this, place)

  /** All places where something can be chosen, in reading order. */
  get ringed(): string[] {
    const places = new Set(this.places)
    for (const u of this.offer.units) {
      const p = this.pieces.get(u)
      if (p) places.add(p.place)
    }
    const at = (p: string) => this.map?.middle(p) ?? { x: 0, y: 0 }
    return [...places].sort((a, b) => at(a).y - at(b).y || at(a).x - at(b).x)
  }

  get anythingPicked(): boolean {
    return isPicked(this.picked) || this.together.length > 0
  }
}

/** So many actions back the last dice are looked for when a table is opened. */
const LATEST = 60
/** Whether only the seat itself has acted, in its own turn, and nothing followed from it. */
const quiet = (view: View, fresh: LogEntry[]): boolean =>
  !!view.question && view.question.side === view.seat && !view.question.answer && fresh.length > 0 &&
  fresh.every((e) => e.side === view.seat && e.events.length <= 2)
const about = (view: View | null): string => view?.question?.hexes.join() ?? ''

const mover = (c: Choice): string => c.unit || (c.units.length === 1 ? (c.units[0] ?? '') : '')
