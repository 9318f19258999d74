import type { Rail } from '@malipo/kernel/countries'
import type { Pool } from 'pg'
import type { Statement } from '../../database/transaction'

/** Written once a minute, though workers claim each second. */
const note: Statement = {
  name: 'note_refund_rails',
  text: `
    INSERT INTO worker_refund_rails (rails, named_at)
    SELECT $1, clock_timestamp() WHERE NOT EXISTS (
      SELECT FROM worker_refund_rails w WHERE w.rails = $1 AND w.named_at > (SELECT clock_timestamp()) - interval '1 minute'
    )
    ON CONFLICT (rails) DO UPDATE SET named_at = excluded.named_at`,
}

/** Keeps that a worker sends refunds by these rails, and by no others. */
export async function noteRefundRails(pool: Pool, rails: readonly Rail[]): Promise<void> {
  await pool.query({ ...note, values: [[...rails].sort().join()] })
}

/**
 * Whether workers send refunds by the rail of a provider, `$n` in a statement. Those that claimed in the last ten minutes
 * count; of none, as of workers of an earlier release, nothing is known, and they count as able.
 */
export const isSentByWorkers = (provider: string): string => `coalesce((
  SELECT bool_or(${provider} = ANY (string_to_array(w.rails, ','))) FROM worker_refund_rails w
  WHERE w.named_at > (SELECT clock_timestamp()) - interval '10 minutes'
), true)`
