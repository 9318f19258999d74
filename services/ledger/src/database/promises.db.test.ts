import { ledgerOfFile } from '../ledger.harness'
import { found } from '../invariants.harness'
import { type Pending } from '../payments.harness'

// The database refuses these changes to every role, also to the owner of its tables. Each promise is attacked.

const at = ledgerOfFile()
let attempt: Pending
let checkoutId: string

beforeAll(async () => {
  ;({ checkoutId } = await at.pay.checkout({ idempotencyKey: 'key' }))
  attempt = await at.pay.pending(checkoutId)
  await at.pay.paid(attempt, { receipt: 'RECEIPT001' })
})

/** Runs a statement, and returns the code of PostgreSQL's error, or `done`. */
async function attack(sql: string, values: unknown[] = []): Promise<string> {
  return at.database.pool.query(sql, values).then(
    () => 'done',
    (error: unknown) => String((error as { code?: unknown }).code),
  )
}

const refused = '23001'
const check = '23514'
const foreignKey = '23503'
const unique = '23505'

const transfer = (changes: Record<string, unknown>) => {
  const row = {
    event_key: 'receipt:mpesa:FORGED',
    leg: 0,
    debit: 'float:mpesa',
    credit: 'suspense:unmatched',
    currency: 'KES',
    minor: 100,
    event_at: new Date(0),
    created_at: new Date(0),
    ...changes,
  }
  const columns = Object.keys(row)
  return attack(
    `INSERT INTO transfers (${columns.join(', ')}) VALUES (${columns.map((_, at) => `$${String(at + 1)}`).join(', ')})`,
    Object.values(row),
  )
}

describe('a card session', () => {
  test('cannot be deleted, nor its fee, expiry or intent changed', async () => {
    expect(await attack('DELETE FROM card_sessions')).toBe(refused)
    expect(await attack('TRUNCATE card_sessions CASCADE')).toBe(refused)
    for (const change of ['fee_minor = 0', 'expires_at = now()', `intent_id = 'x'`]) {
      expect(await attack(`UPDATE card_sessions SET ${change}`)).toBe(refused)
    }
  })

  test.each([
    ['a negative fee', `-1, NULL, NULL, NULL`],
    ['half of the answer of the gateway', `0, NULL, 'SESSION', NULL`],
    ['a payer of more than two kilobytes', `0, repeat('x', 2049)::bytea, NULL, NULL`],
  ])('is refused with %s', async (_, values) => {
    const columns = 'intent_id, expires_at, fee_minor, sealed_payer, session_id, success_indicator'
    const insert = `INSERT INTO card_sessions (${columns}) SELECT id, now(), ${values} FROM intents WHERE id = $1`
    expect(await attack(insert, [attempt.intentId])).toBe(check)
  })
})

describe('the journal', () => {
  test.each([
    ['no amount', { minor: 0 }, check],
    ['a negative amount', { minor: -1 }, check],
    ['one account on both sides', { credit: 'float:mpesa' }, check],
    ['a leg below nought', { leg: -1 }, check],
    ['an account that does not exist', { credit: 'wallet:unknown' }, foreignKey],
    ['another currency', { currency: 'UGX' }, foreignKey],
    ['a receipt that was posted', { event_key: 'receipt:mpesa:RECEIPT001' }, unique],
  ])('refuses a transfer with %s', async (_, changes, code) => {
    expect(await transfer(changes)).toBe(code)
  })

  test('refuses an account of another currency than the deployment', async () => {
    expect(await attack("INSERT INTO accounts (id, currency) VALUES ('wallet:x', 'UGX')")).toBe(
      foreignKey,
    )
  })
})

test.each([
  'deployment',
  'accounts',
  'checkouts',
  'transfers',
  'suspense_items',
  'intent_steps',
  'idempotency_keys',
  'wallets',
  'intents',
  'wire_attempts',
  'provider_messages',
])('%s refuses DELETE and TRUNCATE', async (table) => {
  expect(await attack(`DELETE FROM ${table}`)).toBe(refused)
  expect(await attack(`TRUNCATE ${table} CASCADE`)).toBe(refused)
})

test.each([
  ['transfers', 'minor = minor + 1'],
  ['transfers', 'created_at = created_at'],
  ['accounts', "id = 'wallet:mine'"],
  ['deployment', "country = 'ug'"],
  ['checkouts', 'amount_minor = 100'],
  ['checkouts', "expires_at = expires_at + interval '1 day'"],
  ['suspense_items', "reason = 'duplicate'"],
  ['intent_steps', "to_status = 'completed'"],
  ['idempotency_keys', "fingerprint = sha256('other')"],
  ['wallets', "account_id = 'acc_thief'"],
  ['intents', 'amount_minor = 1'],
  ['intents', "phone = '254700000000'"],
  ['intents', "callback_secret = 'known'"],
  ['intents', "account_id = 'acc_thief'"],
  ['intents', "handle = 'thief'"],
  ['wire_attempts', "platform = 'other'"],
  ['provider_messages', "body = ''"],
  ['provider_messages', 'source_known = true'],
])('%s refuses an UPDATE to %s', async (table, change) => {
  expect(await attack(`UPDATE ${table} SET ${change}`)).toBe(refused)
})

