import { createHash } from 'node:crypto'
import type { Rail } from '@malipo/kernel/countries'
import type { Pool } from 'pg'
import type { MessageKind } from '../rules/evidence'
import { providerOf } from '../../journal/rules/postings'
import { decideStoring, type Received, unboundPerIntentMax } from '../rules/decide-evidence'
import { batched, type Batching } from '../../database/batched'
import type { Statement } from '../../database/transaction'

/**
 * The database does not check `rail` and `kind`, because only the ledger writes them. A row of the kind `operator` (a
 * payment that two operators posted) is stored as applied, so no worker reads it.
 */
export interface ProviderMessage {
  readonly rail: Rail
  readonly kind: MessageKind
  readonly body: Buffer
  /** Null for a message about a refund, and for money that no prompt asked for. */
  readonly intentId: string | null
  readonly refundId: string | null
  readonly isApplied: boolean
  /** The trace in which its intent began. */
  readonly traceparent: string | null
}

const find: Statement = {
  name: 'find_provider_message',
  text: `
    SELECT m.rail, m.kind, m.body, m.intent_id AS "intentId", m.refund_id AS "refundId",
      m.result IS NOT NULL AND NOT EXISTS (SELECT FROM wanted_payees w WHERE w.message_id = m.id) AS "isApplied",
      (SELECT i.traceparent FROM intents i WHERE i.id = m.intent_id) AS traceparent
    FROM provider_messages m WHERE m.id = $1`,
}

export async function findProviderMessage(
  pool: Pool,
  messageId: string,
): Promise<ProviderMessage | undefined> {
  const { rows } = await pool.query<ProviderMessage>({ ...find, values: [messageId] })
  return rows[0]
}

export interface StoreMessageCommand {
  readonly messageId: string
  readonly intentId: string
  /** The secret in the address to which a callback came; undefined where there was none. */
  readonly callbackSecret: string | undefined
  /** The rail that the attempt has to have. */
  readonly rail: Rail | undefined
  readonly kind: Received['kind']
  readonly body: Buffer
  readonly sourceAddress: string
  readonly sourceKnown: boolean
}

export interface StoredMessage {
  /**
   * An earlier id where the same callback was stored before. Undefined where the message is about no attempt of ours, or
   * is beyond `unboundPerIntentMax`.
   */
  readonly messageId: string | undefined
}

/**
 * Loads, decides and saves in one statement, because the decision depends only on the attempt's rail and secret, which
 * never change, and on a count of messages that need not be exact. $10 to $16 are the cells of the decision, by kind,
 * secret and rail.
 */
function saving(name: string, onSame: string): Statement {
  const unboundMax = String(unboundPerIntentMax)
  const text = `
    INSERT INTO provider_messages AS kept (
      id, intent_id, rail, kind, body, digest, source_address, source_known, is_bound, received_at, next_action_at
    )
    SELECT n.id, i.id, i.rail, cell.stored, n.body, CASE WHEN cell.is_counted THEN n.digest END,
      n.source_address, n.source_known, cell.is_bound,
      -- A job calls a worker at once. If it is lost, the sweep takes the row a second later.
      clock_timestamp(), clock_timestamp() + interval '1 second'
    FROM unnest(
      $1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::bytea[], $7::bytea[], $8::text[], $9::boolean[]
    ) n (id, intent_id, secret_digest, rail, kind, body, digest, source_address, source_known)
    CROSS JOIN LATERAL (SELECT id, rail, callback_secret FROM intents WHERE id = n.intent_id LIMIT 1) i
    JOIN unnest($10::text[], $11::boolean[], $12::text[], $13::text[], $14::boolean[], $15::boolean[], $16::boolean[])
      cell (kind, has_secret, rail, stored, needs_secret, is_counted, is_bound)
      ON cell.kind = n.kind AND cell.has_secret = (n.secret_digest IS NOT NULL) AND cell.rail = i.rail
    WHERE i.rail = coalesce(n.rail, i.rail)
      -- Digests are compared, so the time that this takes does not tell how much of a guess is right.
      AND (NOT cell.needs_secret OR sha256(convert_to(i.callback_secret, 'UTF8')) = n.secret_digest)
      AND (cell.is_bound OR (SELECT count(*) FROM (
        SELECT FROM provider_messages m WHERE m.intent_id = i.id AND m.digest IS NOT NULL AND NOT m.is_bound
        LIMIT ${unboundMax}
      ) unbound) < ${unboundMax})
    ${onSame}
    RETURNING kept.id`
  return { name, text }
}

