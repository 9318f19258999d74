import { promptTimes } from '@malipo/kernel/prompts'
import type { Pool } from 'pg'
import { firstOfEach } from '../../database/batched'
import { type BeginSubmitTerms, type BegunSubmit, decideBeginSubmit } from '../rules/decide-submit'
import {
  timestamp,
  inTransaction,
  type Statement,
  type Transaction,
} from '../../database/transaction'
import { eventsAreWritten, writingEvents } from '../../webhooks/store/write-events'
import { loadBeginSubmit, type LoadedSubmit, loads, type Order } from './load-begin-submit'

export interface BeginSubmitCommand {
  readonly intentId: string
  /** The platform of MTN to which the caller sends prompts. */
  readonly mtnMomoPlatform: string | undefined
}

/** The order that is handed out: only this caller may send its prompt. */
export interface HandedOut {
  readonly order: Order | undefined
}

/**
 * Writes the decisions about attempts that are unchanged since the load, and a row of `wire_attempts` for each prompt
 * that is handed out. The table has one row an attempt, so a second call for an attempt cannot be written.
 */
function saving(name: string, { onlyFree = '', events = '' }): Statement {
  const text = `
    WITH changed AS (
      UPDATE intents i SET
        status = n.status, event = n.event, cause = n.cause, submitted_at = n."submittedAt", ended_at = n."endedAt",
        deadline_at = n."deadlineAt", next_action_at = n."nextActionAt", query_at = n."queryAt",
        queued_at = n."queuedAt"
      FROM jsonb_to_recordset($1::jsonb) n (
        id TEXT, version XID, status TEXT, event TEXT, cause TEXT,
        "submittedAt" TIMESTAMPTZ, "endedAt" TIMESTAMPTZ, "deadlineAt" TIMESTAMPTZ, "nextActionAt" TIMESTAMPTZ,
        "queryAt" TIMESTAMPTZ, "queuedAt" TIMESTAMPTZ, "mtnMomoPlatform" TEXT, "paymentEvent" TEXT
      )
      WHERE i.id = n.id AND i.id = ANY ($2::text[]) AND i.xmin = n.version AND ${eventsAreWritten} ${onlyFree}
      RETURNING i.id, i.rail, i.submitted_at, n."mtnMomoPlatform", n."paymentEvent" AS type, i.checkout_id
    ), begun AS (
      INSERT INTO wire_attempts (intent_id, rail, began_at, platform)
      SELECT id, rail, submitted_at, CASE rail WHEN 'mtn_momo' THEN "mtnMomoPlatform" END
      FROM changed WHERE submitted_at IS NOT NULL
    )${events}
    SELECT id FROM changed`
  return { name, text }
}

const onlyFree = `AND i.id = ANY (ARRAY (
    SELECT free.id FROM intents free WHERE free.id = ANY ($2::text[])
    ORDER BY free.id FOR NO KEY UPDATE SKIP LOCKED
  ))`

/** Events of attempts that end without a prompt. */
const events = `, ${writingEvents('changed e')}`

export const beginSubmitStatements = {
  ...loads,
  save: saving('save_begin_submit', {}),
  saveFree: saving('save_free_begin_submit', { onlyFree }),
  saveEvents: saving('save_events_begin_submit', { events }),
  saveFreeEvents: saving('save_free_events_begin_submit', { onlyFree, events }),
} as const

type Terms = Omit<BeginSubmitTerms, 'promptSeconds'>

type Write = NonNullable<BegunSubmit['write']> &
  Pick<BeginSubmitCommand, 'mtnMomoPlatform'> &
  Pick<LoadedSubmit, 'version'>

const promptSeconds = {
  mpesa: promptTimes.mpesa.promptSeconds,
  mtn_momo: promptTimes.mtn_momo.promptSeconds,
  airtel_money: promptTimes.airtel_money.promptSeconds,
} as const

/**
 * Hands out the prompts of attempts, each to the one caller that may send it. While another prompt is open on the phone
 * of an attempt, the attempt is queued and no prompt is handed out. Returns an answer for each command, in order;
 * undefined where another transaction has locked or changed the attempt.
 */
export async function beginSubmits(
  pool: Pool,
  commands: readonly BeginSubmitCommand[],
  given: { readonly terms: Terms; readonly isWaiting: boolean },
): Promise<(HandedOut | undefined)[]> {
  const { isWaiting } = given
  const terms = { ...given.terms, promptSeconds }
  return inTransaction(pool, async (transaction) => {
    const ids = commands.map(({ intentId }) => intentId)
    const loaded = await loadBeginSubmit(transaction, ids, isWaiting)
    const decided = firstOfEach(
      commands.map((command, place) => propose(loaded[place], command, terms)),
    )
    const writes = decided.flatMap((one) => one?.write ?? [])
    const saved = await saveWrites(transaction, writes, isWaiting)
    return decided.map((one) =>
      one?.write === undefined || saved.has(one.write.id) ? one?.answer : undefined,
    )
  })
}

/** Writes the attempts that are unchanged since the load, commits, and returns their ids. */
async function saveWrites(
  transaction: Transaction,
  writes: readonly Write[],
  isWaiting: boolean,
): Promise<ReadonlySet<string>> {
  if (writes.length === 0) return new Set()
  const { save, saveFree, saveEvents, saveFreeEvents } = beginSubmitStatements
  const hasEvents = writes.some(({ paymentEvent }) => paymentEvent !== undefined)
  const [waiting, free] = hasEvents ? [saveEvents, saveFreeEvents] : [save, saveFree]
  const saved = await transaction.commit<{ id: string }>(isWaiting ? waiting : free, [
    JSON.stringify(writes.map(rowOf)),
    writes.map(({ id }) => id),
  ])
  return new Set(saved.map(({ id }) => id))
}

const nothing = {
  about: [],
  isWriting: false,
  decided: { answer: { order: undefined }, write: undefined },
} as const

function propose(
  loaded: LoadedSubmit | 'unknown' | undefined,
  { mtnMomoPlatform }: BeginSubmitCommand,
  terms: BeginSubmitTerms,
) {
  if (loaded === undefined) return undefined
  if (loaded === 'unknown') return nothing
  const { state, order, version } = loaded
  const { isTaken, write } = decideBeginSubmit(state, terms)
  return {
    // A batch decides about one reserved attempt for each phone, because its prompt may change the decision about the
    // next one. The next one is loaded again, even where the first turns out to write nothing.
    about: [state.id, order.phone].flatMap((key) => key ?? []),
    isWriting: state.status === 'reserved',
    decided: {
      answer: { order: isTaken ? order : undefined },
      write: write && { ...write, version, mtnMomoPlatform },
    },
  }
}

function rowOf(write: Write) {
  return {
    ...write,
    submittedAt: timestamp(write.submittedAt),
    endedAt: timestamp(write.endedAt),
    deadlineAt: timestamp(write.deadlineAt),
    nextActionAt: timestamp(write.nextActionAt),
    queryAt: timestamp(write.queryAt),
    queuedAt: timestamp(write.queuedAt),
  }
}
