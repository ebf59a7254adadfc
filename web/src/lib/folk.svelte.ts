// The people at a table: who is here, what was said, what one noted.
import { ApiError, type Seat } from '../api/client'
import type { People, Speech } from '../api/types'
import { say } from './announce.svelte'
import { chime } from './sound'

const NAME = 'kessel.name'
export const myName = (): string => localStorage.getItem(NAME) ?? ''
export const keepName = (name: string): void => localStorage.setItem(NAME, name)

export class Folk {
  people: People | null = $state.raw(null)
  talk: Speech[] = $state.raw([])
  /** Messages of others that came while the talk was not open. */
  unread = $state(0)
  open = false
  trouble = $state('')
  private seat: Seat | null = null
  private side = ''

  async sit(seat: Seat, side: string): Promise<void> {
    this.seat = seat
    this.side = side
    this.talk = []
    this.unread = 0
    try {
      ;[this.people, this.talk] = await Promise.all([seat.people(), seat.talk()])
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
    }
  }

  hear(doc: { people?: People; talk?: Speech[] }): void {
    if (doc.people) this.people = doc.people
    for (const said of doc.talk ?? []) {
      if (this.talk.some((x) => x.n === said.n)) continue
      this.talk = [...this.talk, said]
      if (said.seat === this.side) continue
      if (!this.open) this.unread++
      say(`${said.name || said.seat || 'A spectator'}: ${said.text}`)
      chime('turn')
    }
  }

  private async attempt(what: (seat: Seat) => Promise<Speech | unknown>): Promise<boolean> {
    if (!this.seat) return false
    this.trouble = ''
    try {
      const found = await what(this.seat)
      if (isSaid(found)) this.hear({ talk: [found] })
      return true
    } catch (e) {
      this.trouble = e instanceof Error ? e.message : String(e)
      return false
    }
  }

  speak = (text: string, note: boolean): Promise<boolean> => this.attempt((s) => s.say(text, note, myName()))
  askBack = (to: number): Promise<boolean> => this.attempt((s) => s.takeback(to))
  answerBack = (n: number, allow: boolean): Promise<boolean> => this.attempt((s) => s.answerBack(n, allow))
  call = (name: string): Promise<boolean> => {
    keepName(name)
    return this.attempt((s) => s.name(name))
  }

  /** A wish of another player to take something back that is not answered, at this version of the game. */
  wish(version: number, mine: string): Speech | null {
    const last = this.talk.findLast((x) => x.kind === 'ask')
    if (!last || last.version !== version || this.talk.some((x) => x.to === last.n && /allowed|refused/.test(x.kind))) return null
    return last.seat !== mine ? last : null
  }
}

const isSaid = (x: unknown): x is Speech => typeof x === 'object' && x !== null && 'kind' in x && 'n' in x
