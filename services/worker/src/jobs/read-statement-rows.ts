import { typedHandle } from '@malipo/rails/mpesa/pay-bill'
import type { FoundPayee } from '../clients/accounts'
import type { PayBillPaid } from '../clients/ledger-wire'
import type { JobDeps } from './job-deps'
import type { Jobs } from './open-jobs'
import { factOf, payeeOf } from './read-provider-message'

export interface ReadStatementRowsDeps extends Pick<
  JobDeps,
  'ledger' | 'accounts' | 'announce' | 'log'
> {
  readonly jobs: Pick<Jobs, 'run'>
}

/** The ledger takes as many as 1,000; with fewer it holds what they are about for less time. */
const lotRowsMax = 500
/** A call carries 64 KB: as many bodies as this, or what they say, with the ids and payees of all. */
const lotBytesMax = 40_000
/** What the ledger keeps of one body. */
const bodyBytesMax = 8_192
/** Two lots keep the ledger's database busy, and leave its other connections to payments. */
const lotsAtOnce = 2
const lookupsAtOnce = 16

interface ReadRow {
  readonly messageId: string
  readonly fact: PayBillPaid
}

/**
 * Stores rows of M-Pesa's statement and has the ledger act on those that are new, many at a time. False when one was
 * not read: those behind it do not wait for that.
 */
export async function readStatementRows(
  deps: ReadStatementRowsDeps,
  bodies: readonly Uint8Array[],
): Promise<boolean> {
  const fitting = bodies.filter(({ length }) => length <= bodyBytesMax)
  if (fitting.length < bodies.length) {
    deps.log.error({ rows: bodies.length - fitting.length }, 'rows of the statement are too long')
  }
  let isAllRead = fitting.length === bodies.length
  await atOnce(lotsAtOnce, lotsOf(fitting), async (lot) => {
    const isRead = await readLot(deps, lot)
    isAllRead &&= isRead
  })
  return isAllRead
}

async function readLot(deps: ReadStatementRowsDeps, lot: readonly Uint8Array[]): Promise<boolean> {
  const stored = await deps.ledger.storeStatementRows(lot)
  const rows: ReadRow[] = []
  const alone: string[] = []
  for (const [place, body] of lot.entries()) {
    const row = stored[place]
    if (row === undefined || row.isApplied) continue
    const fact = factOf({ rail: 'paybill', kind: 'statement_row', body })
    if (fact.kind === 'pay_bill_paid') rows.push({ messageId: row.messageId, fact })
    else alone.push(row.messageId)
  }
  alone.push(...(await applyTogether(deps, rows)))
  return readAlone(deps, alone)
}

/** Answers the messages that have to be applied each by itself. */
async function applyTogether(
  deps: ReadStatementRowsDeps,
  rows: readonly ReadRow[],
): Promise<string[]> {
  if (rows.length === 0) return []
  const payees = await payeesOf(deps, rows)
  const facts = rows.map((row) => ({ ...row, payee: payees.get(row.fact.accountNumber) }))
  const applied = await deps.ledger.applyStatementRows(facts)
  const counts: Record<string, number> = {}
  const alone: string[] = []
  for (const [place, { messageId, fact }] of rows.entries()) {
    const { result = 'left_out', checkoutId } = applied[place] ?? {}
    counts[result] = (counts[result] ?? 0) + 1
    if (result === 'left_out') alone.push(messageId)
    if (result !== 'settled') continue
    deps.announce([checkoutId])
    // What a payer has in hand who calls about it.
    deps.log.info({ messageId, fact: fact.kind, receipt: fact.receipt, result }, 'evidence')
  }
  deps.log.info(counts, 'rows of the statement')
  return alone
}

/** The payees whose handles the account numbers are: each is looked up once. */
async function payeesOf(
  deps: ReadStatementRowsDeps,
  rows: readonly ReadRow[],
): Promise<ReadonlyMap<string, FoundPayee>> {
  const numbers = new Set(rows.map(({ fact }) => fact.accountNumber))
  const typed = [...numbers].filter((number) => typedHandle(number) !== undefined)
  const payees = new Map<string, FoundPayee>()
  await atOnce(lookupsAtOnce, typed, async (number) => {
    payees.set(number, await payeeOf(deps, number))
  })
  return payees
}

async function readAlone(
  { jobs, log }: ReadStatementRowsDeps,
  messageIds: readonly string[],
): Promise<boolean> {
  let isAllRead = true
  for (const id of new Set(messageIds)) {
    await jobs.run({ job: 'read-provider-message', id }).catch((error: unknown) => {
      // The row is kept, so the sweep will bring it back, and those behind it do not wait for that.
      log.error({ error, messageId: id }, 'a row of the statement was not read')
      isAllRead = false
    })
  }
  return isAllRead
}

function lotsOf(bodies: readonly Uint8Array[]): Uint8Array[][] {
  const lots: Uint8Array[][] = []
  let lot: Uint8Array[] = []
  let bytes = 0
  for (const body of bodies) {
    if (lot.length === lotRowsMax || bytes + body.length > lotBytesMax) {
      lots.push(lot)
      lot = []
      bytes = 0
    }
    lot.push(body)
    bytes += body.length
  }
  return lot.length === 0 ? lots : [...lots, lot]
}

/** Does work on each, so many at a time. Rejects with the first error, when what was begun has ended. */
async function atOnce<Item>(
  count: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  const takeTurns = async () => {
    for (const item of waiting) await work(item)
  }
  const turns = await Promise.allSettled(Array.from({ length: count }, takeTurns))
  for (const turn of turns) if (turn.status === 'rejected') throw turn.reason
}
