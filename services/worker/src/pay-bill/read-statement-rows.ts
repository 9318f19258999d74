import { digestStatementRow } from '@malipo/contracts/statement-row'
import type { PayBillPaid } from '@malipo/kernel/provider-fact'
import type { FoundPayee } from '@malipo/ledger-client/evidence'
import type { StatementRow } from '@malipo/ledger-client/statements'
import { loggedRow, readNoPayment, typedHandle } from '@malipo/rails/mpesa/pay-bill'
import { notableEvents } from '@malipo/runtime/metrics'
import { failureLevel } from '@malipo/runtime/present-fault'
import type { JobDeps } from '../sweep/job-deps'
import type { Jobs } from '../sweep/open-jobs'
import { factOf, payeeOf } from '../callbacks/read-provider-message'

export interface ReadStatementRowsDeps extends Pick<
  JobDeps,
  'ledger' | 'findPayee' | 'announce' | 'log'
> {
  readonly jobs: Pick<Jobs, 'run'>
}

/** The most digests that the ledger accepts in one call. They fill half of its 64 KB. */
const digestsMax = 1_000
/** The ledger accepts 1,000; smaller batches hold its locks for less time. */
const batchRowsMax = 500
/** Below the 64 KB that one call carries. */
const batchBytesMax = 60_000
/** What a row takes in a call beside its body: its fixed fields and length prefixes. */
const rowBytes = 64
/** The longest body that the ledger stores. */
const bodyBytesMax = 8_192
/** Two batches at a time keep the ledger's database busy, and leave its other connections to payments. */
const batchesAtOnce = 2
const lookupsAtOnce = 16

/**
 * Stores rows of M-Pesa's statement and applies the new ones, in batches. False when a row failed; the others are
 * still applied.
 */
export async function readStatementRows(
  deps: ReadStatementRowsDeps,
  bodies: readonly Uint8Array[],
): Promise<boolean> {
  const fitting = bodies.filter(({ length }) => length <= bodyBytesMax)
  if (fitting.length < bodies.length) {
    deps.log.error({ rows: bodies.length - fitting.length }, 'rows of the statement are too long')
  }
  const { rows, isEachRead } = await readNew(deps, fitting)
  let isAllRead = isEachRead && fitting.length === bodies.length
  await atOnce(batchesAtOnce, batchesOf(rows), async (batch) => {
    const isRead = await readSingly(deps, await take(deps, batch))
    isAllRead &&= isRead
  })
  return isAllRead
}

/**
 * Returns the rows that the ledger has not applied yet; it has most of them, because readings overlap. A row that
 * cannot be parsed is not sent, and the next reading tries it again: what the ledger applied as unreadable is never
 * read again.
 */
async function readNew(
  deps: ReadStatementRowsDeps,
  bodies: readonly Uint8Array[],
): Promise<{ readonly rows: StatementRow[]; readonly isEachRead: boolean }> {
  const read: { readonly body: Uint8Array; readonly fact: PayBillPaid }[] = []
  let isEachRead = true
  for (let first = 0; first < bodies.length; first += digestsMax) {
    const answer = bodies.slice(first, first + digestsMax)
    const areApplied = await deps.ledger.findStatementRows(answer.map(digestStatementRow))
    for (const [place, body] of answer.entries()) {
      if (areApplied[place] === true || isLeftOut(deps, body)) continue
      const fact = factOf({ rail: 'paybill', kind: 'statement_row', body })
      if (fact.kind === 'pay_bill_paid') {
        read.push({ body, fact })
        continue
      }
      isEachRead = false
      notableEvents.inc({ name: 'provider_code_unknown' })
      deps.log.error({ ...loggedRow(body), fact }, 'a row of the statement cannot be read')
    }
  }
  const payees = await payeesOf(deps, new Set(read.map(({ fact }) => fact.accountNumber)))
  const rows = read.map((row) => ({ ...row, payee: payees.get(row.fact.accountNumber) }))
  return { rows, isEachRead }
}

