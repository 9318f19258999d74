import { generateKeyPairSync } from 'node:crypto'
import { openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { eventually } from '@malipo/testing/eventually'
import { countWaiting } from '../start.harness'
import { startTwoOperators, type TwoOperators } from './two-operators.harness'

let started: TwoOperators
let { database, auth, amina, brian, enrolled } = {} as TwoOperators

beforeAll(async () => {
  started = await startTwoOperators()
  ;({ database, auth, amina, brian, enrolled } = started)
})
afterAll(() => started.stop())

async function giversOf(accountId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ operator: string }>(
    'SELECT operator FROM password_codes WHERE account_id = $1 ORDER BY operator',
    [accountId],
  )
  return rows.map(({ operator }) => operator)
}

test('gives two operators different codes, stores neither, and names both in the audit log', async () => {
  const owner = await auth.signedIn('mama-mboga')
  const first = await amina.givePasswordCode({ username: 'Mama-Mboga' })
  const second = await brian.givePasswordCode({ username: 'mama-mboga' })
  expect([first.otherOperator, second.otherOperator]).toEqual(['', 'amina'])
  const codes = [first.code, second.code]
  expect(codes).toEqual(Array(2).fill(expect.stringMatching(/^([0-9A-Z]{4}-){2}[0-9A-Z]{4}$/)))
  expect(new Set(codes).size).toBe(2)
  const { rows } = await database.pool.query<{ row: string }>(
    'SELECT password_codes::text AS row FROM password_codes UNION ALL SELECT audit_events::text FROM audit_events',
  )
  const stored = rows.map(({ row }) => row).join('\n')
  expect(stored).toContain('password_code_given')
  for (const code of codes.flatMap((text) => [text, text.replaceAll('-', '')])) {
    expect(stored).not.toContain(code)
    expect(stored).not.toContain(Buffer.from(code).toString('hex'))
  }
  const { events } = (await owner.get('/audit-events')).body.data
  for (const subject of ['amina', 'brian']) {
    expect(events).toContainEqual(
      expect.objectContaining({ action: 'password_code_given', subject }),
    )
  }
})

test("replaces an operator's earlier code, and leaves the other operator's", async () => {
  const { accountId } = await auth.createAccount('given-again')
  await brian.givePasswordCode({ username: 'given-again' })
  await amina.givePasswordCode({ username: 'given-again' })
  const again = await amina.givePasswordCode({ username: 'given-again' })
  expect([again.otherOperator, await giversOf(accountId)]).toEqual(['brian', ['amina', 'brian']])
})

test('keeps the codes of two operators at most: the newest, and the newest of another', async () => {
  const { accountId } = await auth.createAccount('given-by-three')
  const { calls: carol } = await enrolled('carol')
  for (const calls of [amina, brian]) await calls.givePasswordCode({ username: 'given-by-three' })
  const third = await carol.givePasswordCode({ username: 'given-by-three' })
  expect([third.otherOperator, await giversOf(accountId)]).toEqual(['brian', ['brian', 'carol']])
})

test.each([
  ['is over', "expires_at = now() - interval '1 second'"],
  ['has been tried five times', 'tries = 5'],
])('does not pair a code with one that %s', async (why, change) => {
  const username = `dead-${why.replaceAll(' ', '-')}`
  await auth.createAccount(username)
  await amina.givePasswordCode({ username })
  await database.pool.query(`UPDATE password_codes SET ${change}`)
  expect((await brian.givePasswordCode({ username })).otherOperator).toBe('')
})

test('does not pair the codes of one person with two keys, the first of which was retired', async () => {
  const { accountId } = await auth.createAccount('one-person')
  const first = await enrolled('esther', 'person-1')
  await first.calls.givePasswordCode({ username: 'one-person' })
  await first.retire()
  const second = await enrolled('esther-2', 'person-1')
  const { otherOperator } = await second.calls.givePasswordCode({ username: 'one-person' })
  expect([otherOperator, await giversOf(accountId)]).toEqual(['', ['esther-2']])
})

test('does not pair a code with one that came after the ledger was asked about its operator', async () => {
  const { accountId } = await auth.createAccount('at-once')
  const other = await database.pool.connect()
  await other.query('BEGIN')
  await other.query('SELECT 1 FROM credentials WHERE account_id = $1 FOR UPDATE', [accountId])
  const giving = amina.givePasswordCode({ username: 'at-once' })
  await eventually('it waits for the other', async () => (await countWaiting(database)) === 1)
  await other.query(
    `INSERT INTO password_codes (account_id, operator_id, operator, code_digest, expires_at)
     VALUES ($1, 'op_another', 'another', sha256('code'), now() + interval '1 hour')`,
    [accountId],
  )
  await other.query('COMMIT')
  other.release()
  expect([(await giving).otherOperator, await giversOf(accountId)]).toEqual(['', ['amina']])
})

test.each([
  ['an unknown name', 'unclaimed'],
  ['a link', 'a-link'],
])('gives no code for %s', async (_, username) => {
  await auth.createAccount('with-link')
  await auth.createLink('with-link', { handle: 'a-link' })
  await expect(amina.givePasswordCode({ username })).rejects.toMatchObject({
    reason: 'handle_not_found',
  })
})

test('gives no code without the signature of an enrolled operator', async () => {
  const { accountId } = await auth.createAccount('unsigned')
  const unknown = openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)
  // Uganda's ledger, which verifies operators of its country, is down.
  await auth.createAccount('ugandan', { homeCountry: 'ug' })
  for (const [calls, username, refusal] of [
    [auth.rpc, 'unsigned', { facts: { grpcStatus: 16 } }],
    [auth.as(unknown), 'unsigned', { facts: { grpcStatus: 16 } }],
    [amina, 'ugandan', { reason: 'ledger_unavailable' }],
  ] as const) {
    await expect(calls.givePasswordCode({ username })).rejects.toMatchObject(refusal)
  }
  expect(await giversOf(accountId)).toEqual([])
})
