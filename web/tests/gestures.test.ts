// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import { Gestures } from '../src/lib/gestures'

let frame: HTMLElement
let hand: Gestures
let byHand: boolean[]
let holds = false

beforeEach(() => {
  frame = document.createElement('div')
  Object.defineProperty(frame, 'clientWidth', { value: 400 })
  Object.defineProperty(frame, 'clientHeight', { value: 300 })
  frame.append(document.createElement('b'))
  document.body.append(frame)
  byHand = []
  holds = false
  hand = new Gestures(frame, (how) => byHand.push(how), () => holds)
  return () => hand.close()
})

const point = (type: string, x: number, y: number, id = 1, on: EventTarget = window) =>
  on.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: x, clientY: y, pointerId: id, button: 0 }))

describe('a drag', () => {
  it('moves the drawing and is no click', () => {
    let clicks = 0
    frame.addEventListener('click', () => clicks++)
    point('pointerdown', 100, 100, 1, frame)
    point('pointermove', 130, 90)
    point('pointerup', 130, 90)
    point('pointermove', 300, 300)
    expect(hand.now).toEqual({ x: 30, y: -10, k: 1 })
    expect(byHand).toEqual([true])
    frame.firstElementChild?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    expect(clicks).toBe(0)
    point('pointerdown', 100, 100, 1, frame)
    point('pointerup', 100, 100)
    frame.firstElementChild?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    expect(clicks).toBe(1)
  })

  it('does nothing while something else is held', () => {
    holds = true
    point('pointerdown', 100, 100, 1, frame)
    point('pointermove', 130, 90)
    expect(hand.now).toEqual({ x: 0, y: 0, k: 1 })
  })

  it('of two fingers stretches what lies between them', () => {
    point('pointerdown', 100, 100, 1, frame)
    point('pointerdown', 200, 100, 2, frame)
    point('pointermove', 300, 100, 2)
    expect(hand.now.k).toBeCloseTo(2)
    point('pointerup', 300, 100, 2)
    point('pointerup', 100, 100, 1)
  })
})

describe('the drawing', () => {
  it('is stretched about a spot that stays where it is, and not too much', () => {
    hand.scaleBy(2, { x: 100, y: 50 })
    expect(hand.now).toEqual({ x: -100, y: -50, k: 2 })
    hand.scaleBy(100, { x: 0, y: 0 })
    expect(hand.now.k).toBe(2.5)
  })

  it('does not leave its bounds, and lies in the middle where it is smaller than its frame', () => {
    hand.bounds = { left: 0, top: 0, right: 1000, bottom: 100 }
    hand.moveBy(50, 0)
    expect(hand.now).toEqual({ x: 0, y: 100, k: 1 })
    hand.moveBy(-5000, 0)
    expect(hand.now).toEqual({ x: -600, y: 100, k: 1 })
  })
})
