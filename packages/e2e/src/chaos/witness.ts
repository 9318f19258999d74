import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SimulatorControl } from '@malipo/testing/simulator-control'
import type { SimEvent } from '@malipo/testing/simulator-shapes'
import { receiptOf } from '../books'
import { openJournal, type Transfer } from '../journal'
import { operate } from '../operator'
import type { RunningStack } from '../running-stack'
import type { Prompt, Truth } from './history'

/** Reads the simulator's events as they happen, because the simulator forgets old ones. */
export interface Witness {
  poll(): Promise<void>
  prompts(): Prompt[]
  /** When the money of each receipt moved. */
  movedAt(): ReadonlyMap<string, number>
}

export function openWitness(simulator: SimulatorControl): Witness {
  const prompts: { msisdn: string; openedAtMs: number; closedAtMs: number }[] = []
  const movedAt = new Map<string, number>()
  let last = 0
  const note: Readonly<Record<string, (event: SimEvent) => unknown>> = {
    push_accepted: ({ at, facts }) =>
      prompts.push({
        ...{ msisdn: String(facts['msisdn']), openedAtMs: Date.parse(at) },
        closedAtMs: Infinity,
      }),
    prompt_closed({ at, facts }) {
      const open = prompts.find(
        ({ msisdn, closedAtMs }) => msisdn === facts['msisdn'] && closedAtMs === Infinity,
      )
      if (open !== undefined) open.closedAtMs = Date.parse(at)
    },
    money_moved: ({ at, facts }) => movedAt.set(String(facts['receipt']), Date.parse(at)),
  }
  return {
    async poll() {
      const events = await simulator.events(last)
      for (const event of events) note[event.kind]?.(event)
      last = events.at(-1)?.id ?? last
    },
    prompts: () => prompts,
    movedAt: () => movedAt,
  }
}

/** Every transfer of a receipt in both countries. */
export async function readReceipts({ file }: RunningStack): Promise<Transfer[]> {
  const urls = [file.databases.ledger_ke, file.databases.ledger_ug]
  const all = await Promise.all(
    urls.map(async (url) => {
      const journal = openJournal(url)
      const transfers = await journal.transfers()
      await journal.close()
      return transfers
    }),
  )
  return all.flat().filter(({ event_key: key }) => key.startsWith('receipt:'))
}

/** Reads the facts for the rules of `check-history.ts`, once the stack is calm. */
export async function readTruth(
  stack: RunningStack,
  simulator: SimulatorControl,
  witness: Witness,
): Promise<Truth> {
  const [book, transfers, audit] = await Promise.all([
    simulator.book(),
    readReceipts(stack),
    operate(stack.dir, 'audit'),
  ])
  return {
    moved: book.map(({ receipt, provider, account, msisdn, amount }) => ({
      ...{ receipt, msisdn, amount },
      cardAttempt: provider === 'card' ? account : null,
    })),
    posted: transfers.map(({ event_key: key, credit, minor }) => ({
      ...{ receipt: receiptOf(key), credit, minor },
    })),
    prompts: witness.prompts(),
    audit: audit.isGood ? [] : [audit.text],
    leaks: leaksIn(stack.dir),
  }
}

/**
 * Finds secret keys and whole phone numbers in our logs. The log of the simulator is left out, because it plays the
 * providers.
 */
function leaksIn(dir: string): string[] {
  const logs = join(dir, 'logs')
  const secret = /mkp_(?:test|live)_[A-Z2-7]{52}|\b25[46]7\d{8}\b/
  return readdirSync(logs)
    .filter((name) => !name.startsWith('simulator'))
    .flatMap((name) =>
      readFileSync(join(logs, name), 'utf8')
        .split('\n')
        .filter((line) => secret.test(line))
        .map((line) => `${name}: ${line.replace(secret, 'SECRET').slice(0, 300)}`),
    )
}
