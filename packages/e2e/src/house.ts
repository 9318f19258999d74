import { type Journal, openJournal } from './journal'
import { type Merchant, openMerchant } from './merchant'
import { openPayer, type Payer } from './payer'
import { type RunningStack, startStack } from './running-stack'
import { openSimulator, type Simulator } from './simulator'

/** A running stack of Kenya with everybody who meets there. */
export interface House {
  readonly stack: RunningStack
  readonly merchant: Merchant
  readonly simulator: Simulator
  readonly journal: Journal
  /** Somebody new, with an address nobody had. */
  newPayer(): Payer
  close(): Promise<void>
}

export async function openHouse(
  environment: Readonly<Record<string, string>> = {},
): Promise<House> {
  const stack = await startStack(environment)
  const journal = openJournal(stack.file.databases.ledger_ke)
  return {
    stack,
    merchant: openMerchant(stack.file),
    simulator: openSimulator(stack.file.simulator.url),
    journal,
    newPayer: () => openPayer(stack.file),
    async close() {
      await journal.close()
      await stack.stop()
    },
  }
}
