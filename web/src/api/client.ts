// Calls of the table's API (docs/table-api.md). Every failure is an ApiError with one sentence to show.
import { patched } from './difference'
import type * as api from './schema'
import {
  type Advice, type Coming,
  fullEntry, fullGame, fullGoal, fullRecap, fullTable, fullView, fullWord,
  type Game, type Goal, type Invitation, type Library, type LogEntry, type Marching, type NewTable, type Notify, type Overlays, type People, type Piece, type Speech,
  type Preview, type Recap, type Refusal, type Rule, type Server, type SideView, type TableRow, type Taken, type View,
  type Wanted, type Word,
} from './types'

const ROOT = '/api/v1'

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly rule = '',
    readonly view: View | null = null,
  ) {
    super(message)
  }
}

async function call<T>(path: string, token: string, body?: unknown, method?: string): Promise<T> {
  const headers: Record<string, string> = {}
  if (token) headers['Authorization'] = `Bearer ${token}`
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  let response: Response
  try {
    response = await fetch(ROOT + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  } catch {
    throw new ApiError(0, 'The server does not answer.')
  }
  const doc = await response.json().catch(() => null)
  if (!response.ok) {
    const error = typeof doc?.error === 'string' ? doc.error : `The server answered with status ${response.status}.`
    throw new ApiError(response.status, error, doc?.rule ?? '', doc?.view ? fullView(doc.view) : null)
  }
  return doc as T
}

export const server = () => call<Server>('/server', '')
export const games = (): Promise<Game[]> => call<api.GameInfo[]>('/games', '').then((d) => d.map(fullGame))
export const tables = () => call<TableRow[]>('/tables', '')
export const rule = (game: string, number: string) =>
  call<Rule>(`/games/${game}/rules/${encodeURIComponent(number)}`, '')

export const library = (game: string) => call<Library>(`/games/${game}/library`, '')

export const words = (game: string): Promise<Word[]> =>
  call<api.Word[]>(`/games/${game}/words`, '').then((d) => d.map(fullWord))

export async function mapSvg(game: string, scenario: string): Promise<string> {
  const response = await fetch(`${ROOT}/games/${game}/map.svg?scenario=${encodeURIComponent(scenario)}`)
  if (!response.ok) throw new ApiError(response.status, 'The map could not be loaded.')
  return response.text()
}

export const newTable = (body: api.NewTable) => call<NewTable>('/tables', '', body)
export const importRecord = (record: string) => call<NewTable>('/import', '', { record })
export const remove = (id: string) => call<unknown>(`/tables/${id}`, '', undefined, 'DELETE')
export const claim = (id: string, side: string) => call<Taken>(`/tables/${id}/claim`, '', { side })
export const invitation = (id: string, code: string) => call<Invitation>(`/tables/${id}/invitation`, code)
export const join = (id: string, code: string, entropy: string, name: string) =>
  call<Taken>(`/tables/${id}/join`, code, { entropy, name })
export const recover = (id: string, code: string) => call<Taken>(`/tables/${id}/recover`, '', { recovery: code })
export const invite = (id: string, keeper: string, side: string) =>
  call<{ invitation: string }>(`/tables/${id}/invitation`, keeper, { side }).then((d) => d.invitation)
export const withdraw = (id: string, keeper: string, side: string) =>
  call<unknown>(`/tables/${id}/withdraw`, keeper, { side })
export const counters = (pieces: Partial<Piece>[], near: boolean) =>
  call<{ svgs: string[] }>('/counters', '', { pieces, near }).then((d) => d.svgs)

/** One seat at one table. */
export class Seat {
  constructor(
    readonly id: string,
    readonly token: string,
  ) {}

  private call<T>(path: string, body?: unknown): Promise<T> {
    return call<T>(`/tables/${this.id}${path}`, this.token, body)
  }

  /** The last view that came, to which differences are applied. */
  private known: api.View | null = null

  view = (): Promise<View> => this.call<api.View>('/view').then((v) => fullView(this.keep(v)))

  private keep(view: api.View): api.View {
    if (!this.known || view.version >= this.known.version) this.known = view
    return this.known
  }

  /** The view after a difference; null if one before it was missed. */
  private follow(d: api.Difference): api.View | null {
    if (this.known && d.version <= this.known.version) return this.known
    const view = this.known && patched(this.known, d)
    return view && this.keep(view)
  }

  at = (n: number): Promise<SideView> => this.call<api.SideView>(`/at/${n}`).then(fullTable)
  log = (since: number): Promise<LogEntry[]> =>
    this.call<api.LogEntry[]>(`/log?since=${since}`).then((d) => d.map(fullEntry))
  recap = (since?: number): Promise<Recap> =>
    this.call<api.Recap>(`/recap${since === undefined ? '' : `?since=${since}`}`).then(fullRecap)
  seen = (number: number): Promise<unknown> => this.call('/seen', { number })
  overlays = (): Promise<Overlays> => this.call('/overlays')
  preview = (text: string, decided = false): Promise<Preview> => this.call('/preview', { do: text, decided })
  previews = (texts: string[]): Promise<(Preview | null)[]> =>
    this.call<{ previews: (Preview | null)[] }>('/previews', { do: texts }).then((d) => d.previews)
  march = (units: string[], to = ''): Promise<Marching> => this.call('/march', { units, to })
  people = (): Promise<People> => this.call('/people')
  talk = (): Promise<Speech[]> => this.call('/talk')
  say = (text: string, note: boolean, name: string): Promise<Speech> => this.call('/talk', { text, note, name })
  name = (name: string): Promise<unknown> => this.call('/name', { name })
  takeback = (to: number): Promise<Speech> => this.call('/takeback', { to })
  answerBack = (n: number, allow: boolean): Promise<Speech> => this.call('/takeback/answer', { n, allow })
  why = (text: string): Promise<Refusal | null> =>
    this.call<{ refusal: Refusal | null }>('/why', { do: text }).then((d) => d.refusal)
  ask = (question: Record<string, unknown>): Promise<Record<string, unknown>> => this.call('/ask', question)
  wanted = (): Promise<Wanted[]> => this.call('/wanted', {})
  names = (): Promise<Record<string, string>> => this.call('/names')
  coming = (): Promise<Coming[]> => this.call('/coming')
  goal = (): Promise<Goal> => this.call<api.Goal>('/goal').then(fullGoal)
  /** At a lesson: begin a step again, go back to the one before, try what is forbidden. */
  teach = (version: number, what: 'again' | 'back' | 'try'): Promise<{ view: View }> =>
    this.call<api.View>('/lesson', { version, do: what }).then((v) => ({ view: fullView(this.keep(v)) }))
  branch = (at: number): Promise<NewTable> => this.call('/branch', { at })
  hint = (): Promise<Advice> => this.call('/hint', {})
  notify = (): Promise<Notify> =>
    this.call<api.Notify>('/notify').then((n) => ({ mail: '', webhook: '', ...n }))
  setNotify = (n: Notify): Promise<unknown> => this.call('/notify', n)

  act(version: number, text: string): Promise<{ view: View; entry: LogEntry | null }> {
    return this.change('/actions', { version, id: crypto.randomUUID(), do: text })
  }

  /** Several actions one after the other: the server ends where one is not listed or cannot be undone. */
  plan(version: number, texts: string[]): Promise<{ view: View; entry: LogEntry | null }> {
    return this.change('/plan', { version, id: crypto.randomUUID(), do: texts })
  }

  undo(version: number): Promise<{ view: View; entry: LogEntry | null }> {
    return this.change('/undo', { version, id: crypto.randomUUID() })
  }

  /** Sent again with the same id when the connection breaks: the server carries it out once. */
  private async change(path: string, body: object): Promise<{ view: View; entry: LogEntry | null }> {
    for (let left = 2; ; left--) {
      try {
        const d = await this.call<api.Done>(path, { ...body, differences: true })
        const whole = d.view ? this.keep(d.view) : d.difference ? this.follow(d.difference) : null
        return { view: whole ? fullView(whole) : await this.view(), entry: d.entry ? fullEntry(d.entry) : null }
      } catch (e) {
        if (!(e instanceof ApiError) || e.status !== 0 || left === 0) throw e
        await new Promise((done) => setTimeout(done, 600))
      }
    }
  }

  record = (): Promise<Blob> => this.file('record', 'The record could not be loaded.')
  /** The report of a game that is over, as a page of its own. */
  report = (): Promise<Blob> => this.file('report', 'There is a report when the game is over.')

  private async file(what: string, trouble: string): Promise<Blob> {
    const response = await fetch(`${ROOT}/tables/${this.id}/${what}`, {
      headers: { Authorization: `Bearer ${this.token}` },
    })
    if (!response.ok) throw new ApiError(response.status, trouble)
    return response.blob()
  }

  /** A live connection: calls back with every view, and again and again tries to come back when it breaks. */
  live(
    onView: (v: View) => void,
    onState: (connected: boolean) => void,
    onPeople: (doc: { people?: People; talk?: Speech[] }) => void,
  ): () => void {
    let socket: WebSocket | null = null
    let closed = false
    let wait = 500
    const looks = () => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ looks: document.hidden ? 'away' : 'here' }))
    }
    document.addEventListener('visibilitychange', looks)
    const open = () => {
      const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
      socket = new WebSocket(`${scheme}://${location.host}${ROOT}/tables/${this.id}/live`)
      socket.onopen = () => {
        socket?.send(JSON.stringify({ token: this.token, differences: true, people: true }))
        looks()
        wait = 500
        onState(true)
      }
      socket.onmessage = (message) => {
        const doc = JSON.parse(String(message.data))
        if (doc.people || doc.talk) onPeople(doc)
        if (!doc.view && !doc.difference) return
        const view = doc.view ? this.keep(doc.view) : this.follow(doc.difference)
        if (view) onView(fullView(view))
        else socket?.send(JSON.stringify({ whole: true }))
      }
      socket.onclose = (event) => {
        if (closed) return // another has taken its place
        onState(false)
        if (event.code === 4403) return
        setTimeout(open, wait)
        wait = Math.min(wait * 2, 8000)
      }
    }
    open()
    return () => {
      closed = true
      document.removeEventListener('visibilitychange', looks)
      socket?.close()
    }
  }
}
