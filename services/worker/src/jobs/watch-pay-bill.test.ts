import type { Listed, PayBill } from '@malipo/rails/rail'
import { systemClock } from '@malipo/runtime/clock'
import { openLog } from '@malipo/runtime/log'
import { startWatchingPayBill } from './watch-pay-bill'

const log = openLog('test', 'silent')
const hourMs = 3_600_000
const reachMs = 48 * hourMs

let asked: { from: Date; until: Date }[]
let told: { from: Date; until: Date }[]
let read: string[]
let answer: Listed
let poison: string | undefined
let watch: { stop: () => Promise<void> }

let isHolder: boolean
const payBill: Pick<PayBill, 'listPayments'> = {
  listPayments({ from, until }) {
    asked.push({ from, until })
    return Promise.resolve(answer)
  },
}

beforeEach(() => {
  jest.useFakeTimers()
  asked = []
  told = []
  read = []
  answer = { kind: 'answered', bodies: [] }
  poison = undefined
  isHolder = true
})

afterEach(async () => {
  await watch.stop()
  jest.useRealTimers()
})

function begin(): void {
  watch = startWatchingPayBill({
    ...{ payBill, log, everyMs: 180_000 },
    lease: { hold: () => Promise.resolve(isHolder), release: () => Promise.resolve() },
    clock: systemClock,
    ledger: {
      storeStatementRow: (body) => Promise.resolve(Buffer.from(body).toString()),
      recordStatementRead: (_rail, window) => {
        told.push(window)
        return Promise.resolve()
      },
    },
    jobs: {
      run({ id }) {
        if (id === poison) return Promise.reject(new Error('nobody gets through it'))
        read.push(id)
        return Promise.resolve()
      },
    },
  })
}

test('tells of no more of the statement than it reaches back, however long nobody answered', async () => {
  answer = { kind: 'unanswered', detail: 'away' }
  begin()
  await jest.advanceTimersByTimeAsync(hourMs)
  answer = { kind: 'answered', bodies: [] }
  await jest.advanceTimersByTimeAsync(180_000)
  expect(told).toHaveLength(1)
  for (const { from, until } of [...asked, ...told]) {
    expect(until.getTime() - from.getTime()).toBe(reachMs)
  }
})

test('a row that nobody gets through keeps none behind it from being read, and the statement counts as unread', async () => {
  answer = { kind: 'answered', bodies: ['a', 'b', 'c'].map((row) => Buffer.from(row)) }
  poison = 'b'
  begin()
  await jest.advanceTimersByTimeAsync(0)
  expect(read).toEqual(['a', 'c'])
  expect(told).toEqual([])
  poison = undefined
  await jest.advanceTimersByTimeAsync(5_000)
  expect(read).toEqual(['a', 'c', 'a', 'b', 'c'])
  expect(told).toHaveLength(1)
})

test('is asked ever more seldom while it cannot be reached', async () => {
  answer = { kind: 'unanswered', detail: 'away' }
  begin()
  await jest.advanceTimersByTimeAsync(hourMs)
  expect(asked.length).toBeGreaterThan(15)
  expect(asked.length).toBeLessThan(30)
})

test('where reading is not granted M-Pesa is asked once an hour', async () => {
  answer = { kind: 'not_granted', detail: 'http 400, 400.001' }
  begin()
  await jest.advanceTimersByTimeAsync(3 * hourMs - 1)
  expect(asked).toHaveLength(3)
  expect(told).toEqual([])
  answer = { kind: 'answered', bodies: [] }
  await jest.advanceTimersByTimeAsync(hourMs)
  expect(told.length).toBeGreaterThan(0)
})

test('a worker without the lease reads nothing, and takes over when it gets it', async () => {
  isHolder = false
  begin()
  await jest.advanceTimersByTimeAsync(hourMs)
  expect(asked).toEqual([])
  isHolder = true
  await jest.advanceTimersByTimeAsync(180_000)
  expect(told).toHaveLength(1)
})