/** Runs a statement, and returns the constraint or column that PostgreSQL's error names, or `nothing`. */
async function refusedFor(sql: string, values?: unknown[]): Promise<unknown> {
  return at.database.pool.query(sql, values).then(
    () => 'nothing',
    (error: unknown) => {
      const { constraint, column } = error as { constraint?: unknown; column?: unknown }
      return constraint ?? column
    },
  )
}

describe('an intent', () => {
  const paid = (set: string) =>
    refusedFor(`UPDATE intents SET ${set} WHERE id = $1`, [attempt.intentId])
  const unpaidId = async () => (await at.pay.pending((await at.pay.checkout()).checkoutId)).intentId
  const unpaid = async (set: string) =>
    refusedFor(`UPDATE intents SET ${set} WHERE id = $1`, [await unpaidId()])
  const noMoney = 'settled_minor = NULL, receipt = NULL, settled_at = NULL, disposition = NULL'
  const money = "settled_minor = 1, receipt = 'X', settled_at = now(), disposition = 'merchant'"
  const ended = 'ended_at = now(), deadline_at = NULL'

  test.each([
    [
      'does not lose its money',
      paid,
      `status = 'failed', event = 'declined', cause = 'cancelled', ${noMoney}`,
      'intents_stay_settled',
    ],
    [
      'does not go back in flight with its money gone',
      paid,
      `status = 'pending', event = 'acknowledged', ended_at = NULL, deadline_at = now(), ${noMoney}`,
      'intents_stay_settled',
    ],
    [
      'is not settled without money',
      unpaid,
      `status = 'completed', event = 'confirmed', ${ended}`,
      'intents_fit_their_status',
    ],
    ['does not end without a status', unpaid, 'ended_at = now()', 'intents_fit_their_status'],
    ['has no status unknown to the rules', unpaid, "status = 'odd'", 'intents_fit_their_status'],
    ['does not go on without a deadline', unpaid, 'deadline_at = NULL', 'intents_fit_their_status'],
    ['is never unsent', unpaid, 'status = status, submitted_at = NULL', 'intents_fit_their_status'],
    [
      'does not fail without a cause',
      unpaid,
      `status = 'failed', event = 'declined', ${ended}`,
      'intents_fit_their_status',
    ],
    ['has no cause of failure once paid', paid, "cause = 'cancelled'", 'intents_fit_their_status'],
    ['keeps its receipt', paid, "receipt = 'OTHER00001'", 'intents_stay_settled'],
    ['keeps its amount', paid, 'settled_minor = 1', 'intents_stay_settled'],
    ['keeps its time', paid, "settled_at = now() + interval '1 day'", 'intents_stay_settled'],
    ['keeps its merchant', paid, "disposition = 'suspense_duplicate'", 'intents_stay_settled'],
  ])('%s', async (_, change, set, broken) => {
    expect(await change(set)).toBe(broken)
  })

  test.each([
    [
      'is paid by a wrong event',
      `status = 'completed', event = 'acknowledged', ${ended}, ${money}`,
    ],
    ['is reversed while unpaid', `status = 'reversed', event = 'reversed', ${ended}, ${money}`],
    ['goes back to an earlier status', "status = 'reserved', event = 'reserved'"],
    ['moves by an event that does not exist', "status = 'submitted', event = 'bribed'"],
  ])('that %s is not refused, and is found by the audit', async (_, set) => {
    const intentId = await unpaidId()
    const change = `UPDATE intents SET ${set} WHERE id = '${intentId}'`
    expect(await found(at.database, change, 17)).toContain(intentId)
  })

  test('whose money went back does not become completed again', async () => {
    const intentId = await unpaidId()
    const again = `
      UPDATE intents SET status = 'reversed', event = 'reversed', ${ended}, ${money} WHERE id = '${intentId}';
      UPDATE intents SET status = 'completed', event = 'confirmed' WHERE id = '${intentId}'`
    expect(await refusedFor(again)).toBe('intents_stay_settled')
  })

  test('that begins in a status in which none may begin is not refused, and is found by the audit', async () => {
    const id = `pi_${'b'.repeat(24)}`
    const { checkoutId: fresh } = await at.pay.checkout()
    const insert = `INSERT INTO intents (id, checkout_id, rail, phone, amount_minor, asked_minor, status, event, created_at,
        deadline_at)
      VALUES ('${id}', '${fresh}', 'mpesa', '254700000000', 100, 100, 'reserved', 'accepted', now(), now())`
    expect(await found(at.database, insert, 17)).toEqual([id])
  })

  test.each([
    ['an id of another shape', { id: 'pi_1' }, 'id'],
    ['a rail that does not exist', { rail: 'barter' }, 'rail'],
    ['no amount', { amount_minor: 0 }, 'amount_minor'],
    ['an asked amount that does not follow from its amount', { asked_minor: 101 }, 'asked_minor'],
    ['no asked amount', { asked_minor: null }, 'asked_minor'],
    ['no payee', { checkout_id: null }, 'account_id'],
    ['a checkout and a handle', { account_id: 'acc_other', handle: 'other' }, 'account_id'],
    ['an account and no handle', { checkout_id: null, account_id: 'acc_other' }, 'handle'],
    [
      'a Pay Bill number as its reference',
      { attempt_reference: 'CS12345678' },
      'attempt_reference',
    ],
    [
      'a reference too long for the provider',
      { attempt_reference: 'M123456789012' },
      'attempt_reference',
    ],
    ['a token and no reference', { attempt_reference: null }, 'callback_secret'],
  ])('is not created with %s', async (_, changes, broken) => {
    const row: Record<string, unknown> = {
      id: `pi_${'a'.repeat(24)}`,
      checkout_id: (await at.pay.checkout()).checkoutId,
      rail: 'mpesa',
      phone: '254700000000',
      amount_minor: 100,
      asked_minor: 100,
      status: 'created',
      event: 'accepted',
      created_at: new Date(0),
      deadline_at: new Date(0),
      callback_secret: 'x',
      attempt_reference: 'MATTEMPT',
      ...changes,
    }
    const columns = Object.keys(row)
    const places = columns.map((__, index) => `$${String(index + 1)}`)
    const insert = `INSERT INTO intents (${columns.join(', ')}) VALUES (${places.join(', ')})`
    expect(await refusedFor(insert, Object.values(row))).toBe(broken)
  })

  test('is the only one in flight for its checkout, and the only one that paid its merchant', async () => {
    const { checkoutId: fresh } = await at.pay.checkout()
    await at.pay.start(fresh)
    const insert = `INSERT INTO intents (id, checkout_id, rail, phone, amount_minor, asked_minor, status, event, created_at, deadline_at)
      VALUES ('pi_' || repeat('c', 24), $1, 'mpesa', '254700000000', 100, 100, 'created', 'accepted', now(), now())`
    expect(await attack(insert, [fresh])).toBe(unique)
    const matched = `INSERT INTO intents (id, checkout_id, rail, phone, amount_minor, asked_minor, status, event, created_at, ended_at,
        settled_minor, receipt, settled_at, disposition)
      VALUES ('pi_' || repeat('d', 24), $1, 'mpesa', '254700000000', 100, 100, 'completed', 'matched', now(), now(),
        100, 'SECOND0001', now(), 'merchant')`
    expect(await attack(matched, [checkoutId])).toBe(unique)
  })
})