const same = 'ON CONFLICT (intent_id, digest) WHERE digest IS NOT NULL'
const save = saving('save_message', `${same} DO UPDATE SET deliveries = kept.deliveries + 1`)
/** All batches write callbacks in one order, so two with the same callbacks do not deadlock. */
const saveNew = saving('save_new_messages', `ORDER BY n.intent_id, n.digest ${same} DO NOTHING`)

export const storeMessageStatements = { save, saveNew } as const

/** Stores messages about attempts word for word, each callback once. */
export function openStoreMessage(
  batching: Batching,
): (command: StoreMessageCommand) => Promise<StoredMessage> {
  return batched(batching, async (pool, commands, isWaiting) =>
    isWaiting
      ? Promise.all(commands.map(async (command) => storeMessage(pool, command)))
      : storeMessages(pool, commands),
  )
}

/** Stores one message, or counts a callback that was stored before. */
export async function storeMessage(
  pool: Pool,
  command: StoreMessageCommand,
): Promise<StoredMessage> {
  const values = storeMessageValues([command])
  const { rows } = await pool.query<{ id: string }>({ ...save, values })
  return { messageId: rows[0]?.id }
}

/** Stores the messages that are new. Returns an answer for each, in order; undefined for one that was not stored. */
export async function storeMessages(
  pool: Pool,
  commands: readonly StoreMessageCommand[],
): Promise<(StoredMessage | undefined)[]> {
  const values = storeMessageValues(commands)
  const { rows } = await pool.query<{ id: string }>({ ...saveNew, values })
  const stored = new Set(rows.map(({ id }) => id))
  return commands.map(({ messageId }) => (stored.has(messageId) ? { messageId } : undefined))
}

export function storeMessageValues(commands: readonly StoreMessageCommand[]): unknown[] {
  const used = cells.filter(({ kind, hasSecret }) =>
    commands.some((one) => one.kind === kind && (one.callbackSecret !== undefined) === hasSecret),
  )
  return [
    commands.map(({ messageId }) => messageId),
    commands.map(({ intentId }) => intentId),
    commands.map(({ callbackSecret }) => callbackSecret && digestOf(callbackSecret)),
    commands.map(({ rail }) => rail),
    commands.map(({ kind }) => kind),
    commands.map(({ body }) => body),
    commands.map(({ sourceKnown, body }) => digestOf(String(sourceKnown), body)),
    commands.map(({ sourceAddress }) => sourceAddress),
    commands.map(({ sourceKnown }) => sourceKnown),
    used.map(({ kind }) => kind),
    used.map(({ hasSecret }) => hasSecret),
    used.map(({ rail }) => rail),
    used.map(({ stored }) => stored.kind),
    used.map(({ stored }) => stored.needsSecret),
    used.map(({ stored }) => stored.isCounted),
    used.map(({ stored }) => stored.isBound),
  ]
}

function digestOf(text: string, body?: Buffer): Buffer {
  const hash = createHash('sha256').update(text)
  return (body === undefined ? hash : hash.update(body)).digest()
}

const rails = Object.keys(providerOf) as readonly Rail[]
const received: readonly Received[] = [
  { kind: 'callback', hasSecret: true },
  { kind: 'callback', hasSecret: false },
  { kind: 'query_answer', hasSecret: false },
  { kind: 'statement_row', hasSecret: false },
]
const cells = received.flatMap((one) =>
  rails.map((rail) => ({ ...one, rail, stored: decideStoring(rail, one) })),
)
