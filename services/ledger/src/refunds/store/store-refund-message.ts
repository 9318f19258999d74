import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import {
  type AddressState,
  type CameToRefund,
  type StoreDecided,
  storeRefundMessage as decide,
} from '../rules/decide-storing'
import type { Instant } from '../../evidence/rules/state'
import {
  inRetriedTransaction,
  micros,
  timestamp,
  Stale,
  type Statement,
  type Transaction,
} from '../../database/transaction'

/** Keeps what came to an address of a refund. Returns its id, or undefined when no refund has that address. */
export async function storeRefundMessage(
  pool: Pool,
  message: CameToRefund,
): Promise<string | undefined> {
  const digest = digestOf(message)
  return inRetriedTransaction(pool, async (transaction) => {
    const [state] = await transaction.query<AddressState>(load, [
      ...[message.refundId, digest, message.callbackSecret],
    ])
    const { applied, writes } = decide(state, message)
    if (state !== undefined && writes !== undefined) {
      await save(transaction, { now: state.now, digest, writes })
    }
    return applied
  })
}

/** Messages with one digest are one: of the same kind and body, about one refund, from sources known alike. */
export function digestOf({ refundId, kind, sourceKnown, body }: CameToRefund): Buffer {
  const about = `${refundId} ${kind} ${String(sourceKnown)}`
  return createHash('sha256').update(about).update(body).digest()
}

/** Needs no lock: addresses and kept messages never change, and one that is kept after the load makes the save fail. */
const load: Statement = {
  name: 'load_refund_address',
  text: `
    SELECT ${micros('clock_timestamp()')} AS now, r.provider,
      -- Digests are compared, so the time that this takes does not tell how much of a guess is right.
      sha256(convert_to(r.callback_secret, 'UTF8')) = sha256(convert_to($3, 'UTF8')) AS "isSecretRight",
      (SELECT m.id FROM provider_messages m WHERE m.digest = $2 AND m.intent_id IS NULL) AS "keptId"
    FROM refunds r WHERE r.id = $1`,
}

const saveKept: Statement = {
  name: 'save_refund_message',
  text: `
    INSERT INTO provider_messages (
      id, refund_id, rail, kind, body, digest, source_address, source_known, received_at, next_action_at
    ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (digest) WHERE intent_id IS NULL DO NOTHING
    RETURNING id`,
}

const saveRepeated: Statement = {
  name: 'save_repeated_refund_message',
  text: `UPDATE provider_messages SET deliveries = deliveries + 1 WHERE id = $1 RETURNING id`,
}

export const storeRefundMessageStatements = { saveKept, saveRepeated } as const

/** Throws `Stale` where the same message was kept since the load. */
async function save(
  transaction: Transaction,
  {
    now,
    digest,
    writes,
  }: {
    readonly now: Instant
    readonly digest: Buffer
    readonly writes: NonNullable<StoreDecided['writes']>
  },
): Promise<void> {
  if ('repeatedId' in writes) {
    await transaction.query(saveRepeated, [writes.repeatedId])
    return
  }
  const { messageId, refundId, rail, kind, body, sourceAddress, sourceKnown } = writes.kept
  const uniqueBy = writes.kept.isCounted ? digest : null
  const saved = await transaction.query(saveKept, [
    ...[messageId, refundId, rail, kind, body, uniqueBy, sourceAddress, sourceKnown],
    ...[timestamp(now), timestamp(writes.kept.nextActionAt)],
  ])
  if (saved.length === 0) throw new Stale('the same message was kept first')
}
