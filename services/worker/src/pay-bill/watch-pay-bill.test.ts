import type { Listed, PayBill } from '@malipo/rails/rail'
import { systemClock } from '@malipo/runtime/clock'
import { openLog } from '@malipo/runtime/log'
import { metrics } from '@malipo/runtime/metrics'
import { startWatchingPayBill } from './watch-pay-bill'

const log = openLog('test', 'silent')
const hourMs = 3_600_000
const reachMs = 48 * hourMs

let requests: { from: Date; until: Date; rowOffset: number }[]
let recorded: { from: Date; until: Date }[]
let answer: Listed
let isAllRead: boolean
let renewed: number
let readUntil: number
let watch: { stop: () => Promise<void> }

let isHolder: boolean
/** Answers given before `answer`: to the reading of new payments, then to that of a slice. */
let first: (Listed | Promise<Listed>)[]
const payBill: Pick<PayBill, 'listPayments'> = {
  listPayments({ from, until, rowOffset }) {
    requests.push({ from, until, rowOffset })
    return Promise.resolve(first.shift() ?? answer)
  },
}

beforeEach(() => {
  jest.useFakeTimers()
  requests = []
  recorded = []
  answer = { kind: 'answered', bodies: [] }
  isAllRead = true
  renewed = 0
  readUntil = systemClock.now() - 600_000
  isHolder = true
  first = []
})

afterEach(async () => {
  await watch.stop()
  jest.useRealTimers()
})

function begin(): void {
  watch = startWatchingPayBill({
    ...{ payBill, log, everyMs: 180_000 },
    lease: {
      hold() {
        renewed += 1
        return Promise.resolve(isHolder)
      },
      release: () => Promise.resolve(),
    },
    clock: systemClock,
    ledger: {
      readStatementUntil: (since) =>
        Promise.resolve(new Date(Math.max(readUntil, since.getTime()))),
      recordStatementRead(window) {
        recorded.push(window)
        readUntil = window.until.getTime()
        return Promise.resolve()
      },
    },
    readRows: () => Promise.resolve(isAllRead),
  })
}

/** The slices that were read again, one after each reading of new payments. */
const slices = () => requests.filter((_, place) => place % 2 === 1)

test('reports no more of the statement as read than M-Pesa can list, after any outage, in parts of two hours', async () => {
  readUntil = 0
  answer = { kind: 'unanswered', detail: 'away' }
  begin()
  await jest.advanceTimersByTimeAsync(hourMs)
  answer = { kind: 'answered', bodies: [] }
  await jest.advanceTimersByTimeAsync(180_000)
  const { from: first, until: last } = recorded.at(-1) ?? { from: new Date(0), until: new Date(0) }
  expect(last.getTime() - first.getTime()).toBe(reachMs)
  expect(recorded.map(({ from, until }) => [from, until.getTime() - first.getTime()])).toEqual(
    Array.from({ length: 24 }, (_, part) => [first, (part + 1) * 2 * hourMs]),
  )
  for (const { from, until } of requests) {
    expect(until.getTime() - from.getTime()).toBeLessThanOrEqual(2 * hourMs)
  }
})

test.each([
  ['an unread row', {}],
  ['rows behind it that cannot be asked for', { cutOff: 'the offset is not understood' }],
])('counts a page with %s as unread, and reads it and the other slices again', async (_, cut) => {
  answer = { kind: 'answered', bodies: [Buffer.from('a')], ...cut }
  isAllRead = 'cutOff' in cut
  begin()
  await jest.advanceTimersByTimeAsync(15_000)
  expect(recorded).toEqual([])
  const [near, , next] = slices()
  expect(next?.until).toEqual(near?.from)
  ;[isAllRead, answer] = [true, { kind: 'answered', bodies: [] }]
  await jest.advanceTimersByTimeAsync(20_000)
  expect(recorded).toHaveLength(1)
})

test('reads the parts behind a row that cannot be applied, and moves the position over none of them', async () => {
  readUntil = 0
  isAllRead = false
  begin()
  await jest.advanceTimersByTimeAsync(1_000)
  const untilMs = systemClock.now() - 1_000
  expect(requests.slice(0, 24).map(({ from }) => from.getTime())).toEqual(
    Array.from({ length: 24 }, (_, part) => untilMs - reachMs + part * 2 * hourMs),
  )
  expect(recorded).toEqual([])
})

