// Words of the glossary are found where they stand, each once, and never inside another word.
import { describe, expect, it } from 'vitest'
import type { Word } from '../src/api/types'
import { index, partsOf, patternOf } from '../src/lib/words.svelte'

const word = (w: string, ...forms: string[]): Word => ({ word: w, forms, means: '', rules: [], overlay: '' })
const WORDS = [word('zone of control', 'ZOC', 'zones'), word('ZOC bond', 'bond'), word('step', 'steps'), word('R')]
const parts = (text: string) => partsOf(text, index(WORDS), patternOf(WORDS))
const found = (text: string) => parts(text).flatMap((p) => (p.word ? [p.text] : []))

describe('marked words', () => {
  it('takes the longest that fits', () => expect(found('a ZOC bond here')).toEqual(['ZOC bond']))
  it('knows other forms and the beginning of a sentence', () => expect(found('Zones cost. Steps go.')).toEqual(['Zones', 'Steps']))
  it('marks each once', () => expect(found('a step, and a step more')).toEqual(['step']))
  it('leaves parts of other words alone', () => expect(found('stepping stones, Rfl, bondage')).toEqual([]))
  it('wants capitals where a word is written in them', () => expect(found('zoc')).toEqual([]))
  it('keeps what is emphasised', () =>
    expect(parts('one *empty hex* between')).toEqual([
      { text: 'one ', bold: false, word: null },
      { text: 'empty hex', bold: true, word: null },
      { text: ' between', bold: false, word: null },
    ]))
  it('gives the text back whole', () => {
    const text = 'The ZOC of a step, its zones and (R).'
    expect(parts(text).map((p) => p.text).join('')).toBe(text)
  })
})
