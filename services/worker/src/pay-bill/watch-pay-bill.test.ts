import type { Listed } from '@malipo/rails/rail'
import { systemClock } from '@malipo/runtime/clock'
import { at, begin, hourMs, useOwnWatch } from './watch-pay-bill.harness'

const reachMs = 48 * hourMs

useOwnWatch()

/** The slices that were read again, one after each reading of new payments. */
const slices = () => at.requests.filter((_, place) => place % 2 === 1)

test('reports no more of the statement as read than M-Pesa can list, after any outage, in parts of two hours', async () => {
  at.readUntil = 0
  at.answer = { kind: 'unanswered', detail: 'away' }
  begin()
  await jest.advanceTimersByTimeAsync(hourMs)
  at.answer = { kind: 'answered', bodies: [] }
  await jest.advanceTimersByTimeAsync(180_000)
  const { from: start, until: end } = at.recorded.at(-1) ?? {
    from: new Date(0),
    until: new Date(0),
  }
  expect(end.getTime() - start.getTime()).toBe(reachMs)
  expect(at.recorded.map(({ from, until }) => [from, until.getTime() - start.getTime()])).toEqual(
    Array.from({ length: 24 }, (_, part) => [start, (part + 1) * 2 * hourMs]),
  )
  for (const { from, until } of at.requests) {
    expect(until.getTime() - from.getTime()).toBeLessThanOrEqual(2 * hourMs)
  }
})

test.each([
  ['an unread row', {}],
  ['rows behind it that cannot be asked for', { cutOff: 'the offset is not understood' }],
])('counts a page with %s as unread, and reads it and the other slices again', async (_, cut) => {
  at.answer = { kind: 'answered', bodies: [Buffer.from('a')], ...cut }
  at.isAllRead = 'cutOff' in cut
  begin()
  await jest.advanceTimersByTimeAsync(15_000)
  expect(at.recorded).toEqual([])
  const [near, , next] = slices()
  expect(next?.until).toEqual(near?.from)
  ;[at.isAllRead, at.answer] = [true, { kind: 'answered', bodies: [] }]
  await jest.advanceTimersByTimeAsync(20_000)
  expect(at.recorded).toHaveLength(1)
})

test('reads all parts although one has a row that cannot be applied, and does not move the position', async () => {
  at.readUntil = 0
  at.isAllRead = false
  begin()
  await jest.advanceTimersByTimeAsync(1_000)
  const untilMs = systemClock.now() - 1_000
  // The newest part is read first.
  expect(at.requests.slice(0, 24).map(({ from }) => from.getTime())).toEqual(
    Array.from({ length: 24 }, (_, part) => untilMs - reachMs + ((part + 23) % 24) * 2 * hourMs),
  )
  expect(at.recorded).toEqual([])
})

test.each([
  ['has a row that cannot be read', { kind: 'answered', bodies: [Buffer.from('a')] }],
  ['is not listed', { kind: 'unanswered', detail: 'away' }],
] as const)(
  'reads the newest payments first in each round while an older part %s',
  async (_, older) => {
    at.readUntil = systemClock.now() - 7 * hourMs
    at.isAllRead = false
    at.answer = older
    at.first = [{ kind: 'answered', bodies: [] }]
    begin()
    await jest.advanceTimersByTimeAsync(0)
    const count = at.requests.length
    at.first = [{ kind: 'answered', bodies: [] }]
    await jest.advanceTimersByTimeAsync(5_000)
    const newest = [at.requests[0], at.requests[count]].map((request) => request?.until.getTime())
    expect(newest).toEqual([systemClock.now() - 5_000, systemClock.now()])
    expect(at.recorded).toEqual([])
  },
)

test('continues where the ledger says that the statement was read to, also when that is earlier than before', async () => {
  const overlapMs = 900_000
  begin()
  await jest.advanceTimersByTimeAsync(180_000)
  expect(at.requests[2]?.from.getTime()).toBe((at.recorded[0]?.until.getTime() ?? 0) - overlapMs)
  // The ledger's answer after a restore from backup.
  at.readUntil -= 2 * hourMs
  const restored = at.readUntil
  await jest.advanceTimersByTimeAsync(180_000)
  // Two parts, the newer one first.
  expect(at.requests[5]?.from.getTime()).toBe(restored - overlapMs)
})

