// What the server answers, as the client uses it. The shapes come from the server's OpenAPI document (schema.d.ts);
// the server leaves out what has its default value, so `full` puts the defaults back.
import type * as api from './schema'

export type Piece = Required<api.Piece>
export type Marker = Required<api.Marker>
export type Track = Required<api.Track>
export type Use = Required<api.Use>
export type Card = Omit<Required<api.Card>, 'uses' | 'tactics' | 'halves'> & { uses: Use[]; tactics: Use[]; halves: Required<api.Half>[] }
export type Choice = Omit<Required<api.Choice>, 'number'> & { number: number | null }
export type Scenario = Omit<Required<api.Scenario>, 'options'> & { options: Option[] }
export type Option = Required<api.Option>

export type SideView = Omit<Required<api.SideView>, 'pieces' | 'markers' | 'tracks' | 'cards'> & {
  pieces: Piece[]
  markers: Marker[]
  tracks: Track[]
  cards: Card[]
}

export type Question = Omit<Required<api.QuestionView>, 'choices'> & { choices: Choice[] }

export type Outcome = api.Outcome

export type Lesson = Required<api.LessonView> & { forbid: string | null }
export type Word = Required<api.Word>
export type Goal = Omit<api.Goal, 'objectives' | 'now'> & {
  objectives: Required<api.Objective>[]
  now: Required<api.Matter>[]
}

export type View = Omit<Required<api.View>, 'table' | 'question' | 'outcome' | 'lesson'> & {
  lesson: Lesson | null
  table: SideView
  question: Question | null
  outcome: Outcome | null
}

export interface Event {
  what: string
  rule: string
  [fact: string]: unknown
}

export type LogEntry = Omit<Required<api.LogEntry>, 'dice' | 'events'> & { dice: [number, number][]; events: Event[] }

export interface Line {
  entry: number
  event: Event
  dice: [number, number][]
}
export interface Change {
  unit: string
  side: string
  entry: number
  after: Piece | null
  lost: number
  gone: boolean
}
export type Chapter = Omit<Required<api.Told>, 'lines' | 'changes'> & { lines: Line[]; changes: Change[] }
export interface Recap {
  since: number
  until: number
  chapters: Chapter[]
  changes: Change[]
  sums: { lost: Record<string, number>; gone: Piece[]; control: Record<string, string>; tracks: [Track, Track][] }
}

export type Game = Omit<api.GameInfo, 'scenarios'> & { scenarios: Scenario[] }
export type TableRow = api.TableInfo
export type NewTable = api.Made
export type Taken = api.Taken
export type Invitation = api.Invitation
export type Refusal = api.Reason
export type Rule = api.Rule
export type Chart = api.Chart
export type Said = api.RuleText
export type Library = api.Library
export type Advice = api.Advice
export type Server = api.Server
export type Notify = Required<api.Notify>

/** What an action would do: a document of the game's own, drawn by the shapes of its parts. */
export type Preview = { undoable?: boolean; path?: string[]; cost?: number; warnings?: Caution[]; plan?: string[]; ways?: Way[] } & Record<string, unknown>

/** An attack carried on to its die: what the button says, the actions, how it then stands. */
export interface Way {
  says: string
  do: string[]
  at: string
}
export type Wanted = Required<api.Wanted>
export type Marching = api.Marching
export type Coming = Required<api.Coming>
export type People = api.People
export type Speech = api.Message

/** Something to be said before a phase is ended: what is lost for certain, what is at risk, what is left undone. */
export interface Caution {
  level: 'loss' | 'risk' | 'idle'
  what: string
  rule?: string
  units?: string[]
  hexes?: string[]
}

/** Named layers over the map: hexes with a word each, and lines from hex to hex. */
export interface Overlay {
  hexes?: string[] | Record<string, string>
  lines?: string[][]
  about?: string
}
export type Overlays = Record<string, Overlay | string[] | Record<string, string>>

const OPTION: Option = { id: '', name: '', rule: '', values: ['off', 'on'], default: 'off', about: '' }
const PIECE: Piece = {
  id: '', side: '', place: '', name: '', kind: 'infantry', size: '', values: '', steps: 1, full_steps: 1, nation: '',
  elite: 0, status: [], dot: '', formation: '', note: '',
}
const MARKER: Marker = { kind: '', place: '', text: '', side: '', hexside: '' }
const TRACK: Track = { name: '', value: 0, text: '', low: 0, high: 0, quiet: false }
const CARD: Card = { id: '', name: '', where: '', side: '', lines: [], value: '', about: '', uses: [], tactics: [], halves: [] }
const USE: Use = { word: '', says: '', rule: '', why: '' }
export const CHOICE: Choice = {
  text: '', verb: '', label: '', unit: '', units: [], place: '', path: [], hexside: '', number: null, word: '',
  words: [],
}

