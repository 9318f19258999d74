import type { Listed, PayBill } from '@malipo/rails/rail'
import { systemClock } from '@malipo/runtime/clock'
import { openLog } from '@malipo/runtime/log'
import { startWatchingPayBill } from './watch-pay-bill'

const log = openLog('test', 'silent')
export const hourMs = 3_600_000

interface Watching {
  requests: { from: Date; until: Date; rowOffset: number }[]
  recorded: { from: Date; until: Date }[]
  answer: Listed
  /** Answers of the first calls, before `answer`. Calls for new payments and for old slices take turns. */
  first: (Listed | Promise<Listed>)[]
  isAllRead: boolean
  renewed: number
  readUntil: number
  isHolder: boolean
}

const fresh = (): Watching => ({
  ...{ requests: [], recorded: [], first: [], isAllRead: true, renewed: 0, isHolder: true },
  answer: { kind: 'answered', bodies: [] },
  readUntil: systemClock.now() - 600_000,
})

/** What the provider and the ledger were asked, and what they answer. */
export const at = fresh()
let watch: { stop: () => Promise<void> }

const payBill: Pick<PayBill, 'listPayments'> = {
  listPayments({ from, until, rowOffset }) {
    at.requests.push({ from, until, rowOffset })
    return Promise.resolve(at.first.shift() ?? at.answer)
  },
}

/** Begins each test with a provider that lists no payment, at a time that only the test moves. */
export function useOwnWatch(): void {
  beforeEach(() => {
    jest.useFakeTimers()
    Object.assign(at, fresh())
  })
  afterEach(async () => {
    await watch.stop()
    jest.useRealTimers()
  })
}

export function begin(): void {
  watch = startWatchingPayBill({
    ...{ payBill, log, everyMs: 180_000 },
    lease: {
      hold() {
        at.renewed += 1
        return Promise.resolve(at.isHolder)
      },
      release: () => Promise.resolve(),
    },
    clock: systemClock,
    ledger: {
      readStatementUntil: (since) =>
        Promise.resolve(new Date(Math.max(at.readUntil, since.getTime()))),
      recordStatementRead(window) {
        at.recorded.push(window)
        at.readUntil = window.until.getTime()
        return Promise.resolve()
      },
    },
    readRows: () => Promise.resolve(at.isAllRead),
  })
}
