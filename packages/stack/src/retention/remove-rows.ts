import type { Client } from 'pg'
import { type DetachedRow, rowsOf } from './detached-file'

/**
 * `remove` deletes the rows that equal their lines in the file. `left` then counts the rows that still exist: they
 * differ.
 */
const removals: Readonly<
  Record<DetachedRow['kind'], { readonly remove: string; readonly left: string }>
> = {
  step: {
    remove: `
      DELETE FROM intent_steps s USING unnest($1::jsonb[]) line
      WHERE s.intent_id = line ->> 'intent_id' AND s.step = (line ->> 'step')::bigint AND to_jsonb(s) = line`,
    left: `
      SELECT count(*)::int AS left FROM unnest($1::jsonb[]) line
      JOIN intent_steps s ON s.intent_id = line ->> 'intent_id' AND s.step = (line ->> 'step')::bigint`,
  },
  body: {
    remove: `
      UPDATE provider_messages m SET body = '' FROM unnest($1::jsonb[]) line
      WHERE m.id = line ->> 'id' AND octet_length(m.body) > 0 AND m.body = decode(line ->> 'body', 'hex')`,
    left: `
      SELECT count(*)::int AS left FROM unnest($1::jsonb[]) line
      JOIN provider_messages m ON m.id = line ->> 'id' AND octet_length(m.body) > 0`,
  },
}

const rowsAtOnce = 1_000

/**
 * Removes the rows of a file from the database, each batch in a transaction. A row is removed only if it equals its
 * line in the file. Rows that are gone already are skipped, so the removal can be started again at any time.
 */
export async function removeRows(
  client: Client,
  file: string,
  onProgress: (line: string) => void,
): Promise<void> {
  let batch: DetachedRow[] = []
  let removed = 0
  const flush = async () => {
    removed += await removeBatch(client, batch)
    batch = []
    onProgress(`Removed ${String(removed)}`)
  }
  for await (const row of rowsOf(file)) {
    const isOther = batch.at(-1)?.kind !== row.kind
    if (batch.length > 0 && (isOther || batch.length >= rowsAtOnce)) await flush()
    batch.push(row)
  }
  if (batch.length > 0) await flush()
}

async function removeBatch(client: Client, batch: readonly DetachedRow[]): Promise<number> {
  const { remove, left } = removals[batch[0]?.kind ?? 'step']
  const lines = [batch.map(({ json }) => json)]
  await client.query('BEGIN')
  const { rowCount } = await client.query(remove, lines)
  const { rows } = await client.query<{ left: number }>(left, lines)
  const differing = rows[0]?.left
  if (differing !== 0) {
    await client.query('ROLLBACK')
    throw new Error(
      `${String(differing)} rows are not as the file says: nothing of their batch was removed. Run npm run audit`,
    )
  }
  await client.query('COMMIT')
  return rowCount ?? 0
}