test('reads the last six hours again every 75 minutes, and the last 48 every ten hours, for payments that M-Pesa lists late', async () => {
  begin()
  await jest.advanceTimersByTimeAsync(10 * hourMs)
  const isCovered = (agoMs: number, everyMs: number) => {
    const at = systemClock.now() - agoMs
    const since = slices().slice(-Math.ceil(everyMs / 180_000))
    return since.some(({ from, until }) => from.getTime() <= at && at <= until.getTime())
  }
  const minutes = (hours: number) => Array.from({ length: hours * 60 }, (_, minute) => minute)
  // Only minutes older than one round are checked: a newer one may have come after the round passed its time.
  expect(minutes(4).filter((ago) => !isCovered(ago * 60_000 + 75 * 60_000, 75 * 60_000))).toEqual(
    [],
  )
  const before = minutes(36).map((ago) => ago + 11 * 60)
  expect(before.filter((ago) => !isCovered(ago * 60_000, 10 * hourMs))).toEqual([])
  expect(slices().every(({ from, until }) => until.getTime() - from.getTime() <= 1_800_000)).toBe(
    true,
  )
})

test('reads on every three minutes when the clock of the machine was set back', async () => {
  begin()
  await jest.advanceTimersByTimeAsync(180_000)
  const count = at.requests.length
  jest.setSystemTime(systemClock.now() - 6 * hourMs)
  await jest.advanceTimersByTimeAsync(180_000)
  expect(at.requests).toHaveLength(count + 2)
})

test('when a slice cannot be read again, reads new payments on time, and the slice in its next turn', async () => {
  begin()
  await jest.advanceTimersByTimeAsync(180_000)
  const [near] = slices()
  const count = at.requests.length
  at.first = [at.answer, { kind: 'unanswered', detail: 'away' }]
  await jest.advanceTimersByTimeAsync(180_000)
  expect(at.requests).toHaveLength(count + 2)
  const failed = at.requests.at(-1)
  expect(failed?.until).toEqual(near?.from)
  await jest.advanceTimersByTimeAsync(2 * 180_000)
  expect(at.requests).toHaveLength(count + 6)
  expect(at.requests.at(-1)).toEqual(failed)
  expect(at.recorded).toHaveLength(5)
})

test('reads a slice with many payments one call at a time, new payments before its rest, and all of it again when its rest is not listed', async () => {
  begin()
  await jest.advanceTimersByTimeAsync(180_000)
  const count = at.requests.length
  at.first = [at.answer, { kind: 'answered', bodies: [], nextRowOffset: 2_000 }]
  await jest.advanceTimersByTimeAsync(180_000)
  const long = at.requests.at(-1)
  expect(at.requests).toHaveLength(count + 2)
  await jest.advanceTimersByTimeAsync(180_000)
  at.first = [at.answer, { kind: 'unanswered', detail: 'the offset is not understood' }]
  await jest.advanceTimersByTimeAsync(180_000)
  expect(at.requests).toHaveLength(count + 6)
  expect(at.requests.at(-1)).toEqual({ ...long, rowOffset: 2_000 })
  await jest.advanceTimersByTimeAsync(2 * 180_000)
  expect(at.requests.at(-1)).toEqual(long)
})

test('renews its lease every two seconds, also while a page takes long', async () => {
  let end: (() => void) | undefined
  const late = new Promise<Listed>((resolve) => {
    end = () => {
      resolve(at.answer)
    }
  })
  at.first = [late]
  begin()
  await jest.advanceTimersByTimeAsync(60_000)
  expect(at.renewed).toBeGreaterThanOrEqual(30)
  end?.()
  await jest.advanceTimersByTimeAsync(0)
  expect(at.recorded).toHaveLength(1)
  await jest.advanceTimersByTimeAsync(60_000)
  expect(at.renewed).toBeGreaterThanOrEqual(60)
})

test('backs off while M-Pesa cannot be reached', async () => {
  at.answer = { kind: 'unanswered', detail: 'away' }
  begin()
  await jest.advanceTimersByTimeAsync(hourMs)
  expect(at.requests.length).toBeGreaterThan(15)
  expect(at.requests.length).toBeLessThan(30)
})

test('days that had only doubtful answers do not count as read, even when M-Pesa no longer lists them, as the grant may have been missing', async () => {
  begin()
  await jest.advanceTimersByTimeAsync(0)
  at.answer = { kind: 'doubtful', detail: 'http 200, 1001, and no row in 48 hours' }
  for (let days = 0; days < 4; days += 1) {
    jest.setSystemTime(systemClock.now() + 24 * hourMs)
    await jest.advanceTimersByTimeAsync(180_000)
  }
  expect(at.recorded).toHaveLength(1)
  at.answer = { kind: 'answered', bodies: [Buffer.from('a')] }
  await jest.advanceTimersByTimeAsync(180_000)
  expect(systemClock.now() - (at.recorded[1]?.from.getTime() ?? 0)).toBeLessThanOrEqual(
    reachMs + 180_000,
  )
})

test('reads nothing without the lease, and starts when it gets it', async () => {
  at.isHolder = false
  begin()
  await jest.advanceTimersByTimeAsync(hourMs)
  expect(at.requests).toEqual([])
  at.isHolder = true
  await jest.advanceTimersByTimeAsync(2_000)
  expect(at.recorded).toHaveLength(1)
})
