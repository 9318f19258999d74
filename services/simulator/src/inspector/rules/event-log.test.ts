import { eventMatches, openEventLog, type SimEvent } from './event-log'

function logOf(count: number, afterId = 0, size = 4) {
  const log = openEventLog(() => 0, size, afterId)
  for (let place = 1; place <= count; place += 1) log.append('prompt_opened', { place })
  return log
}

const ids = (events: readonly SimEvent[]) => events.map(({ id }) => id)

test('numbers events from 1 and reads them from a position', () => {
  const log = logOf(3)
  expect(ids(log.since(0, 10))).toEqual([1, 2, 3])
  expect(ids(log.since(1, 1))).toEqual([2])
  expect(log.since(3, 10)).toEqual([])
})

test('keeps the newest events and drops the rest', () => {
  expect(ids(logOf(10).since(0, 10))).toEqual([7, 8, 9, 10])
})

test('continues the numbers of a previous log, without its events', () => {
  const log = logOf(2, 10)
  expect(log.lastId()).toBe(12)
  expect(ids(log.since(0, 10))).toEqual([11, 12])
  expect(ids(log.since(0, 1))).toEqual([11])
})

test('returns no events for a future position', () => {
  expect(logOf(2).since(99, 10)).toEqual([])
})

test('calls a listener for every event until the listener is removed', () => {
  const log = openEventLog(() => 0, 4)
  const received: number[] = []
  const stop = log.listen(({ id }) => received.push(id))
  log.append('reset')
  stop()
  log.append('reset')
  expect(received).toEqual([1])
})

test('matches an event by its kind and every given fact', () => {
  const event: SimEvent = { id: 1, at: '', kind: 'prompt_opened', facts: { a: 1, b: 'x' } }
  expect(eventMatches(event, 'prompt_opened', {})).toBe(true)
  expect(eventMatches(event, 'prompt_opened', { b: 'x' })).toBe(true)
  expect(eventMatches(event, 'prompt_opened', { a: 1, b: 'y' })).toBe(false)
  expect(eventMatches(event, 'prompt_opened', { c: 1 })).toBe(false)
  expect(eventMatches(event, 'prompt_closed', { a: 1 })).toBe(false)
})

test('finds an event by id while it is in the buffer', () => {
  const log = logOf(6)
  expect(log.find(6)?.id).toBe(6)
  expect(log.find(2)).toBeUndefined()
  expect(log.find(7)).toBeUndefined()
})
