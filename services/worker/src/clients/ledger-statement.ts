import type {
  FindStatementRowsResponse,
  LedgerServiceClient,
  ReadStatementUntilResponse,
  RecordStatementReadResponse,
  TakeStatementRowsResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Call } from '@malipo/runtime/grpc'
import type { FoundPayee } from './accounts'
import { type EvidenceResult, type PayBillPaid, wirePaidOf } from './ledger-wire'

const readMs = 1_500
const writeMs = 3_000

/** A row of the statement, as received. */
export interface StatementRow {
  readonly body: Uint8Array
  /** Undefined for a row that cannot be parsed. */
  readonly fact: PayBillPaid | undefined
  /** The payee, when the account number is a handle. */
  readonly payee: FoundPayee
}

export interface TakenStatementRow {
  readonly messageId: string
  /** Undefined for a row that must be applied on its own. */
  readonly result: EvidenceResult | undefined
  readonly checkoutId: string | undefined
}

/** The ledger's methods for M-Pesa's own statement. */
export function statementCalls(client: LedgerServiceClient, call: Call) {
  return {
    /** Returns for each row, by its digest, whether it needs no more work. At most 1,000. */
    async findStatementRows(digests: readonly Buffer[]): Promise<boolean[]> {
      const request = { digests: [...digests] }
      const { applied } = await call<FindStatementRowsResponse>(readMs, (metadata, options, done) =>
        client.findStatementRows(request, metadata, options, done),
      )
      return applied
    },

    /**
     * Stores rows unchanged, each once, and applies them in one transaction; returns a result for each row. At most
     * 1,000 rows of at most 8 KB each, and 64 KB of parsed fields in a call.
     */
    async takeStatementRows(rows: readonly StatementRow[]): Promise<TakenStatementRow[]> {
      const request = {
        rows: rows.map(({ body, fact, payee }) => ({
          body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
          paid: fact && wirePaidOf(fact, payee),
        })),
      }
      const { rows: taken } = await call<TakeStatementRowsResponse>(
        writeMs,
        (metadata, options, done) => client.takeStatementRows(request, metadata, options, done),
      )
      return taken.map(({ messageId, result, checkoutId }) => ({
        messageId,
        result: wordOf('EVIDENCE_RESULT', result),
        checkoutId,
      }))
    },

    /** The instant up to which the statement was read without a gap from `since` on. */
    async readStatementUntil(since: Date): Promise<Date> {
      const request = { rail: wireOf('RAIL', 'mpesa'), since }
      const { until } = await call<ReadStatementUntilResponse>(readMs, (metadata, options, done) =>
        client.readStatementUntil(request, metadata, options, done),
      )
      if (until === undefined) throw new Fault('internal', { missing: 'until' })
      return until
    },

    /** Records that the statement between two instants was read completely, and all of it applied. */
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
