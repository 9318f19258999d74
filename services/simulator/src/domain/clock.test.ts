import { changeTime, realUntil, timeAt, virtualNow } from './clock'

test('virtual time begins as the real one and runs beside it', () => {
  expect(virtualNow(timeAt(1_000), 1_250)).toBe(1_250)
})

test('a pause stops it, and going on picks it up where it stopped', () => {
  const paused = changeTime(timeAt(0), 100, { paused: true })
  expect(virtualNow(paused, 5_000)).toBe(100)
  const going = changeTime(paused, 5_000, { paused: false })
  expect(virtualNow(going, 5_010)).toBe(110)
})

test('a jump adds to it, and keeps the pause', () => {
  const jumped = changeTime(changeTime(timeAt(0), 0, { paused: true }), 0, { jumpMs: 60_000 })
  expect(virtualNow(jumped, 1_000)).toBe(60_000)
})

test('ten times as fast: ten seconds pass in one, and a wait takes a tenth', () => {
  const fast = changeTime(timeAt(0), 0, { speed: 10 })
  expect(virtualNow(fast, 1_000)).toBe(10_000)
  expect(realUntil(fast, 1_000, 20_000)).toBe(1_000)
})

test('what is due waits for nothing, and a paused clock never gets to what is not', () => {
  const paused = changeTime(timeAt(0), 100, { paused: true })
  expect(realUntil(paused, 100, 100)).toBe(0)
  expect(realUntil(paused, 100, 101)).toBeUndefined()
})
