import { StartOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { TestLedger } from '../../ledger.harness'
import { confirmed, insist, present, uniqueReceipt } from '../../payments.harness'
import { expireOverdue } from '../../intents/store/expire-overdue'

export type At = Pick<TestLedger, 'pay' | 'ledger' | 'database'>

/** The expected result of a round, and the actual one. */
export interface Round {
  readonly expected: unknown
  readonly got: unknown
}

/** 50 payers press Pay for one checkout at one moment, and four workers take the prompt: one prompt is sent. */
export async function payAtOnce({ pay, ledger, database }: At): Promise<Round> {
  const { checkoutId } = await insist(() => pay.checkout())
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => insist(() => pay.start(checkoutId))),
  )
  const started = answers.filter(({ outcome }) => outcome === StartOutcome.STARTED).length
  const intentIds = new Set(answers.map(({ intent }) => present(intent).intentId))
  const [intentId = ''] = intentIds
  const taken = await Promise.all(
    Array.from({ length: 4 }, () => insist(() => ledger.beginSubmit({ intentId }))),
  )
  const { rows } = await database.pool.query<{ wires: number }>(
    `SELECT count(*)::int AS wires FROM wire_attempts w JOIN intents i ON i.id = w.intent_id WHERE i.checkout_id = $1`,
    [checkoutId],
  )
  const prompts = taken.filter(({ prompt }) => prompt !== undefined).length
  return {
    expected: { started: 1, intents: 1, prompts: 1, wires: 1 },
    got: { started, intents: intentIds.size, prompts, wires: rows[0]?.wires },
  }
}

/** One callback is delivered and applied 100 times at one moment: its money is posted once. */
export async function deliverAtOnce({ pay, ledger, database }: At): Promise<Round> {
  const { checkoutId } = await insist(() => pay.checkout())
  const attempt = await insist(() => pay.pending(checkoutId))
  const receipt = uniqueReceipt()
  const body = Buffer.from(receipt)
  const fact = confirmed({ ...attempt, receipt })
  const results = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const messageId = await insist(() => pay.callback(attempt.callbackToken, { body }))
      return (await insist(() => ledger.applyEvidence({ messageId, fact }))).result
    }),
  )
  const transfers = await database.pool.query('SELECT 1 FROM transfers WHERE event_key = $1', [
    `receipt:mpesa:${receipt}`,
  ])
  return {
    expected: { transfers: 1, results: ['EVIDENCE_RESULT_SETTLED'] },
    got: { transfers: transfers.rowCount, results: [...new Set(results)] },
  }
}

/** The money and the deadline arrive at one moment, in either order: the intent is completed, and posted once. */
export async function payAtDeadline(
  { pay, database }: At,
  first: 'callback' | 'expiry' | 'neither',
): Promise<Round> {
  const { checkoutId } = await insist(() => pay.checkout())
  const attempt = await insist(() => pay.pending(checkoutId))
  const receipt = uniqueReceipt()
  await database.pool.query('UPDATE intents SET deadline_at = clock_timestamp() WHERE id = $1', [
    attempt.intentId,
  ])
  const expire = () => expireOverdue(database.pool, { limit: 1_000, queryEverySeconds: 15 })
  const settle = () => insist(() => pay.paid(attempt, { receipt }))
  if (first === 'neither') {
    await Promise.all([expire(), settle()])
  } else {
    const [one, other] = first === 'callback' ? [settle, expire] : [expire, settle]
    await one()
    await other()
  }
  const { rows } = await database.pool.query(
    `SELECT i.status, i.disposition, count(t.*)::int AS transfers FROM intents i
     LEFT JOIN transfers t ON t.event_key = 'receipt:mpesa:' || $2 WHERE i.id = $1 GROUP BY 1, 2`,
    [attempt.intentId, receipt],
  )
  return {
    expected: [{ status: 'completed', disposition: 'merchant', transfers: 1 }],
    got: rows,
  }
}
