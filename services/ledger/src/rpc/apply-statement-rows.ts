import type {
  LedgerServiceServer,
  StatementRowFact,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import { happenings } from '@malipo/runtime/metrics'
import { newsOf } from '../domain/news'
import type { Applied } from '../domain/settlement/state'
import type { SharedDatabase } from '../store/database'
import type { NewIds } from '../store/new-ids'
import { findPaidCheckouts } from '../store/pay-bill'
import { retryLostRaces } from '../store/retry-lost-races'
import { applyPayBill } from '../store/settlement/apply'
import { noteStatementRows } from '../store/statements'
import { type PayBillTrust, readPayBillPaid } from './read-pay-bill-paid'
import { statementRowsMax } from './store-statement-rows'

export interface ApplyStatementRowsDeps extends Pick<SharedDatabase, 'db' | 'pool'> {
  readonly newIds: NewIds
  readonly payBill: PayBillTrust
  readonly log: Log
}

type Row = StatementRowFact & { readonly paid: NonNullable<StatementRowFact['paid']> }

/** Decides and posts rows of the statement in one transaction. A row that another transaction holds is left out. */
export function applyStatementRows(
  deps: ApplyStatementRowsDeps,
): Operations<LedgerServiceServer>['applyStatementRows'] {
  return async ({ rows: given }) => {
    const rows = given.map(withPaid)
    if (rows.length > statementRowsMax) throw new Fault('invalid_request', { field: 'rows' })
    // Before they are applied, as an applied row is not read again.
    await note(deps, rows)
    const applied = await apply(deps, rows)
    const checkouts = await findPaidCheckouts(
      deps.db,
      rows.filter((_, place) => applied[place]?.disposition).map(({ paid }) => paid.receipt),
    )
    return {
      rows: rows.map(({ paid }, place) => ({
        result: wireOf('EVIDENCE_RESULT', applied[place]?.result ?? null),
        checkoutId: checkouts.get(paid.receipt),
      })),
    }
  }
}

function withPaid({ messageId, paid }: StatementRowFact): Row {
  if (paid === undefined) throw new Fault('invalid_request', { field: 'paid' })
  return { messageId, paid }
}

async function note({ pool, log }: ApplyStatementRowsDeps, rows: readonly Row[]): Promise<void> {
  const said = rows.map(({ messageId, paid }) => ({ paidAt: undefined, ...paid, messageId }))
  for (const receipt of await noteStatementRows(pool, said)) warnOfContradiction(log, receipt)
}

/** The statement is our last word on a payment, so a person has to ask the provider which of two amounts is right. */
export function warnOfContradiction(log: Log, receipt: string): void {
  happenings.inc({ name: 'statement_row_contradicts' })
  log.error({ receipt }, 'the statement shows a receipt with another amount than before')
}

async function apply(
  { pool, newIds, payBill, log }: ApplyStatementRowsDeps,
  rows: readonly Row[],
): Promise<readonly (Applied | undefined)[]> {
  const commands = rows.map(({ messageId, paid }) => ({
    ...{ messageId, newIntentId: newIds.intent() },
    fact: readPayBillPaid(paid, payBill),
  }))
  const applied = await retryLostRaces(() => applyPayBill(pool, commands, false)).catch(
    (error: unknown) => {
      // Nothing was written: the row that the error is about fails by itself, when each is applied alone.
      log.warn({ err: error, rows: rows.length }, 'rows of the statement failed together')
      return []
    },
  )
  for (const [place, one] of applied.entries()) {
    for (const name of one === undefined ? [] : newsOf(one)) {
      happenings.inc({ name })
      log.warn({ messageId: rows[place]?.messageId, ...one }, name)
    }
  }
  return applied
}