test('one prompt an intent: the database refuses a second wire attempt of an intent', async () => {
  const insert = "INSERT INTO wire_attempts (intent_id, rail, began_at) VALUES ($1, 'mpesa', now())"
  expect(await attack(insert, [attempt.intentId])).toBe(unique)
})

test('the result of a message that was applied never changes', async () => {
  expect(await attack("UPDATE provider_messages SET result = 'kept'")).toBe(refused)
})

test.each([
  ['a key without a fingerprint of 32 bytes', "sha256('x') || 'y'", "'new'", check],
  ['an empty key', "sha256('x')", "''", check],
])('an idempotency row with %s is refused', async (_, fingerprint, key, code) => {
  const insert = `INSERT INTO idempotency_keys (scope, key, fingerprint, checkout_id, created_at)
    VALUES ('create x', ${key}, ${fingerprint}, $1, now())`
  expect(await attack(insert, [checkoutId])).toBe(code)
})

test('an idempotency row points to one thing that exists', async () => {
  const insert = (checkout: string, intent: string) =>
    attack(`INSERT INTO idempotency_keys (scope, key, fingerprint, checkout_id, intent_id, created_at)
      VALUES ('create x', 'new', sha256('x'), ${checkout}, ${intent}, now())`)
  expect(await insert('NULL', 'NULL')).toBe(check)
  expect(await insert(`'${checkoutId}'`, `'${attempt.intentId}'`)).toBe(check)
  expect(await insert(`'cs_ke_${'0'.repeat(24)}'`, 'NULL')).toBe(foreignKey)
})
