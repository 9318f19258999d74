import type { Minor } from '@malipo/kernel/money'
import type { Provider } from '../domain/chart'
import type { Database } from './database'
import { retryLostRaces } from './retry-lost-races'

/** Keeps what a message says, if it is a row of a statement: what the journal is compared with. */
export async function noteStatementRow(
  db: Database,
  messageId: string,
  row: { readonly receipt: string; readonly amountMinor: Minor; readonly paidAt: Date | undefined },
): Promise<void> {
  await retryLostRaces(
    () => db.$executeRaw`
      SELECT note_statement_row(
        p_message_id => ${messageId}, p_receipt => ${row.receipt}, p_minor => ${row.amountMinor},
        p_paid_at => ${row.paidAt}
      )`,
  )
}

/** Keeps that a statement was read to its end between two instants. */
export async function noteStatementRead(
  db: Database,
  read: { readonly provider: Provider; readonly from: Date; readonly until: Date },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO statement_reads (provider, from_at, until_at, read_at)
    VALUES (${read.provider}, ${read.from}, ${read.until}, clock_timestamp())`
}

/** Freezes what no statement bears out, and answers the receipts, as `mpesa:QK…`. */
export async function freezeUnconfirmed(db: Database, afterSeconds: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ subject: string }[]>`
    SELECT subject FROM freeze_unconfirmed(p_after_seconds => ${afterSeconds}::float8) subject`
  return rows.map(({ subject }) => subject)
}
