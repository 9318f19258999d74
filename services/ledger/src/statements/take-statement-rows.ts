import type { StatementRow } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { digestStatementRow } from '@malipo/contracts/statement-row'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Log } from '@malipo/runtime/log'
import { notableEvents } from '@malipo/runtime/metrics'
import type { Ledger, Operation } from '../operation'
import { countersOf } from '../evidence/rules/evidence'
import { retryLostRaces } from '../database/transaction'
import { readPayBillPaid } from '../pay-bill/read-pay-bill-paid'
import { bodyBytesMax } from '../evidence/store-provider-message'
import {
  type NewRow,
  type TakenRow,
  type TakenRows,
  applyStatementRows,
} from './store/apply-statement-rows'

/** One call may have so many rows, which take the database some hundred milliseconds. */
export const statementRowsMax = 1_000

/**
 * Keeps rows of M-Pesa's statement word for word, and decides and posts them, in one transaction. A row about what
 * another transaction has locked is kept and not applied; when the rows fail together, none is applied.
 */
export function takeStatementRows(deps: Ledger): Operation<'takeStatementRows'> {
  return async ({ rows: given }) => {
    if (given.length > statementRowsMax || given.some(({ body }) => body.length > bodyBytesMax)) {
      throw new Fault('invalid_request', { field: 'rows' })
    }
    const digests = given.map(({ body }) => digestStatementRow(body).toString('base64'))
    const rows = new Map<string, NewRow>()
    for (const [place, row] of given.entries()) {
      const digest = digests[place] ?? ''
      if (!rows.has(digest)) rows.set(digest, newRow(deps, row, digest))
    }
    const taken = await take(deps, [...rows.values()])
    const byDigest = new Map([...rows.keys()].map((digest, place) => [digest, taken[place]]))
    return { rows: digests.map((digest) => presentRow(byDigest.get(digest))) }
  }
}

function newRow({ newIds, payBill }: Ledger, { body, paid }: StatementRow, digest: string): NewRow {
  return {
    body,
    digest: Buffer.from(digest, 'base64'),
    messageId: newIds.providerMessage(),
    newIntentId: newIds.intent(),
    fact: paid && readPayBillPaid(paid, payBill),
  }
}

async function take({ pool, log }: Ledger, rows: readonly NewRow[]): Promise<readonly TakenRow[]> {
  const taken = await retryLostRaces(() => applyStatementRows(pool, rows)).catch(
    async (error: unknown): Promise<TakenRows> => {
      // Nothing was written. The rows are stored, and each is applied alone later, so that only the faulty row fails.
      log.warn({ err: error, rows: rows.length }, 'rows of the statement failed together')
      const unread = rows.map((row) => ({ ...row, fact: undefined }))
      return retryLostRaces(() => applyStatementRows(pool, unread))
    },
  )
  for (const receipt of taken.differing) warnOfContradiction(log, receipt)
  for (const { messageId, intentId, checkoutId, applied, isNew } of taken.rows) {
    for (const name of applied === undefined ? [] : countersOf(applied)) {
      notableEvents.inc({ name })
      log.warn({ messageId, ...applied }, name)
    }
    if (isNew && applied?.result === 'settled') {
      log.info({ messageId, intentId, checkoutId, disposition: applied.disposition }, 'settled')
    }
  }
  return taken.rows
}

/** The statement is our final source on a payment, so an operator has to ask the provider which amount is right. */
export function warnOfContradiction(log: Log, receipt: string): void {
  notableEvents.inc({ name: 'statement_row_contradicts' })
  log.error({ receipt }, 'the statement shows a receipt with another amount than before')
}

function presentRow(row: TakenRow | undefined) {
  if (row === undefined) throw new Error('a row of the statement was neither kept nor found')
  const { messageId, applied, checkoutId } = row
  return { messageId, result: wireOf('EVIDENCE_RESULT', applied?.result ?? null), checkoutId }
}
