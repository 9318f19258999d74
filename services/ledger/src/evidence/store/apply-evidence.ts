import type { Pool } from 'pg'
import { type Batched, inOrder, type Proposed } from '../../database/batched'
import type {
  Instant,
  EvidenceCommand,
  EvidenceState,
  EvidenceTerms,
  Applied,
  Report,
} from '../rules/state'
import {
  inTransaction,
  type Transaction,
  intentColumns,
  type IntentRow,
  micros,
  readIntent,
  type Statement,
} from '../../database/transaction'
import { providerOf } from '../../journal/rules/postings'
import { decideEvidence } from '../rules/decide-evidence'
import { loadElsewhere, postedReceiptsOf } from './load-elsewhere'
import { saveDecisions } from './save'

/** A command, what was decided about it under its locks, and the time of the decision. */
export interface Considered<One extends Batched> extends Proposed<One> {
  readonly now: Instant
}

interface Decision<Answer> extends Batched {
  readonly applied: Answer
}

/**
 * Carries out a batch of commands in one transaction: loads what they are about and locks it, decides, and saves.
 * Returns an answer for each, in order; undefined for one that needs another batch, or is about nothing that is known.
 */
export async function decideBatch<Answer, One extends Decision<Answer>>(
  pool: Pool,
  steps: {
    consider(transaction: Transaction): Promise<(Considered<One> | undefined)[]>
    save(transaction: Transaction, now: Instant, decided: readonly One[]): Promise<void>
  },
): Promise<(Answer | undefined)[]> {
  return inTransaction(pool, async (transaction) => {
    const considered = await steps.consider(transaction)
    const decided = inOrder(considered)
    const now = considered.find((one) => one !== undefined)?.now
    if (now !== undefined) {
      await steps.save(
        transaction,
        now,
        decided.flatMap((one) => one ?? []),
      )
    }
    return decided.map((one) => one?.applied)
  })
}

/** Locks the checkouts before the intents, as everywhere, so that two transactions do not deadlock. */
function locking(name: string, whatIsHeld: '' | 'SKIP LOCKED'): Statement {
  const text = `
    WITH asked AS MATERIALIZED (
      SELECT i.id, i.checkout_id FROM intents i
      WHERE i.id = ANY (ARRAY (SELECT m.intent_id FROM provider_messages m WHERE m.id = ANY ($1::text[])))
    ), held AS MATERIALIZED (
      SELECT c.id FROM checkouts c WHERE c.id = ANY (ARRAY (SELECT checkout_id FROM asked))
      ORDER BY c.id FOR NO KEY UPDATE ${whatIsHeld}
    )
    SELECT i.id FROM intents i
    WHERE i.id = ANY (ARRAY (
      SELECT asked.id FROM asked WHERE checkout_id IS NULL OR checkout_id = ANY (ARRAY (SELECT held.id FROM held))
    ))
    ORDER BY i.id FOR NO KEY UPDATE ${whatIsHeld}`
  return { name, text }
}

const lock = locking('lock_evidence', '')
const lockFree = locking('lock_free_evidence', 'SKIP LOCKED')

/** Whether two operators have posted the money of the intent `i`; null where they have not. */
export const isPostedByHand = `CASE WHEN i.settled_at IS NOT NULL THEN (
        SELECT true FROM report_postings p WHERE p.intent_id = i.id AND p.status = 'posted' LIMIT 1
      ) END`

