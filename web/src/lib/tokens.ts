// Links of seats this device holds: table to side to token. They never leave the device but in the Authorization header.
const KEY = 'kessel.seats'
export const WATCH = 'watch'

type Held = Record<string, Record<string, string>>

function all(): Held {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Held
  } catch {
    return {}
  }
}

export const held = (table: string): Record<string, string> => all()[table] ?? {}

export function hold(table: string, side: string, token: string): void {
  const now = all()
  now[table] = { ...now[table], [side]: token }
  localStorage.setItem(KEY, JSON.stringify(now))
}

export function drop(table: string): void {
  const now = all()
  delete now[table]
  localStorage.setItem(KEY, JSON.stringify(now))
}
