import { openRecent } from './recent'

test('remembers the last keys, and forgets the oldest', () => {
  const recent = openRecent<number>(10)
  for (let key = 1; key <= 95; key += 1) recent.set(String(key), key)
  const remembered = Array.from({ length: 95 }, (_, index) => index + 1).filter(
    (key) => recent.get(String(key)) === key,
  )
  expect(remembered.slice(-10)).toEqual([86, 87, 88, 89, 90, 91, 92, 93, 94, 95])
  expect(remembered.length).toBeLessThanOrEqual(20)
})

test('replaces the value of a key that is set again', () => {
  const recent = openRecent<number>(1)
  recent.set('a', 1)
  recent.set('b', 2)
  recent.set('a', 3)
  expect(recent.get('a')).toBe(3)
})

test('forgets entries that are twice as old as the given life, however few keys there are', () => {
  let nowMs = 0
  const recent = openRecent<number>(1_000, { ms: 100, now: () => nowMs })
  recent.set('first', 1)
  nowMs = 99
  recent.set('second', 2)
  nowMs = 150
  recent.set('third', 3)
  expect(recent.get('second')).toBe(2)
  nowMs = 300
  recent.set('fourth', 4)
  expect(['first', 'second', 'third', 'fourth'].map((key) => recent.get(key))).toEqual([
    undefined,
    undefined,
    3,
    4,
  ])
})
