import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { invariants } from './audit-services'

// Each invariant holds for a new database, and each is broken once, past its constraints, to show that it can fail.
// The violation is rolled back.

let databases: Readonly<Record<'ledger' | 'keys' | 'auth', TestDatabase>>

beforeAll(async () => {
  databases = {
    ledger: await cloneDatabase('ledger'),
    keys: await cloneDatabase('keys'),
    auth: await cloneDatabase('auth'),
  }
})

afterAll(async () => {
  for (const database of Object.values(databases)) await database.drop()
})

const serviceOf = {
  ledger_ke: 'ledger',
  ledger_ug: 'ledger',
  keys: 'keys',
  accounts: 'auth',
} as const

const key = (id: string, changes: { digest?: string; lastFour?: string; at?: string } = {}) => {
  const { digest = `sha256('${id}')`, lastFour = 'ABCD', at = 'now()' } = changes
  return `INSERT INTO keys (key_id, account_id, digest, prefix, last_four, created_at, pin_proof)
    VALUES ('${id}', 'acc_1', ${digest}, 'mkp_live_', '${lastFour}', ${at}, gen_random_uuid());`
}

const plants: readonly (readonly [keyof typeof serviceOf, number, string])[] = [
  ...(['ledger_ke', 'ledger_ug'] as const).flatMap((where) => [
    [
      where,
      26,
      `INSERT INTO provider_messages (id, rail, kind, body, source_address, source_known, received_at, next_action_at)
      VALUES ('pm_1', 'paybill', 'callback', '', '', true, now(), now() - interval '31 seconds')`,
    ] as const,
    [
      where,
      26,
      `INSERT INTO intents (id, rail, phone, amount_minor, asked_minor, status, event, created_at, next_action_at)
      VALUES ('pi_1', 'mpesa', '254700000001', 100, 100, 'pending', 'x', now(), now() - interval '31 seconds')`,
    ] as const,
  ]),
  ['keys', 27, `DROP INDEX keys_one_live_per_account; ${key('key_1')} ${key('key_2')}`],
  [
    'keys',
    27,
    `DROP INDEX keys_one_live_per_account; ${key('key_1', { at: `now() - interval '1 hour'` })} ${key('key_2')}
    UPDATE keys SET revoked_at = now() WHERE key_id = 'key_2'`,
  ],
  [
    'keys',
    28,
    `ALTER TABLE keys DROP CONSTRAINT keys_digest_length; ${key('key_1', { digest: `'\\x00'` })}`,
  ],
  [
    'keys',
    28,
    `ALTER TABLE keys DROP CONSTRAINT keys_last_four_shape; ${key('key_1', { lastFour: 'A'.repeat(52) })}`,
  ],
  [
    'accounts',
    29,
    `ALTER TABLE handles DROP CONSTRAINT handles_no_pay_bill_number;
    INSERT INTO handles (folded, handle, account_id, kind) VALUES ('cs-1234.5678', 'CS-1234.5678', 'acc_1', 'link')`,
  ],
]

/** Plants a violation, returns what the check finds, and rolls the violation back. */
async function brokenBy(where: keyof typeof serviceOf, number: number, plant: string) {
  const requested = invariants.filter((one) => one.where === where && one.number === number)
  const client = await databases[serviceOf[where]].pool.connect()
  try {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica')
    // The planted keys have short ids, which this constraint would refuse.
    await client.query(
      `ALTER TABLE IF EXISTS keys DROP CONSTRAINT IF EXISTS keys_key_id_shape; ${plant}`,
    )
    const found = await client.query<{ who: string }>(requested[0]?.query ?? '')
    return found.rows.map(({ who }) => who)
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

test('each check of the audit has a planted violation, and passes on new databases', async () => {
  const planted = new Set(plants.map(([where, number]) => `${where} ${String(number)}`))
  expect([...planted].sort()).toEqual(
    invariants.map(({ where, number }) => `${where} ${String(number)}`).sort(),
  )
  for (const { where, number } of invariants) {
    expect(await brokenBy(where, number, 'SELECT')).toEqual([])
  }
})

test.each(plants)('%s: check number %s detects %s', async (where, number, plant) => {
  expect(await brokenBy(where, number, plant)).not.toEqual([])
})
