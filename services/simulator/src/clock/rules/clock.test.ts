import { changeTime, realUntil, timeAt, virtualNow } from './clock'

test('starts virtual time at real time and advances with it', () => {
  expect(virtualNow(timeAt(1_000), 1_250)).toBe(1_250)
})

test('stops at a pause, and continues from there', () => {
  const paused = changeTime(timeAt(0), 100, { paused: true })
  expect(virtualNow(paused, 5_000)).toBe(100)
  const going = changeTime(paused, 5_000, { paused: false })
  expect(virtualNow(going, 5_010)).toBe(110)
})

test('adds a jump, and keeps the pause', () => {
  const jumped = changeTime(changeTime(timeAt(0), 0, { paused: true }), 0, { jumpMs: 60_000 })
  expect(virtualNow(jumped, 1_000)).toBe(60_000)
})

test('runs ten seconds in one at ten times the speed', () => {
  const fast = changeTime(timeAt(0), 0, { speed: 10 })
  expect(virtualNow(fast, 1_000)).toBe(10_000)
  expect(realUntil(fast, 1_000, 20_000)).toBe(1_000)
})

test('waits no time for due timers, and for ever at a pause', () => {
  const paused = changeTime(timeAt(0), 100, { paused: true })
  expect(realUntil(paused, 100, 100)).toBe(0)
  expect(realUntil(paused, 100, 101)).toBeUndefined()
})
