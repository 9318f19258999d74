import type { Client } from 'pg'

/** SQL: receipts and attempts with something undecided, or that a person may have to look at. */
const open = `
  open (receipt, intent_id) AS MATERIALIZED (
    SELECT substr(subject, strpos(subject, ':') + 1), intent_id FROM open_suspense()
    UNION ALL
    SELECT receipt, NULL FROM refunds WHERE status IN ('asked', 'approved', 'submitted')
    UNION ALL
    SELECT substr(subject, strpos(subject, ':') + 1), NULL FROM placements WHERE status = 'asked'
    UNION ALL
    SELECT receipt, intent_id FROM payment_reports
    UNION ALL
    SELECT receipt, NULL FROM pay_bill_reports r
    WHERE NOT EXISTS (SELECT FROM transfers t WHERE t.event_key = 'receipt:mpesa:' || r.receipt)
    UNION ALL
    SELECT receipt, intent_id FROM provider_messages WHERE result IS NULL OR result = 'parked'
    UNION ALL
    SELECT receipt, NULL FROM wanted_payees
  )`

const isQuiet = (receipt: string) =>
  `(${receipt} IS NULL OR ${receipt} NOT IN (SELECT receipt FROM open WHERE receipt IS NOT NULL))`

/** SQL: whether nothing more can happen to the intent `i`. */
const isFinished = `(i.ended_at IS NOT NULL AND i.next_action_at IS NULL AND ${isQuiet('i.receipt')}
  AND i.id NOT IN (SELECT intent_id FROM open WHERE intent_id IS NOT NULL))`

/**
 * SQL: the steps of finished attempts before a moment. The oldest steps of an attempt always go first, so its history
 * has no gap from file to file.
 */
const steps = (until: string) => `
  WITH ${open}
  SELECT jsonb_build_object('step', to_jsonb(s))::text AS line
  FROM intent_steps s JOIN intents i ON i.id = s.intent_id
  WHERE s.at < ${until} AND ${isFinished}
  ORDER BY s.intent_id, s.step`

/** SQL: the bodies of applied messages before a moment, whose attempt, receipt and refund are finished. */
const bodies = (until: string) => `
  WITH ${open}
  SELECT jsonb_build_object('body', jsonb_build_object(
    'id', m.id, 'intent_id', m.intent_id, 'refund_id', m.refund_id, 'rail', m.rail, 'kind', m.kind,
    'received_at', m.received_at, 'body', encode(m.body, 'hex')
  ))::text AS line
  FROM provider_messages m LEFT JOIN intents i ON i.id = m.intent_id LEFT JOIN refunds r ON r.id = m.refund_id
  WHERE m.received_at < ${until} AND octet_length(m.body) > 0 AND m.result <> 'parked' AND m.next_action_at IS NULL
    AND ${isQuiet('m.receipt')} AND (m.intent_id IS NULL OR ${isFinished})
    AND (m.refund_id IS NULL OR (r.ended_at IS NOT NULL AND ${isQuiet('r.receipt')}))
  ORDER BY m.received_at, m.id`

const rowsAtOnce = 2_000

/** Yields the lines of a file: every detachable row older than `until`, all read from one snapshot of the database. */
export async function* detachableLines(client: Client, until: string): AsyncGenerator<string> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  for (const query of [steps, bodies]) {
    await client.query(`DECLARE detachable NO SCROLL CURSOR FOR ${query(`timestamptz '${until}'`)}`)
    for (;;) {
      const { rows } = await client.query<{ line: string }>(
        `FETCH ${String(rowsAtOnce)} FROM detachable`,
      )
      if (rows.length === 0) break
      for (const { line } of rows) yield line
    }
    await client.query('CLOSE detachable')
  }
  await client.query('COMMIT')
}
