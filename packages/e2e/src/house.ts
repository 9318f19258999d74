import type { Country, MobileRail } from '@malipo/kernel/countries'
import { type Journal, openJournal } from './journal'
import { type Merchant, openMerchant } from './merchant'
import { openPayer, type Payer } from './payer'
import { type RunningStack, startStack } from './running-stack'
import { openHome, openSession, type Simulator } from './simulator'

/** A running stack with everybody who meets in one of its countries. */
export interface House {
  readonly stack: RunningStack
  readonly merchant: Merchant
  /** In a session of this house's own. */
  readonly simulator: Simulator
  /** Where everything is that no session claims. */
  readonly provider: Simulator
  readonly journal: Journal
  /** A new payer with a fresh address, on the country's first rail by default. */
  newPayer(rail?: MobileRail): Payer
  close(): Promise<void>
}

export async function openHouse(
  environment: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<House> {
  const stack = await startStack(environment, flags)
  const house = enterHouse(stack, 'ke')
  return {
    ...house,
    async close() {
      await house.close()
      await stack.stop()
    },
  }
}

/** A country of a stack that runs already, and that goes on when this is closed. */
export function enterHouse(stack: RunningStack, country: Country): House {
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
