import type { Minor } from '@malipo/kernel/money'
import type { Pool } from 'pg'
import {
  type Attempt,
  type AttemptFacts,
  attemptOf,
  type AttemptsSummary,
  summarize,
} from '../../intents/rules/attempt'
import type { Payee } from '../../pay-bill/rules/state'
import { type AttemptJson, attemptJson, readAttempt } from '../../checkouts/store/checkouts'
import type { Statement } from '../../database/transaction'

/** An attempt to pay a handle, as its payer sees it: summed up are those of its phone to pay its handle, in the hour up to it. */
export interface HandlePayment extends AttemptsSummary {
  readonly payee: Payee
  readonly amountMinor: Minor
  /** What its payer is asked for. */
  readonly askedMinor: Minor
  readonly attempt: Attempt
  /** When its money went to the payee. */
  readonly completedAt: Date | undefined
}

const load: Statement = {
  name: 'load_handle_payment',
  text: `
    SELECT own.account_id AS "accountId", own.handle, own.amount_minor AS "amountMinor", own.asked_minor AS "askedMinor",
      (SELECT json_agg(${attemptJson} ORDER BY i.created_at) FROM intents i
        WHERE i.phone = own.phone AND i.handle = own.handle AND i.id <> own.id
          AND i.created_at > own.created_at - interval '1 hour' AND i.created_at <= own.created_at) AS earlier,
      (SELECT ${attemptJson} FROM intents i WHERE i.id = own.id) AS attempt
    FROM intents own WHERE own.id = $1 AND own.account_id IS NOT NULL AND own.handle IS NOT NULL`,
}

export const handlePaymentStatements = { load } as const

interface Row extends Payee {
  readonly amountMinor: string
  readonly askedMinor: string
  readonly earlier: readonly AttemptJson[] | null
  readonly attempt: AttemptJson
}

export async function findHandlePayment(
  pool: Pool,
  intentId: string,
): Promise<HandlePayment | undefined> {
  const { rows } = await pool.query<Row>({ ...load, values: [intentId] })
  const [row] = rows
  if (row === undefined) return undefined
  const { accountId, handle, amountMinor, askedMinor, earlier } = row
  const own = readAttempt(row.attempt)
  const before = (earlier ?? []).map(readAttempt)
  const summary = summarize([...before, own])
  return {
    ...summary,
    mayHavePaid: summary.mayHavePaid || before.some(isPromptOpen),
    payee: { accountId, handle },
    amountMinor: BigInt(amountMinor),
    askedMinor: BigInt(askedMinor),
    completedAt: own.disposition === 'merchant' ? own.settledAt : undefined,
    attempt: attemptOf(own),
  }
}

/** Its prompt may be paid yet. A checkout has one such attempt at a time; a phone may have several to a handle. */
function isPromptOpen({ isEnded, submittedAt }: AttemptFacts): boolean {
  return !isEnded && submittedAt !== undefined
}