const load: Statement = {
  name: 'load_evidence',
  text: `
    SELECT item.place::int - 1 AS place, ${micros('(SELECT clock_timestamp())')} AS now,
      m.id AS "messageId", m.kind, m.source_known AS "isSourceKnown", m.is_bound AS "isBound",
      ${micros('m.received_at')} AS "receivedAt", m.result, m.strength,
      w.account_id AS "payeeAccountId", CASE WHEN w.frozen_at IS NULL THEN 'open' ELSE 'frozen' END AS wallet,
      (SELECT true FROM intents paid
        WHERE paid.checkout_id = i.checkout_id AND paid.disposition = 'merchant' LIMIT 1) AS "isCheckoutPaid",
      s.fee_minor AS "feeMinor", ${micros('s.expires_at')} AS "expiresAt",
      CASE WHEN item.fact IN ('declined', 'not_found') THEN (
        -- Every hint has a digest, and the unique index of intents and digests finds it.
        SELECT CASE WHEN bool_or(hint.source_known) THEN 'known_source' ELSE 'unknown_source' END
        FROM (
          SELECT hint.source_known FROM provider_messages hint
          WHERE hint.intent_id = i.id AND hint.digest IS NOT NULL AND hint.fact = 'declined' AND hint.kind = 'hint'
            AND hint.strength = 'E2'
          ORDER BY hint.source_known DESC LIMIT 1
        ) hint HAVING count(*) > 0
      ) END AS "declinedHint",
      (SELECT true FROM transfers t
        WHERE t.event_key = 'receipt:' || ($4::jsonb ->> i.rail) || ':' || item.receipt LIMIT 1) AS "isPosted",
      CASE WHEN i.provider_request_id IS NULL AND item.request_id IS NOT NULL THEN
        (SELECT true FROM intents other
          WHERE other.provider_request_id = item.request_id AND other.rail = i.rail AND other.id <> i.id LIMIT 1) IS TRUE
        OR (SELECT true FROM intents other
          WHERE other.callback_request_id = item.request_id AND other.rail = i.rail AND other.id <> i.id LIMIT 1) IS TRUE
      END AS "isRequestTaken",
      ${isPostedByHand} AS "isPostedByHand",
      (SELECT jsonb_agg(jsonb_build_object(
        'receipt', r.receipt, 'minor', r.minor::text, 'strength', r.strength, 'paidAt', ${micros('r.paid_at')},
        'requestId', r.request_id, 'isElsewhere', r.is_elsewhere,
        'isPosted', (SELECT true FROM transfers t
          WHERE t.event_key = 'receipt:' || r.provider || ':' || r.receipt LIMIT 1) IS NOT NULL,
        'isClosed', (SELECT true FROM report_closings c
          WHERE c.subject = r.provider || ':' || r.receipt AND c.status = 'closed' LIMIT 1) IS NOT NULL
      )) FROM payment_reports r WHERE r.intent_id = i.id) AS reports,
      ${intentColumns}
    FROM unnest($1::text[], $2::text[], $3::text[], $5::text[]) WITH ORDINALITY
      item (message_id, fact, receipt, request_id, place)
    -- OFFSET 0 fixes the order of these look-ups by key, also in a plan that was made while the tables were small.
    CROSS JOIN LATERAL (SELECT * FROM provider_messages m WHERE m.id = item.message_id OFFSET 0) m
    CROSS JOIN LATERAL (SELECT * FROM intents i WHERE i.id = m.intent_id OFFSET 0) i
    LEFT JOIN checkouts c ON c.id = i.checkout_id
    JOIN wallets w ON w.account_id = coalesce(c.account_id, i.account_id)
    LEFT JOIN card_sessions s ON s.intent_id = i.id`,
}

/** The statements of one batch, for the tests of their plans. */
export const evidenceStatements = { lock, lockFree, load }

interface Row extends IntentRow {
  readonly place: number
  readonly now: number
  readonly messageId: string
  readonly kind: EvidenceState['message']['kind']
  readonly isSourceKnown: boolean
  readonly isBound: boolean
  readonly receivedAt: number
  readonly result: EvidenceState['message']['result']
  readonly strength: EvidenceState['message']['strength']
  readonly payeeAccountId: string
  readonly wallet: EvidenceState['wallet']
  readonly isCheckoutPaid: true | null
  readonly feeMinor: string | null
  readonly expiresAt: number | null
  readonly declinedHint: EvidenceState['declinedHint'] | null
  readonly isPosted: true | null
  readonly isRequestTaken: boolean | null
  readonly isPostedByHand: true | null
  readonly reports: readonly (Omit<Report, 'minor'> & { readonly minor: string })[] | null
}

