import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'
import { leaseSeconds } from '../../intents/rules/decide-claiming'
import { isUndecided } from '../../intents/store/undecided'
import { countUnposted } from '../../reports/store/list-reports'

/** Sizes of queues and ages of their oldest items, each under the name of its metric. */
export type Levels = Readonly<Record<string, number>>

/** Work that is due or leased has a `next_action_at` up to this time: a lease ends `leaseSeconds` after its claim. */
const handedOutBy = Prisma.raw(`(SELECT clock_timestamp()) + interval '${String(leaseSeconds)} s'`)

/** Ages are in seconds, and 0 when nothing waits. */
export async function readLevels(db: Database): Promise<Levels> {
  const [levels] = await db.$queryRaw<[Levels]>`
    WITH open AS (SELECT minor, opened_at FROM open_suspense())
    SELECT
      (SELECT count(*)::float8 FROM open) AS suspense_open,
      (SELECT coalesce(sum(minor), 0)::float8 FROM open) AS suspense_open_minor,
      (SELECT age_seconds(min(opened_at)) FROM open) AS suspense_oldest_s,
      (SELECT count(*)::float8 FROM refunds WHERE status IN ('asked', 'approved', 'submitted')) AS refunds_open,
      -- Refunds that were sent and are no longer queried wait for two operators.
      (SELECT count(*)::float8 FROM refunds WHERE status = 'submitted' AND next_action_at IS NULL) AS refunds_undecided,
      (SELECT age_seconds(min(created_at)) FROM intents WHERE ended_at IS NULL) AS inflight_oldest_s,
      (SELECT count(*)::float8 FROM intents i WHERE ${Prisma.raw(isUndecided)}) AS intents_undecided,
      -- A claim moves next_action_at; query_at stays the time at which the query was due.
      (SELECT age_seconds(min(least(next_action_at, query_at))) FROM intents
        WHERE ended_at IS NULL AND next_action_at <= ${handedOutBy}) AS outbox_oldest_s,
      (SELECT age_seconds(min(query_at)) FROM intents
        WHERE ended_at IS NOT NULL AND next_action_at <= ${handedOutBy}) AS watches_oldest_s,
      (SELECT count(*)::float8 FROM intents WHERE next_action_at <= (SELECT clock_timestamp())) AS outbox_due,
      (SELECT count(*)::float8 FROM provider_messages WHERE next_action_at <= (SELECT clock_timestamp())) AS inbox_due,
      (SELECT age_seconds(min(submitted_at)) FROM intents WHERE next_action_at IS NOT NULL AND receipt_wanted)
        AS receipt_wanted_oldest_s,
      (SELECT age_seconds(min(received_at)) FROM provider_messages WHERE next_action_at IS NOT NULL) AS inbox_oldest_s`
  const { signed, unsigned } = await countUnposted(db)
  return { ...levels, payment_reports_unposted: signed, pay_bill_reports_unposted: unsigned }
}
