// The glossary of the game at the table: sent once, and marked wherever one of its words stands.
import { words as load } from '../api/client'
import type { Word } from '../api/types'

interface Glossary {
  game: string
  /** By every form a word has. */
  by: Map<string, Word>
  pattern: RegExp | null
}

const NOTHING: Glossary = { game: '', by: new Map(), pattern: null }
let glossary: Glossary = $state.raw(NOTHING)

export async function openGlossary(game: string): Promise<void> {
  if (glossary.game === game) return
  glossary = { ...NOTHING, game }
  const found = await load(game).catch(() => [])
  glossary = { game, by: index(found), pattern: patternOf(found) }
}

export function index(words: Word[]): Map<string, Word> {
  const by = new Map<string, Word>()
  for (const w of words) for (const form of [w.word, ...w.forms]) by.set(form.toLowerCase(), w)
  return by
}

/** A word that begins with a capital is meant only as it is written; any other also at the beginning of a sentence. */
export function patternOf(words: Word[]): RegExp | null {
  const forms = words.flatMap((w) => [w.word, ...w.forms]).sort((a, b) => b.length - a.length)
  if (!forms.length) return null
  const plain = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const any = (text: string) =>
    /^[a-z]/.test(text) ? `[${text[0]}${text[0]?.toUpperCase()}]${plain(text.slice(1))}` : plain(text)
  return new RegExp(`(?<![\\w-])(?:${forms.map(any).join('|')})(?![\\w-])`, 'g')
}

export interface Part {
  text: string
  bold: boolean
  word: Word | null
}

/** A text cut where a word of the glossary stands (each once), or where something is emphasised by asterisks. */
export function partsOf(text: string, by: Map<string, Word>, pattern: RegExp | null): Part[] {
  const parts: Part[] = []
  const met = new Set<Word>()
  text.split(/\*([^*]+)\*/).forEach((piece, i) => {
    let at = 0
    for (const match of pattern ? piece.matchAll(pattern) : []) {
      const word = by.get(match[0].toLowerCase())
      if (!word || met.has(word)) continue
      met.add(word)
      if (match.index > at) parts.push({ text: piece.slice(at, match.index), bold: i % 2 === 1, word: null })
      parts.push({ text: match[0], bold: i % 2 === 1, word })
      at = match.index + match[0].length
    }
    if (at < piece.length) parts.push({ text: piece.slice(at), bold: i % 2 === 1, word: null })
  })
  return parts
}

export const marked = (text: string): Part[] => partsOf(text, glossary.by, glossary.pattern)
