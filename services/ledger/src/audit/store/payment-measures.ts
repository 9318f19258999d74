import type { DatabaseInstant } from './audit'
import type { Database } from '../../database/database'

/** The end of a window of time, and what happened in it. */
export interface PaymentMeasures {
  readonly until: DatabaseInstant
  readonly ends: readonly {
    readonly rail: string
    readonly outcome: string
    readonly cause: string
    readonly payments: number
  }[]
  readonly prompts: readonly Delay[]
  readonly settlements: readonly Delay[]
}

export interface Delay {
  readonly rail: string
  readonly seconds: number
}

/** After a longer absence the rest is left to the next round, so that a round reads a bounded number of rows. */
const windowSeconds = 60

/** Reads the payments that ended, were sent or were posted after `since`, but for those of the last `restSeconds`. */
export async function readPaymentMeasures(
  db: Database,
  since: DatabaseInstant,
  restSeconds: number,
): Promise<PaymentMeasures> {
  const [{ until }] = await db.$queryRaw<[{ until: DatabaseInstant }]>`
    SELECT least(
      clock_timestamp() - make_interval(secs => ${restSeconds}::float8),
      committed_until(),
      ${since}::text::timestamptz + make_interval(secs => ${windowSeconds}::float8)
    )::text AS until`
  const ends = await db.$queryRaw<PaymentMeasures['ends']>`
    SELECT i.rail, s.to_status AS outcome, coalesce(i.cause, '') AS cause, count(*)::float8 AS payments
    FROM intent_steps s JOIN intents i ON i.id = s.intent_id
    WHERE s.at > ${since}::text::timestamptz AND s.at <= ${until}::text::timestamptz
      AND s.to_status IN ('completed', 'failed', 'expired', 'reversed')
    GROUP BY 1, 2, 3`
  // A prompt that was queued on purpose, behind another on the same phone, is not late.
  const prompts = await db.$queryRaw<Delay[]>`
    SELECT i.rail, extract(epoch FROM i.submitted_at - i.created_at)::float8 AS seconds
    FROM intent_steps s JOIN intents i ON i.id = s.intent_id
    WHERE s.at > ${since}::text::timestamptz AND s.at <= ${until}::text::timestamptz
      AND s.to_status = 'submitted' AND i.queued_at IS NULL`
  const settlements = await db.$queryRaw<Delay[]>`
    SELECT m.rail, extract(epoch FROM m.applied_at - least(m.received_at, i.reported_at))::float8 AS seconds
    FROM provider_messages m LEFT JOIN intents i ON i.id = m.intent_id
    WHERE m.applied_at > ${since}::text::timestamptz AND m.applied_at <= ${until}::text::timestamptz
      AND m.result = 'settled' AND m.refund_id IS NULL`
  return { until, ends, prompts, settlements }
}

/** How many more connections the services may open to this server. */
export async function readConnectionsLeft(db: Database): Promise<number> {
  const [{ left }] = await db.$queryRaw<[{ left: number }]>`
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - current_setting('reserved_connections')::int - (SELECT sum(numbackends) FROM pg_stat_database)::int AS left`
  return left
}
