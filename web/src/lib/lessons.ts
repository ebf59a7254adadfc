// Lessons begun on this device: which table each is played at, and how far it got.
import { newTable } from '../api/client'
import type { Lesson } from '../api/types'
import { holdMade } from './tokens'

const KEY = 'kessel.lessons'

export interface Progress {
  table: string
  step: number
  of: number
  done: boolean
}

export function progress(): Record<string, Progress> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, Progress>
  } catch {
    return {}
  }
}

export function keepProgress(game: string, table: string, lesson: Lesson): void {
  const all = progress()
  const id = `${game}/${lesson.name}`
  const done = lesson.finished || (all[id]?.done ?? false)
  all[id] = { table, step: lesson.step, of: lesson.of, done }
  localStorage.setItem(KEY, JSON.stringify(all))
}

/** A new table for a lesson; its address. */
export async function beginLesson(id: string): Promise<string> {
  const made = await newTable({ lesson: id })
  holdMade(made)
  return `/table/${made.id}`
}

/** About how long the rest takes. */
export const minutesLeft = (l: Lesson): number => Math.max(1, Math.round((l.minutes * (l.of - l.step + 1)) / l.of))
