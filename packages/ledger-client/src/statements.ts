import { present } from '@malipo/contracts/present'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import type { PayBillPaid } from '@malipo/kernel/provider-fact'
import type { LedgerConnection } from './connection'
import { type EvidenceResult, type FoundPayee, wirePaidOf } from './evidence'

/** A row of the statement, as received. */
export interface StatementRow {
  readonly body: Uint8Array
  readonly fact: PayBillPaid
  /** The payee, when the account number is a handle. */
  readonly payee: FoundPayee
}

export interface TakenStatementRow {
  readonly messageId: string
  /**
   * Undefined for a row that was stored and not applied: another transaction had locked what it is about, or the rows
   * of its call failed together. The caller then has the row applied alone.
   */
  readonly result: EvidenceResult | undefined
  readonly checkoutId: string | undefined
}

/** The only provider with a statement. */
const rail = wireOf('RAIL', 'mpesa')

/** The ledger's methods for M-Pesa's own statement. */
export function statementCalls({ reads, writes }: LedgerConnection) {
  return {
    /** Returns for each row, by its digest, whether it needs no more work. At most 1,000 digests. */
    async findStatementRows(digests: readonly Buffer[]): Promise<boolean[]> {
      return (await reads.findStatementRows({ digests: [...digests] })).applied
    },

    /**
     * Stores rows unchanged, each once, and applies them in one transaction; returns a result for each row. A call
     * takes at most 1,000 rows of at most 8 KB each, and 64 KB with the parsed fields.
     */
    async takeStatementRows(rows: readonly StatementRow[]): Promise<TakenStatementRow[]> {
      const { rows: taken } = await writes.takeStatementRows(wireRowsOf(rows))
      return taken.map(({ messageId, result, checkoutId }) => ({
        messageId,
        result: wordOf('EVIDENCE_RESULT', result),
        checkoutId,
      }))
    },

    /** The instant up to which the statement was read without a gap from `since` on. */
    async readStatementUntil(since: Date): Promise<Date> {
      return present((await reads.readStatementUntil({ rail, since })).until, 'until')
    },

    /** Records that the statement between two instants was read completely, and all of it applied. */
    async recordStatementRead(window: {
      readonly from: Date
      readonly until: Date
    }): Promise<void> {
      await writes.recordStatementRead({ rail, ...window })
    },
  }
}

export function wireRowsOf(rows: readonly StatementRow[]) {
  return {
    rows: rows.map(({ body, fact, payee }) => ({
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      paid: wirePaidOf(fact, payee),
    })),
  }
}
