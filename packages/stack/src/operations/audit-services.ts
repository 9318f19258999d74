import { isDatabaseAway } from '@malipo/runtime/database'
import { Client } from 'pg'
import type { StackFile } from '../stack-file'
import type { Finding, Unasked } from './finding'
import { type BookRow, readBooks } from './simulator-book'

export interface Invariant {
  readonly where: 'keys' | 'accounts' | 'ledger_ke' | 'ledger_ug'
  readonly number: number
  readonly statement: string
  /** Returns one column `who`, with a row for each violation. */
  readonly query: string
}

const inbox = (where: 'ledger_ke' | 'ledger_ug'): Invariant => ({
  where,
  number: 26,
  statement: 'nothing that is due has waited for half a minute',
  query: `
    SELECT id AS who FROM provider_messages WHERE next_action_at < clock_timestamp() - interval '30 seconds'
    UNION ALL
    SELECT id FROM intents WHERE next_action_at < clock_timestamp() - interval '30 seconds'`,
})

/** Invariants that no ledger can check: those of the other services' databases, and of the work queue. */
export const invariants: readonly Invariant[] = [
  inbox('ledger_ke'),
  inbox('ledger_ug'),
  {
    where: 'keys',
    number: 27,
    statement: 'an account has at most one live key, and that is its newest',
    query: `
      SELECT account_id AS who FROM keys WHERE revoked_at IS NULL GROUP BY account_id HAVING count(*) > 1
      UNION ALL
      SELECT old.account_id FROM keys old JOIN keys newer USING (account_id)
      WHERE old.revoked_at IS NULL AND newer.created_at > old.created_at`,
  },
  {
    where: 'keys',
    number: 28,
    statement: 'every digest has 32 bytes, and no text has a secret key in it',
    query: `
      SELECT key_id AS who FROM keys
      WHERE octet_length(digest) <> 32 OR concat(key_id, prefix, last_four) ~ 'mkp_(test|live)_[A-Z2-7]{52}'`,
  },
  {
    where: 'accounts',
    number: 29,
    statement: 'no handle reads as a Pay Bill number',
    query: `SELECT handle AS who FROM handles WHERE regexp_replace(lower(folded), '[^a-z0-9]', '', 'g') ~ '^cs[0-9]{8}$'`,
  },
]

const bookInvariant = {
  where: 'simulator',
  number: 10,
  statement: 'the journal is the book of the simulator, receipt by receipt',
} as const

/** Everything that `auditServices` asks, for an audit that does not ask it. */
export function unaskedServices(why: string): Unasked[] {
  return [...invariants, bookInvariant].map(({ where, number, statement }) => ({
    ...{ where, number, statement, why },
  }))
}

const examplesMax = 5

export async function auditServices(stack: StackFile): Promise<Finding[]> {
  const answer = await Promise.all(
    invariants.flatMap((invariant) =>
      inEachCell(stack.databases, invariant.where).map(([where, url]) =>
        askDatabase(url, { ...invariant, where }),
      ),
    ),
  )
  return [...answer, await compareBook(stack)]
}

/** The database of a service, and that of its second cell where there is one. */
function inEachCell(
  databases: StackFile['databases'],
  name: Invariant['where'],
): [where: string, url: string][] {
  const names = Object.entries(databases).filter(
    ([each]) => each === name || each === `${name}_cell_1`,
  )
  return names.flatMap(([where, url]) => (url === undefined ? [] : [[where, url]]))
}

async function askDatabase(
  url: string,
  invariant: Omit<Invariant, 'where'> & Pick<Finding, 'where'>,
): Promise<Finding> {
  const { where, number, statement, query } = invariant
  const found = await unlessAway(rowsOf<{ who: string }>(url, query))
  const examples = found?.slice(0, examplesMax).map(({ who }) => who) ?? []
  return { where, number, statement, rows: found?.length, examples }
}

/** Returns undefined if a service does not answer, so that the answers of the others are still shown. */
async function unlessAway<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  return asked.catch((error: unknown) => {
    if (!isDatabaseAway(error)) throw error
    return undefined
  })
}

async function rowsOf<Row extends object>(url: string, query: string): Promise<Row[]> {
  const client = new Client({ connectionString: url, statement_timeout: 60_000 })
  await client.connect()
  try {
    return (await client.query<Row>(query)).rows
  } finally {
    await client.end()
  }
}

interface Posted {
  readonly event: string
  readonly minor: string
}

/** How long a movement may be missing in the journal: callbacks and status queries need time. */
const settledMs = 10 * 60_000

/** Checks invariant 10, only with a simulator: since its start, its book and the journals agree receipt by receipt. */
async function compareBook(stack: StackFile): Promise<Finding> {
  const differing = await unlessAway(differingReceipts(stack))
  const examples = differing?.slice(0, examplesMax) ?? []
  return { ...bookInvariant, rows: differing?.length, examples }
}

async function differingReceipts({ simulator, databases }: StackFile): Promise<string[]> {
  const { home: book, guests, nowMs } = await readBooks(simulator.url)
  const began = book[0]?.at
  const journal = await Promise.all(
    // All cells' journals are read, because the simulator is the provider of every cell.
    [...inEachCell(databases, 'ledger_ke'), ...inEachCell(databases, 'ledger_ug')].map(([, url]) =>
      rowsOf<Posted>(
        url,
        `SELECT event_key AS event, sum(minor)::text AS minor FROM transfers
         WHERE event_key ~ '^(receipt|refunded):' AND created_at >= '${began ?? 'infinity'}' GROUP BY event_key`,
      ),
    ),
  )
  return differencesOf(book, journal.flat(), nowMs, guests)
}

const goesBack = new Set(['reversal', 'card_void', 'card_refund'])

/** The `event_key` of the transfer that a row of the book must have in the journal. */
function eventOf({ provider, kind, receipt, account }: BookRow): string {
  return goesBack.has(kind) ? `refunded:${provider}:${account}` : `receipt:${provider}:${receipt}`
}

/**
 * Returns the events that only the book or only the journal has, or that differ in their amount. A movement within ten
 * minutes of `nowMs` (milliseconds since 1970) may still be on its way to the journal. `guests` are rows of other
 * sessions of the simulator: they count only where the journal has them, because a session may pay to another stack.
 */
export function differencesOf(
  book: readonly BookRow[],
  journal: readonly Posted[],
  nowMs: number,
  guests: readonly BookRow[] = [],
): string[] {
  const posted = new Map(journal.map(({ event, minor }) => [event, minor]))
  const ours = guests.filter((row) => posted.has(eventOf(row)))
  const moved = new Map([...book, ...ours].map((row) => [eventOf(row), row]))
  const missing = [...moved].filter(([event, { amount, at }]) => {
    const isYoung = nowMs - Date.parse(at) <= settledMs && !posted.has(event)
    return posted.get(event) !== amount && !isYoung
  })
  const extra = journal.filter(({ event }) => !moved.has(event))
  return [...missing.map(([event]) => event), ...extra.map(({ event }) => event)]
}
