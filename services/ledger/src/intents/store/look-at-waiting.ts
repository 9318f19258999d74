import type { Rail } from '@malipo/kernel/countries'
import type { Pool } from 'pg'
import { micros, type Statement } from '../../database/transaction'
import { leaseSeconds } from '../rules/decide-claiming'
import { type Look, type Slot, slotSeconds } from '../rules/prompt-queue'

/**
 * An attempt that waits for its first prompt is due by the end of a lease at the latest, so those that only wait for their
 * payer are passed over in the index. One that waits for another prompt on its phone is not late.
 */
export const lookAtWaiting: Statement = {
  name: 'look_at_waiting',
  text: `
    SELECT i.rail, ${micros(`date_bin('${String(slotSeconds)} s', i.created_at, 'epoch')`)} AS since,
      count(*)::int AS count, ${micros('(SELECT clock_timestamp())')} AS now
    FROM intents i
    WHERE i.next_action_at <= (SELECT clock_timestamp()) + interval '${String(leaseSeconds)} s'
      AND i.status = 'reserved' AND i.queued_at IS NULL
    GROUP BY 1, 2 ORDER BY 2`,
}

interface Row {
  readonly rail: Rail
  readonly since: number
  readonly count: number
  readonly now: number
}

/** What waits for its prompt, by rail. A rail for which none waits is not in it. */
export async function lookAtWaitingPrompts(pool: Pool): Promise<ReadonlyMap<Rail, Look>> {
  const { rows } = await pool.query<Row>(lookAtWaiting)
  const looks = new Map<Rail, { readonly at: number; readonly waiting: Slot[] }>()
  for (const { rail, now, since, count } of rows) {
    const look = looks.get(rail) ?? { at: now, waiting: [] }
    look.waiting.push({ since, count })
    looks.set(rail, look)
  }
  return looks
}
