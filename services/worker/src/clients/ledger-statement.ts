import type {
  ApplyStatementRowsResponse,
  LedgerServiceClient,
  ReadStatementUntilResponse,
  RecordStatementReadResponse,
  StoreStatementRowsResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Call } from '@malipo/runtime/grpc'
import type { FoundPayee } from './accounts'
import { type EvidenceResult, type PayBillPaid, wirePaidOf } from './ledger-wire'

const readMs = 1_500
const writeMs = 3_000

/** What a stored row of the statement says, and the payee whose handle its account number is. */
export interface StatementRowFact {
  readonly messageId: string
  readonly fact: PayBillPaid
  readonly payee: FoundPayee
}

export interface AppliedStatementRow {
  /** Undefined of a row that has to be applied alone. */
  readonly result: EvidenceResult | undefined
  readonly checkoutId: string | undefined
}

/** What M-Pesa's own statement shows. */
export function statementCalls(client: LedgerServiceClient, call: Call) {
  return {
    /** Keeps rows word for word, each once; answers each in its place. At most 1,000, of at most 8 KB each. */
    async storeStatementRows(
      bodies: readonly Uint8Array[],
    ): Promise<{ readonly messageId: string; readonly isApplied: boolean }[]> {
      const request = { bodies: bodies.map((body) => Buffer.from(body)) }
      const { rows } = await call<StoreStatementRowsResponse>(writeMs, (metadata, options, done) =>
        client.storeStatementRows(request, metadata, options, done),
      )
      return rows.map(({ messageId, applied: isApplied }) => ({ messageId, isApplied }))
    },

    /** Has the ledger act on stored rows together; answers each in its place. At most 1,000. */
    async applyStatementRows(facts: readonly StatementRowFact[]): Promise<AppliedStatementRow[]> {
      const request = {
        rows: facts.map(({ messageId, fact, payee }) => ({
          messageId,
          paid: wirePaidOf(fact, payee),
        })),
      }
      const { rows } = await call<ApplyStatementRowsResponse>(writeMs, (metadata, options, done) =>
        client.applyStatementRows(request, metadata, options, done),
      )
      return rows.map(({ result, checkoutId }) => ({
        result: wordOf('EVIDENCE_RESULT', result),
        checkoutId,
      }))
    },

    /** Until when the statement was read without a gap, from `since` on. */
    async readStatementUntil(since: Date): Promise<Date> {
      const request = { rail: wireOf('RAIL', 'mpesa'), since }
      const { until } = await call<ReadStatementUntilResponse>(readMs, (metadata, options, done) =>
        client.readStatementUntil(request, metadata, options, done),
      )
      if (until === undefined) throw new Fault('internal', { missing: 'until' })
      return until
    },

    /** Keeps that the statement was read to its end between two instants, and all of it applied. */
    async recordStatementRead(window: {
      readonly from: Date
      readonly until: Date
    }): Promise<void> {
      const request = { rail: wireOf('RAIL', 'mpesa'), ...window }
      await call<RecordStatementReadResponse>(writeMs, (metadata, options, done) =>
        client.recordStatementRead(request, metadata, options, done),
      )
    },
  }
}
