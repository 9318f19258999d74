import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { lazily } from '@malipo/testing/lazily'
import type { Config } from './config'
import { settledInvariants } from './invariants.harness'
import { payments } from './payments.harness'
import { type RunningLedger, startLedger } from './start.harness'

/** A separate ledger for one test file. */
export interface TestLedger {
  readonly database: TestDatabase
  readonly ledger: RunningLedger
  readonly pay: ReturnType<typeof payments>
  /** One more ledger on the same database, as a second replica or with other settings. */
  another(changes?: Partial<Config>): Promise<Pick<TestLedger, 'ledger' | 'pay'>>
  /** Stops everything, and fails when an invariant does not hold at the end. */
  close(): Promise<void>
}

export async function openLedger(changes: Partial<Config> = {}): Promise<TestLedger> {
  const database = await cloneDatabase('ledger')
  const ledger = await startLedger(database, changes)
  const running = [ledger]
  return {
    database,
    ledger,
    pay: payments(ledger),
    async another(others) {
      const more = await startLedger(database, others)
      running.push(more)
      return { ledger: more, pay: payments(more) }
    },
    async close() {
      const broken = await settledInvariants(database)
      await Promise.all(running.map((one) => one.stop()))
      await database.drop()
      expect(broken).toEqual({})
    },
  }
}

/**
 * The ledger of a test file, opened before its tests and closed after them. Its parts may be named before it is open.
 */
export function ledgerOfFile(changes: Partial<Config> = {}): TestLedger {
  let at: TestLedger
  beforeAll(async () => {
    at = await openLedger(changes)
  })
  afterAll(() => at.close())
  return {
    database: lazily(() => at.database),
    ledger: lazily(() => at.ledger),
    pay: lazily(() => at.pay),
    another: (others) => at.another(others),
    close: () => at.close(),
  }
}