/**
 * True for a row that is no payment, such as the emptying of a till. It is counted and not stored, because the ledger
 * would post it as money in. A row of an unknown type may be a payment, so it also counts as an event for operators.
 */
function isLeftOut({ log }: ReadStatementRowsDeps, body: Uint8Array): boolean {
  const noPayment = readNoPayment(body)
  if (noPayment === undefined) return false
  notableEvents.inc({ name: 'statement_row_no_payment' })
  if (!noPayment.isKnown) notableEvents.inc({ name: 'provider_code_unknown' })
  log.info(noPayment, 'a row of the statement is no payment')
  return true
}

/**
 * Has the ledger store and apply rows in one call. Returns the ids of the messages that it stored and left to be
 * applied one by one.
 */
async function take(deps: ReadStatementRowsDeps, rows: readonly StatementRow[]): Promise<string[]> {
  const taken = await deps.ledger.takeStatementRows(rows)
  const counts: Record<string, number> = {}
  const alone: string[] = []
  for (const [place, { messageId, result = 'left_out', checkoutId }] of taken.entries()) {
    counts[result] = (counts[result] ?? 0) + 1
    if (result === 'left_out') alone.push(messageId)
    if (result !== 'settled') continue
    deps.announce([checkoutId])
    // The receipt, which a payer quotes to support.
    const fact = rows[place]?.fact
    deps.log.info({ messageId, fact: fact?.kind, receipt: fact?.receipt, result }, 'evidence')
  }
  deps.log.info(counts, 'rows of the statement')
  return alone
}

/** The payees of account numbers that are handles, each looked up once. */
async function payeesOf(
  deps: ReadStatementRowsDeps,
  numbers: ReadonlySet<string>,
): Promise<ReadonlyMap<string, FoundPayee>> {
  const typed = [...numbers].filter((number) => typedHandle(number) !== undefined)
  const payees = new Map<string, FoundPayee>()
  await atOnce(lookupsAtOnce, typed, async (number) => {
    payees.set(number, await payeeOf(deps, number))
  })
  return payees
}

async function readSingly(
  { jobs, log }: ReadStatementRowsDeps,
  messageIds: readonly string[],
): Promise<boolean> {
  let isAllRead = true
  for (const id of new Set(messageIds)) {
    await jobs.run({ job: 'read-provider-message', id }).catch((error: unknown) => {
      // The row is stored, so the sweep retries it, and the rows behind it do not wait.
      log[failureLevel(error)]({ error, messageId: id }, 'a row of the statement was not read')
      isAllRead = false
    })
  }
  return isAllRead
}

function batchesOf(rows: readonly StatementRow[]): StatementRow[][] {
  const batches: StatementRow[][] = []
  let batch: StatementRow[] = []
  let bytes = 0
  for (const row of rows) {
    const more = bytesOf(row)
    if (batch.length === batchRowsMax || bytes + more > batchBytesMax) {
      batches.push(batch)
      batch = []
      bytes = 0
    }
    batch.push(row)
    bytes += more
  }
  return batch.length === 0 ? batches : [...batches, batch]
}

/** An upper bound of a row's size in a call. */
function bytesOf({ body, fact, payee }: StatementRow): number {
  const found = typeof payee === 'object' ? payee.accountId + payee.handle : ''
  const texts = [fact.receipt, fact.accountNumber, fact.phone, fact.thirdPartyId, found]
  return rowBytes + body.length + Buffer.byteLength(texts.join(''))
}

/** Maps items with limited concurrency. Rejects with the first error, after all started work has ended. */
async function atOnce<Item>(
  count: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  const takeItems = async () => {
    for (const item of waiting) await work(item)
  }
  const turns = await Promise.allSettled(Array.from({ length: count }, takeItems))
  for (const turn of turns) if (turn.status === 'rejected') throw turn.reason
}
