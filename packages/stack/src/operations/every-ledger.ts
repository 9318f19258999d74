import { Fault } from '@malipo/kernel/errors'
import type { CellConnection, Connections } from './ledgers'
import { textTable } from './text-table'

export interface EveryAnswer<Answer> {
  readonly answers: readonly (readonly [place: string, answer: Answer])[]
  readonly failures: readonly (readonly [place: string, why: string])[]
}

/** Asks every ledger, and returns both answers and failures: one failing ledger hides no other. Throws if all fail. */
export async function inEveryLedger<Answer>(
  { ledgers }: Pick<Connections, 'ledgers'>,
  ask: (connection: CellConnection) => Promise<Answer>,
): Promise<EveryAnswer<Answer>> {
  const settled = await Promise.allSettled(ledgers.map(async (connection) => ask(connection)))
  const [answers, failures]: [[string, Answer][], [string, string][]] = [[], []]
  for (const [index, { place }] of ledgers.entries()) {
    const result = settled[index]
    if (result?.status === 'fulfilled') answers.push([place, result.value])
    else failures.push([place, wordsOf(result?.reason)])
  }
  const [first] = settled
  if (answers.length === 0 && first?.status === 'rejected') throw first.reason
  return { answers, failures }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Fault)) return String(error)
  if (error.reason === 'ledger_unavailable') return 'no answer'
  const fields = error.fields.map(({ path, message }) => `${path} ${message}`).join(', ')
  const { details } = (error.cause ?? {}) as { readonly details?: string }
  const why = fields === '' ? details : fields
  return `refused (${why ?? error.description})`
}

export interface Listing {
  readonly text: string
  /** Whether every ledger answered. */
  readonly isGood: boolean
}

/** Renders a table, the lines below it, and a line for each ledger that failed. */
export function listingOf(
  rows: readonly (readonly string[])[],
  lines: readonly string[],
  failures: EveryAnswer<unknown>['failures'],
): Listing {
  const missing = failures.map(([place, why]) => `${place}: ${why}\n`)
  return { text: [textTable(rows), ...lines, ...missing].join(''), isGood: failures.length === 0 }
}
