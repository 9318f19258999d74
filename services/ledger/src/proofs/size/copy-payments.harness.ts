import type { TestDatabase } from '@malipo/testing/database'
import type { PoolClient } from 'pg'
import { payBillNumber, payBillNumbers } from '../../pay-bill/rules/pay-bill'

/** Each copy of a payment is this much older than the copy before it. */
const apartSeconds = 20

/** SQL of a column's value in a copy: a prefix, and `length` digits of a digest of the original and the copy. */
const copyOf = (prefix: string, column: string, length: number) =>
  `'${prefix}' || left(md5(${column} || copy::text), ${String(length)})`

/** SQL of an id as one made at the copy's time: the minute comes first, as ids of one time lie together in an index. */
const idOf = (prefix: string, column: string) => {
  const minute = `('x' || substr(${column}, ${String(prefix.length + 1)}, 3))::bit(12)::int`
  const earlier = `(${minute} - copy * ${String(apartSeconds)} / 60) & 4095`
  return `'${prefix}' || lpad(to_hex(${earlier}), 3, '0') || left(md5(${column} || copy::text), 21)`
}

const checkout = (column: string) => idOf('cs_ke_', column)
const intent = (column: string) => idOf('pi_', column)
const receipt = (column: string) => `upper(${copyOf('', column, 16)})`

/** For each table that a payment leaves rows in, the columns that differ in a copy. Times move; other columns stay. */
const changes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  checkouts: { id: checkout('id') },
  intents: {
    id: intent('id'),
    checkout_id: checkout('checkout_id'),
    phone: `'2547' || lpad((hashtext(phone || copy::text) & 67108863)::text, 8, '0')`,
    callback_secret: 'md5(callback_secret || copy::text)',
    attempt_reference: `upper(${copyOf('', 'attempt_reference', 12)})`,
    receipt: receipt('receipt'),
    provider_request_id: copyOf('ws_CO_', 'provider_request_id', 16),
  },
  intent_steps: { intent_id: intent('intent_id') },
  wire_attempts: { intent_id: intent('intent_id') },
  provider_messages: {
    id: idOf('pm_', 'id'),
    intent_id: intent('intent_id'),
    receipt: receipt('receipt'),
    digest: `sha256(convert_to(id || copy::text, 'UTF8'))`,
  },
  statement_rows: { receipt: receipt('receipt') },
  transfers: { event_key: `'receipt:mpesa:' || ${receipt(`split_part(event_key, ':', 3)`)}` },
  idempotency_keys: {
    key: 'md5(key || copy::text)',
    checkout_id: checkout('checkout_id'),
    intent_id: intent('intent_id'),
  },
  pay_bill_numbers: {
    number: '(SELECT f.number FROM free_numbers f WHERE f.nr = originals.nr + (copy - 1) * made)',
    checkout_id: checkout('checkout_id'),
  },
}

/**
 * Copies the M-PESA payments of a database `copies` times, without its triggers. Invariants that are true of the
 * originals are true of the copies.
 */
export async function copyPayments(
  { pool }: TestDatabase,
  copies: number,
  onProgress: (table: string) => void,
): Promise<void> {
  const client = await pool.connect()
  await client.query(`SET session_replication_role = replica; SET synchronous_commit = off`)
  for (const [table, changed] of Object.entries(changes)) {
    onProgress(table)
    const { rows: columns } = await client.query<{ name: string; isTime: boolean }>(
      `SELECT column_name AS name, data_type LIKE 'timestamp%' AS "isTime" FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
      [table],
    )
    const age = `make_interval(secs => copy * ${String(apartSeconds)})`
    const values = columns.map(
      ({ name, isTime }) => changed[name] ?? (isTime ? `${name} - ${age}` : name),
    )
    await client.query(
      `CREATE TEMP TABLE originals AS SELECT *, row_number() OVER () AS nr, count(*) OVER () AS made FROM ${table}`,
    )
    if (table === 'pay_bill_numbers') await findFreeNumbers(client, copies)
    // The oldest first, as payments write them: the indexes of times depend on it.
    await client.query(
      `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) OVERRIDING SYSTEM VALUE
       SELECT ${values.join(', ')} FROM generate_series(${String(copies)}, 1, -1) AS copy CROSS JOIN originals`,
    )
    await client.query('DROP TABLE originals')
  }
  await client.query('RESET session_replication_role')
  client.release()
  await pool.query('VACUUM ANALYZE')
}

async function findFreeNumbers(client: PoolClient, copies: number): Promise<void> {
  const { rows } = await client.query<{ number: string }>('SELECT number FROM pay_bill_numbers')
  const given = new Set(rows.map(({ number }) => number))
  const wanted = given.size * copies
  const free: string[] = []
  for (let place = 0; place < payBillNumbers && free.length < wanted; place += 1) {
    const number = payBillNumber(place)
    if (!given.has(number)) free.push(number)
  }
  await client.query(
    `CREATE TEMP TABLE free_numbers AS SELECT number, nr FROM unnest($1::text[]) WITH ORDINALITY AS free (number, nr)`,
    [free],
  )
  await client.query('CREATE UNIQUE INDEX ON free_numbers (nr)')
}
