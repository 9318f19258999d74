import type { Country, MobileRail } from '@malipo/kernel/countries'
import { patience } from '@malipo/testing/patience'
import { type Journal, openJournal } from './journal'
import { type Merchant, openMerchant } from './merchant'
import { openPayer, type Payer } from './payer'
import { type RunningStack, startStack } from './running-stack'
import { openHome, openSession, type Simulator } from './simulator'

/** A running stack with a merchant, a simulator session, payers and the journal of one country. */
export interface Fixture {
  readonly stack: RunningStack
  readonly merchant: Merchant
  readonly simulator: Simulator
  /** The simulator's home session. */
  readonly provider: Simulator
  readonly journal: Journal
  /** A new payer with a fresh address, on the country's first rail by default. */
  newPayer(rail?: MobileRail): Payer
  close(): Promise<void>
}

export async function openFixture(
  environment: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<Fixture> {
  const stack = await startStack({ ...patience, ...environment }, flags)
  const fixture = enterFixture(stack, 'ke')
  return {
    ...fixture,
    async close() {
      await fixture.close()
      await stack.stop()
    },
  }
}

/** Uses one country of a running stack; closing the fixture leaves the stack running. */
export function enterFixture(stack: RunningStack, country: Country): Fixture {
  const journal = openJournal(stack.file.databases[`ledger_${country}`])
  const simulator = openSession(stack.file.simulator.url)
  return {
    stack,
    merchant: openMerchant(stack.file, country),
    simulator,
    provider: openHome(stack.file.simulator.url),
    journal,
    newPayer: (rail) => openPayer(stack.file, country, rail),
    async close() {
      await simulator.leave()
      await journal.close()
    },
  }
}
