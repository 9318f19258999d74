import type { Listed, PayBill } from '@malipo/rails/rail'
import { systemClock } from '@malipo/runtime/clock'
import { openLog } from '@malipo/runtime/log'
import { metrics } from '@malipo/runtime/metrics'
import { startWatchingPayBill } from './watch-pay-bill'

const log = openLog('test', 'silent')
const hourMs = 3_600_000
const reachMs = 48 * hourMs

let requests: { from: Date; until: Date }[]
let recorded: { from: Date; until: Date }[]
let answer: Listed
let isAllRead: boolean
let renewed: number
let readUntil: number
let watch: { stop: () => Promise<void> }

let isHolder: boolean
let payBillOnce: (() => Promise<Listed>) | undefined
const payBill: Pick<PayBill, 'listPayments'> = {
  listPayments({ from, until }) {
    requests.push({ from, until })
    const once = payBillOnce
    payBillOnce = undefined
    return once?.() ?? Promise.resolve(answer)
  },
}

beforeEach(() => {
  jest.useFakeTimers()
  requests = []
  recorded = []
  answer = { kind: 'answered', bodies: [] }
  isAllRead = true
  renewed = 0
  readUntil = 0
  isHolder = true
  payBillOnce = undefined
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

test('reports no more of the statement as read than M-Pesa can list, after any outage', async () => {
  answer = { kind: 'unanswered', detail: 'away' }
  begin()
  await jest.advanceTimersByTimeAsync(hourMs)
  answer = { kind: 'answered', bodies: [] }
  await jest.advanceTimersByTimeAsync(180_000)
  expect(recorded).toHaveLength(1)
  for (const { from, until } of [...requests, ...recorded]) {
    expect(until.getTime() - from.getTime()).toBe(reachMs)
  }
})

test('counts a page with an unread row as unread, and reads it again', async () => {
  answer = { kind: 'answered', bodies: [Buffer.from('a')] }
  isAllRead = false
  begin()
  await jest.advanceTimersByTimeAsync(0)
  expect(recorded).toEqual([])
  isAllRead = true
  await jest.advanceTimersByTimeAsync(5_000)
  expect(recorded).toHaveLength(1)
})

test('continues where the ledger says that the statement was read to, also when that is earlier than before', async () => {
  const overlapMs = 900_000
  begin()
  await jest.advanceTimersByTimeAsync(180_000)
  expect(requests[1]?.from.getTime()).toBe((recorded[0]?.until.getTime() ?? 0) - overlapMs)
  // The ledger's answer after a restore from backup.
  readUntil -= 2 * hourMs
  const restored = readUntil
  await jest.advanceTimersByTimeAsync(180_000)
  expect(requests[2]?.from.getTime()).toBe(restored - overlapMs)
})

test('reads the last six hours again every hour, for payments that M-Pesa lists late, and 48 hours every twelve', async () => {
  begin()
  await jest.advanceTimersByTimeAsync(12 * hourMs)
  const backHours = requests.map(({ from, until }) => (until.getTime() - from.getTime()) / hourMs)
  expect(backHours.filter((hours) => hours >= 1)).toEqual([48, ...Array<number>(11).fill(6), 48])
})

test('reads again what it should have read, where that reading failed', async () => {
  begin()
  await jest.advanceTimersByTimeAsync(hourMs - 1)
  isAllRead = false
  answer = { kind: 'answered', bodies: [Buffer.from('a')] }
  await jest.advanceTimersByTimeAsync(1)
  isAllRead = true
  await jest.advanceTimersByTimeAsync(5_000)
  const [failed, retried] = requests.slice(-2)
  expect(failed?.until.getTime()).toBe((failed?.from.getTime() ?? 0) + 6 * hourMs)
  expect(retried?.until.getTime()).toBe((retried?.from.getTime() ?? 0) + 6 * hourMs)
})

test('renews its lease every two seconds, also while a page takes long', async () => {
  let end: (() => void) | undefined
  payBillOnce = () =>
    new Promise((resolve) => {
      end = () => {
        resolve(answer)
      }
    })
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

/** What Prometheus reads of the grant. */
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

test('leaves it to the next reader to show whether reading is granted', async () => {
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