export function fullGame(g: api.GameInfo): Game {
  return {
    ...g,
    scenarios: g.scenarios.map((s) => ({
      about: '',
      length: '',
      first: false,
      part: '',
      ...s,
      options: (s.options ?? []).map((o) => ({ ...OPTION, ...o })),
    })),
  }
}

export function fullTable(t: api.SideView): SideView {
  // Who has moved is no less ready for it when all fight.
  const fights = /combat/i.test(t.phase ?? '')
  return {
    turn: t.turn,
    phase: t.phase ?? '',
    pieces: (t.pieces ?? []).map((p) => ({ ...PIECE, ...p, status: (p.status ?? []).filter((s) => !(fights && s === 'moved')) })),
    markers: (t.markers ?? []).map((m) => ({ ...MARKER, ...m })),
    tracks: (t.tracks ?? []).map((x) => ({ ...TRACK, ...x })),
    cards: (t.cards ?? []).map((c) => ({
      ...CARD,
      ...c,
      uses: (c.uses ?? []).map((u) => ({ ...USE, ...u })),
      tactics: (c.tactics ?? []).map((u) => ({ ...USE, ...u })),
      halves: (c.halves ?? []).map((h) => ({ counts: false, ...h })),
    })),
    control: t.control ?? {},
  }
}

const LESSON = {
  do: '', rules: [], units: [], hexes: [], arrow: [], overlay: '', fits: [], said: '', then: '', happened: [],
  forbid: null, reason: '', reason_rule: '', ready: false, finished: false, ours: '', scenario: '', seat: '',
}

export const fullWord = (w: api.Word): Word => ({ forms: [], rules: [], overlay: '', ...w })

export function fullGoal(g: api.Goal): Goal {
  return {
    ...g,
    objectives: g.objectives.map((o) => ({ name: '', worth: '', held: '', ...o })),
    now: g.now.map((m) => ({ hexes: [], ...m })),
  }
}

export function fullView(v: api.View): View {
  const q = v.question
  return {
    game: v.game,
    scenario: v.scenario,
    version: v.version,
    sides: v.sides,
    seat: v.seat,
    table: fullTable(v.table),
    question: q
      ? {
          side: q.side,
          rule: q.rule,
          prompt: q.prompt,
          procedure: q.procedure ?? '',
          step: q.step ?? '',
          choices: (q.choices ?? []).map((c) => ({ ...CHOICE, ...c }) as Choice),
          hexes: q.hexes ?? [],
          units: q.units ?? [],
          answer: q.answer ?? false,
        }
      : null,
    can_undo: v.can_undo ?? false,
    outcome: (v.outcome as unknown as Outcome | null) ?? null,
    commitment: v.commitment ?? '',
    waiting: v.waiting ?? [],
    lesson: v.lesson ? { ...LESSON, ...(v.lesson as api.LessonView) } as Lesson : null,
  }
}

export function fullEntry(e: api.LogEntry): LogEntry {
  return {
    number: e.number,
    side: e.side,
    text: e.text,
    dice: (e.dice ?? []) as [number, number][],
    events: (e.events ?? []) as unknown as Event[],
  }
}

/** A counter of a telling, in which everybody has moved at some time. */
const fullPiece = (p: api.Piece): Piece => ({ ...PIECE, ...p, status: (p.status ?? []).filter((s) => s !== 'moved') })
const fullChange = (c: api.Change): Change => ({ lost: 0, gone: false, ...c, after: c.after ? fullPiece(c.after) : null })

export function fullRecap(r: api.Recap): Recap {
  return {
    since: r.since,
    until: r.until,
    changes: (r.changes ?? []).map(fullChange),
    sums: {
      lost: r.sums.lost ?? {},
      gone: (r.sums.gone ?? []).map(fullPiece),
      control: r.sums.control ?? {},
      tracks: (r.sums.tracks ?? []).map((pair) => pair.map((t) => ({ ...TRACK, ...(t as api.Track) })) as [Track, Track]),
    },
    chapters: r.chapters.map((c) => ({
      rule: '', formation: '', places: [], first: 0, last: 0, answers: [], open: false,
      ...c,
      lines: (c.lines ?? []).map((l) => ({
        entry: l.entry,
        event: l.event as unknown as Event,
        dice: (l.dice ?? []) as [number, number][],
      })),
      changes: (c.changes ?? []).map(fullChange),
    })),
  }
}