test('continues where the ledger says that the statement was read to, also when that is earlier than before', async () => {
  const overlapMs = 900_000
  begin()
  await jest.advanceTimersByTimeAsync(180_000)
  expect(requests[2]?.from.getTime()).toBe((recorded[0]?.until.getTime() ?? 0) - overlapMs)
  // The ledger's answer after a restore from backup.
  readUntil -= 2 * hourMs
  const restored = readUntil
  await jest.advanceTimersByTimeAsync(180_000)
  expect(requests[4]?.from.getTime()).toBe(restored - overlapMs)
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

test('when a slice cannot be read again, reads new payments on time, and the slice in its next turn', async () => {
  begin()
  await jest.advanceTimersByTimeAsync(180_000)
  const [near] = slices()
  const count = requests.length
  first = [answer, { kind: 'unanswered', detail: 'away' }]
  await jest.advanceTimersByTimeAsync(180_000)
  expect(requests).toHaveLength(count + 2)
  const failed = requests.at(-1)
  expect(failed?.until).toEqual(near?.from)
  await jest.advanceTimersByTimeAsync(2 * 180_000)
  expect(requests).toHaveLength(count + 6)
  expect(requests.at(-1)).toEqual(failed)
  expect(recorded).toHaveLength(5)
})

test('reads a slice with many payments one call at a time, new payments before its rest, and all of it again when its rest is not listed', async () => {
  begin()
  await jest.advanceTimersByTimeAsync(180_000)
  const count = requests.length
  first = [answer, { kind: 'answered', bodies: [], nextRowOffset: 2_000 }]
  await jest.advanceTimersByTimeAsync(180_000)
  const long = requests.at(-1)
  expect(requests).toHaveLength(count + 2)
  await jest.advanceTimersByTimeAsync(180_000)
  first = [answer, { kind: 'unanswered', detail: 'the offset is not understood' }]
  await jest.advanceTimersByTimeAsync(180_000)
  expect(requests).toHaveLength(count + 6)
  expect(requests.at(-1)).toEqual({ ...long, rowOffset: 2_000 })
  await jest.advanceTimersByTimeAsync(2 * 180_000)
  expect(requests.at(-1)).toEqual(long)
})

test('renews its lease every two seconds, also while a page takes long', async () => {
  let end: (() => void) | undefined
  const late = new Promise<Listed>((resolve) => {
    end = () => {
      resolve(answer)
    }
  })
  first = [late]
  begin()
  await jest.advanceTimersByTimeAsync(60_000)
  expect(renewed).toBeGreaterThanOrEqual(30)
  end?.()
  await jest.advanceTimersByTimeAsync(0)
  expect(recorded).toHaveLength(1)
  await jest.advanceTimersByTimeAsync(60_000)
  expect(renewed).toBeGreaterThanOrEqual(60)
})

test('backs off while M-Pesa cannot be reached', async () => {
  answer = { kind: 'unanswered', detail: 'away' }
  begin()
  await jest.advanceTimersByTimeAsync(hourMs)
  expect(requests.length).toBeGreaterThan(15)
  expect(requests.length).toBeLessThan(30)
})

test('queries M-Pesa once an hour where reading is not granted', async () => {
  answer = { kind: 'not_granted', detail: 'http 400, 400.001' }
  begin()
  await jest.advanceTimersByTimeAsync(3 * hourMs - 1)
  expect(requests).toHaveLength(3)
  expect(recorded).toEqual([])
  answer = { kind: 'answered', bodies: [] }
  await jest.advanceTimersByTimeAsync(hourMs)
  expect(recorded.length).toBeGreaterThan(0)
})

test('reads on every three minutes after an answer that fits a refusal and a quiet short code alike, so that the next payment does not wait', async () => {
  answer = { kind: 'doubtful', detail: 'http 200, 1001, and no row in 48 hours' }
  begin()
  await jest.advanceTimersByTimeAsync(hourMs)
  expect(requests).toHaveLength(21)
  expect(recorded).toEqual([])
  expect(await isRefused()).toBe(true)
  answer = { kind: 'answered', bodies: [Buffer.from('a')] }
  await jest.advanceTimersByTimeAsync(180_000)
  expect(recorded).toHaveLength(1)
  expect(await isRefused()).toBe(false)
})

test('days that had only doubtful answers do not count as read, even when M-Pesa no longer lists them, as the grant may have been missing', async () => {
  begin()
  await jest.advanceTimersByTimeAsync(0)
  answer = { kind: 'doubtful', detail: 'http 200, 1001, and no row in 48 hours' }
  for (let days = 0; days < 4; days += 1) {
    jest.setSystemTime(systemClock.now() + 24 * hourMs)
    await jest.advanceTimersByTimeAsync(180_000)
  }
  expect(recorded).toHaveLength(1)
  answer = { kind: 'answered', bodies: [Buffer.from('a')] }
  await jest.advanceTimersByTimeAsync(180_000)
  expect(systemClock.now() - (recorded[1]?.from.getTime() ?? 0)).toBeLessThanOrEqual(
    reachMs + 180_000,
  )
})

/** Whether the metric says that the provider refused our reading. */
async function isRefused(): Promise<boolean> {
  const text = await metrics.getSingleMetricAsString('malipo_statement_not_granted')
  return text.endsWith('{provider="mpesa"} 1')
}

test('shows that reading is not granted from the first refusal until the statement was read', async () => {
  answer = { kind: 'not_granted', detail: 'http 400, 400.001' }
  begin()
  await jest.advanceTimersByTimeAsync(0)
  expect(await isRefused()).toBe(true)
  await jest.advanceTimersByTimeAsync(hourMs - 1)
  expect(await isRefused()).toBe(true)
  answer = { kind: 'unanswered', detail: 'away' }
  await jest.advanceTimersByTimeAsync(1)
  expect(await isRefused()).toBe(true)
  answer = { kind: 'answered', bodies: [] }
  await jest.advanceTimersByTimeAsync(5_000)
  expect(await isRefused()).toBe(false)
})

test('does not show a statement without an answer as not granted', async () => {
  begin()
  await jest.advanceTimersByTimeAsync(0)
  answer = { kind: 'unanswered', detail: 'away' }
  await jest.advanceTimersByTimeAsync(hourMs)
  expect(requests.length).toBeGreaterThan(1)
  expect(await isRefused()).toBe(false)
})

test('clears a refusal from its metric after it has lost the lease: the metric of the next reader has whether reading is granted', async () => {
  answer = { kind: 'not_granted', detail: 'http 400, 400.001' }
  begin()
  await jest.advanceTimersByTimeAsync(0)
  expect(await isRefused()).toBe(true)
  isHolder = false
  await jest.advanceTimersByTimeAsync(2_000)
  expect(await isRefused()).toBe(false)
})

test('reads nothing without the lease, and starts when it gets it', async () => {
  isHolder = false
  begin()
  await jest.advanceTimersByTimeAsync(hourMs)
  expect(requests).toEqual([])
  isHolder = true
  await jest.advanceTimersByTimeAsync(2_000)
  expect(recorded).toHaveLength(1)
})