const providers = JSON.stringify(providerOf)

/** Applies messages about intents. Unless `isWaiting`, a message is left out if another transaction has locked its rows. */
export async function applyEvidence(
  pool: Pool,
  commands: readonly EvidenceCommand[],
  { terms, isWaiting }: { readonly terms: EvidenceTerms; readonly isWaiting: boolean },
): Promise<(Applied | undefined)[]> {
  return decideBatch(pool, {
    async consider(transaction) {
      const loaded = await loadEvidence(transaction, commands, isWaiting)
      const states = await addElsewhere(transaction, commands, { loaded, isWaiting })
      return commands.map((command, place) => {
        const state = states[place]
        return (
          state && {
            now: state.now,
            about: [state.intent.id, state.intent.checkoutId],
            decided: decideEvidence(state, command, terms),
          }
        )
      })
    },
    save: saveDecisions,
  })
}

/**
 * Locks and reads what messages are about, in their order; undefined for a message that is about no intent, or whose
 * intent another transaction has locked while this one does not wait. Two statements are needed: the second sees what
 * was committed while the first waited. They share a round trip, so the second also reads what could not be locked,
 * which is left out here.
 */
async function loadEvidence(
  transaction: Transaction,
  commands: readonly EvidenceCommand[],
  isWaiting: boolean,
): Promise<(EvidenceState | undefined)[]> {
  const messageIds = commands.map(({ messageId }) => messageId)
  const [locked, rows] = await Promise.all([
    transaction.query<{ id: string }>(isWaiting ? lock : lockFree, [messageIds]),
    transaction.query<Row>(load, [
      messageIds,
      commands.map(({ fact }) => fact.kind),
      commands.map(({ fact }) => fact.receipt ?? null),
      providers,
      commands.map(({ fact }) => fact.providerRequestId ?? null),
    ]),
  ])
  const lockedIds = new Set(locked.map(({ id }) => id))
  const ours = rows.filter(({ id }) => lockedIds.has(id))
  const states = new Map(ours.map((row) => [row.place, read(row)]))
  return commands.map((_, place) => states.get(place))
}

/**
 * Adds where the journal has the receipts that are named for an unsettled intent. This needs the lock of each receipt. A
 * batch, which has locked many intents, leaves such a message out, so that it is applied alone.
 */
async function addElsewhere(
  transaction: Transaction,
  commands: readonly EvidenceCommand[],
  given: {
    readonly loaded: readonly (EvidenceState | undefined)[]
    readonly isWaiting: boolean
  },
): Promise<(EvidenceState | undefined)[]> {
  return Promise.all(
    commands.map(async ({ fact }, place) => {
      const state = given.loaded[place]
      const receipts = state === undefined ? [] : postedReceiptsOf(state, fact)
      if (state === undefined || receipts.length === 0) return state
      if (!given.isWaiting) return undefined
      return { ...state, elsewhere: await loadElsewhere(transaction, state.intent, receipts) }
    }),
  )
}

function read(row: Row): EvidenceState {
  const { messageId, kind, isSourceKnown, isBound, receivedAt, result, strength } = row
  const { feeMinor, expiresAt } = row
  return {
    now: row.now,
    message: { id: messageId, kind, isSourceKnown, isBound, receivedAt, result, strength },
    intent: readIntent(row),
    payeeAccountId: row.payeeAccountId,
    wallet: row.wallet,
    isCheckoutPaid: row.isCheckoutPaid ?? false,
    card:
      feeMinor === null || expiresAt === null
        ? undefined
        : { feeMinor: BigInt(feeMinor), expiresAt },
    declinedHint: row.declinedHint ?? 'none',
    isPosted: row.isPosted ?? false,
    isRequestTaken: row.isRequestTaken ?? false,
    isPostedByHand: row.isPostedByHand ?? false,
    reports: (row.reports ?? []).map((one) => ({ ...one, minor: BigInt(one.minor) })),
    elsewhere: [],
  }
}
