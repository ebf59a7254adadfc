// Links of seats this device holds: table to side to token. They never leave the device but in the Authorization header.
import type { NewTable, Taken } from '../api/types'

const KEY = 'kessel.seats'
const MORE = 'kessel.kept'
export const WATCH = 'watch'

type Held = Record<string, Record<string, string>>

function all(key: string): Held {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Held
  } catch {
    return {}
  }
}

function put(key: string, table: string, what: string, secret: string): void {
  const now = all(key)
  now[table] = { ...now[table], [what]: secret }
  localStorage.setItem(key, JSON.stringify(now))
}

export const held = (table: string): Record<string, string> => all(KEY)[table] ?? {}
export const hold = (table: string, side: string, token: string): void => put(KEY, table, side, token)

/** What else is kept of a table: `keeper`, `invitation/SIDE`, `recovery/SIDE`, `entropy`. */
export const kept = (table: string): Record<string, string> => all(MORE)[table] ?? {}
export const keep = (table: string, what: string, secret: string): void => put(MORE, table, what, secret)

export function drop(table: string): void {
  for (const key of [KEY, MORE]) {
    const now = all(key)
    delete now[table]
    localStorage.setItem(key, JSON.stringify(now))
  }
}

/** Everything that is told once about a table one has made. */
export function holdMade(made: NewTable, entropy = ''): void {
  hold(made.id, WATCH, made.watch)
  keep(made.id, 'keeper', made.keeper)
  if (entropy) keep(made.id, 'entropy', entropy)
  for (const [side, token] of Object.entries(made.tokens)) hold(made.id, side, token)
  for (const [side, code] of Object.entries(made.recovery)) keep(made.id, `recovery/${side}`, code)
  for (const [side, code] of Object.entries(made.invitations)) keep(made.id, `invitation/${side}`, code)
}

/** A seat one has taken or got back. */
export function holdTaken(table: string, taken: Taken, entropy = ''): void {
  hold(table, taken.side, taken.token)
  keep(table, `recovery/${taken.side}`, taken.recovery)
  if (entropy) keep(table, 'entropy', entropy)
}

export const seatLink = (table: string, token: string) => `${location.origin}/table/${table}#${token}`
export const inviteLink = (table: string, code: string) => `${location.origin}/join/${table}#${code}`
export const recoveryLink = (table: string, code: string) => `${location.origin}/recover/${table}#${code}`

/** What this device adds to the dice: 64 hexadecimal digits of its own chance. */
export function newEntropy(): string {
  return [...crypto.getRandomValues(new Uint8Array(32))].map((n) => n.toString(16).padStart(2, '0')).join('')
}
