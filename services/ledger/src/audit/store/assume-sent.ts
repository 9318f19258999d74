import type { MobileRail } from '@malipo/kernel/countries'
import type { PromptTimes } from '@malipo/kernel/prompts'
import { intentMachine } from '../../intents/rules/intent'
import { beginRefund } from '../../refunds/rules/decide-sending'
import type { SharedDatabase } from '../../database/database'
import { actOnRefund } from '../../refunds/store/apply'

export interface AssumeSentOptions {
  readonly promptTimes: Readonly<Record<MobileRail, PromptTimes>>
  readonly cardQueryAfterSeconds: number
}

export interface AssumedSent {
  readonly prompts: number
  readonly refunds: number
}

/**
 * Marks every prompt, card page and refund that waits to be sent as sent, with its answer lost. It may have been sent
 * in the time that a restored database lacks, and a second one would ask a payer, or pay a refund, twice. The provider
 * is queried about each, and a callback settles it.
 */
export async function assumeSent(
  { db, pool }: Pick<SharedDatabase, 'db' | 'pool'>,
  { promptTimes, cardQueryAfterSeconds }: AssumeSentOptions,
): Promise<AssumedSent> {
  const byRail = JSON.stringify(promptTimes)
  // The time of sending is not known. The beginning of the intent is the earliest, so the statement is read from there.
  const prompts = await db.$executeRaw`
    WITH sent AS (
      UPDATE intents i SET
        status = ${intentMachine.reserved.submitted}, event = 'submitted', submitted_at = i.created_at,
        -- A card page takes cards until its session ends.
        deadline_at = greatest(
          clock_timestamp() + make_interval(secs => coalesce(
            (${byRail}::jsonb -> i.rail ->> 'deadlineSeconds')::float8, 2 * ${cardQueryAfterSeconds}::float8
          )),
          (SELECT c.expires_at + interval '30 seconds' FROM card_sessions c WHERE c.intent_id = i.id)
        ),
        next_action_at = clock_timestamp(), query_at = clock_timestamp()
      WHERE i.status = 'reserved' AND i.deadline_at IS NOT NULL
      RETURNING i.*
    )
    INSERT INTO wire_attempts (intent_id, rail, began_at) SELECT id, rail, submitted_at FROM sent`
  // The card gateway knows an order by its intent. Without this id the page would count as one that was never shown.
  await db.$executeRaw`
    UPDATE intents SET provider_request_id = id, query_at = clock_timestamp(), next_action_at = clock_timestamp()
    WHERE rail = 'card' AND deadline_at IS NOT NULL AND submitted_at IS NOT NULL AND provider_request_id IS NULL`
  const approved = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM refunds WHERE status = 'approved' AND next_action_at IS NOT NULL`
  for (const { id } of approved) await actOnRefund(pool, id, beginRefund)
  return { prompts, refunds: approved.length }
}
