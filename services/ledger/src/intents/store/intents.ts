import type { Rail } from '@malipo/kernel/countries'
import type { Pool } from 'pg'
import { type Statement, micros } from '../../database/transaction'
import type { IntentStatus } from '../rules/intent'
import type { PublicIntent } from '../rules/decide-start'
import { leaseSeconds } from '../rules/decide-claiming'
import { type Sample, type Slot, slotSeconds } from '../rules/prompt-queue'

const find: Statement = {
  name: 'find_intent',
  text: `
    SELECT id AS "intentId", status, rail, amount_minor AS "amountMinor", settled_minor AS "settledMinor"
    FROM intents WHERE id = $1`,
}

/** `pg` returns a bigint as text. A trigger refuses an unknown `rail`, another an unknown `status`. */
interface IntentRow {
  readonly intentId: string
  readonly status: IntentStatus
  readonly rail: Rail
  readonly amountMinor: string
  readonly settledMinor: string | null
}

export async function findIntent(pool: Pool, intentId: string): Promise<PublicIntent | undefined> {
  const { rows } = await pool.query<IntentRow>({ ...find, values: [intentId] })
  const [row] = rows
  if (row === undefined) return undefined
  const { amountMinor, settledMinor } = row
  return {
    ...row,
    amountMinor: BigInt(amountMinor),
    settledMinor: settledMinor === null ? null : BigInt(settledMinor),
  }
}

/**
 * Counts the attempts whose prompt no worker has begun to send. Each of them is due within a lease, so the index of those in
 * flight passes over those that only wait for their payer. An attempt queued behind another prompt on its phone is not late, so it is
 * not counted.
 */
export const waitingPrompts: Statement = {
  name: 'waiting_prompts',
  text: `
    SELECT i.rail, ${micros(`date_bin('${String(slotSeconds)} s', i.created_at, 'epoch')`)} AS since,
      count(*)::int AS count, ${micros('(SELECT clock_timestamp())')} AS now
    FROM intents i
    WHERE i.next_action_at <= (SELECT clock_timestamp()) + interval '${String(leaseSeconds)} s'
      AND i.ended_at IS NULL AND i.status = 'reserved' AND i.queued_at IS NULL
    GROUP BY 1, 2 ORDER BY 2`,
}

interface Row {
  readonly rail: Rail
  readonly since: number
  readonly count: number
  readonly now: number
}

/** Returns the attempts that wait for their prompt, by rail. A rail where none waits has no entry. */
export async function sampleWaitingPrompts(pool: Pool): Promise<ReadonlyMap<Rail, Sample>> {
  const { rows } = await pool.query<Row>(waitingPrompts)
  const samples = new Map<Rail, { readonly at: number; readonly waiting: Slot[] }>()
  for (const { rail, now, since, count } of rows) {
    const sample = samples.get(rail) ?? { at: now, waiting: [] }
    sample.waiting.push({ since, count })
    samples.set(rail, sample)
  }
  return samples
}
