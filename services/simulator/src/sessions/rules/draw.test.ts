import { draw, drawHex, pick } from './draw'

const labels = Array.from({ length: 10_000 }, (_, index) => `call ${String(index)}`)

test('draws the same value for the same label and seed, whatever was drawn before', () => {
  const alone = draw('seed', 'call 7')
  for (const label of labels) draw('seed', label)
  expect(draw('seed', 'call 7')).toBe(alone)
})

test('draws other values for another seed or label', () => {
  expect(draw('seed', 'call 7')).not.toBe(draw('seeds', 'call 7'))
  expect(draw('seed', 'call 7')).not.toBe(draw('seed', 'call 8'))
})

test('spreads evenly from 0 to below 1', () => {
  const tenths = Array<number>(10).fill(0)
  for (const label of labels) {
    const tenth = Math.floor(draw('seed', label) * 10)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
  }
  expect(tenths).toHaveLength(10)
  expect(Math.min(...tenths)).toBeGreaterThan(900)
  expect(Math.max(...tenths)).toBeLessThan(1_100)
})

test('picks every option', () => {
  const picked = new Set(labels.map((label) => pick('seed', label, ['one', 'two', 'three'])))
  expect([...picked].sort()).toEqual(['one', 'three', 'two'])
})

test('gives hex of the given length without repeats', () => {
  const drawn = labels.map((label) => drawHex('seed', label, 20))
  expect(drawn.every((hex) => /^[0-9a-f]{20}$/.test(hex))).toBe(true)
  expect(new Set(drawn).size).toBe(labels.length)
})
