import { eventually } from '@malipo/testing/eventually'
import { upstreamsOfFile } from '../upstreams.harness'
import { authOfFile, type SignedInBrowser, startAuth } from '../start.harness'
import type { KeyView, NewKeyView } from '@malipo/interface/hub'
import { openLosingProxy } from './losing-proxy.harness'

const upstreams = upstreamsOfFile()
const { auth, database } = authOfFile(upstreams)
let owner: SignedInBrowser
let shops = 0

beforeEach(async () => {
  owner = await auth.signedIn(`shop-${String((shops += 1))}`, { pin: '9274' })
})

const create = async (pin = '9274') => owner.post('/keys', { pin })

async function list(): Promise<KeyView[]> {
  return (await owner.get('/keys')).body.data.keys
}

test('creates a key with the right PIN, and has it in no later answer and no database row', async () => {
  const { status, body } = await create()
  const { secret_key: secretKey, key } = body.data as NewKeyView
  expect([status, secretKey]).toEqual([201, expect.stringMatching(/^mkp_test_[A-Z2-7]{52}$/)])
  const shown = {
    key_id: key.key_id,
    prefix: 'mkp_test_',
    last_four: secretKey.slice(-4),
    created_at: expect.any(String),
    last_used_at: null,
    revoked_at: null,
  }
  expect(await list()).toEqual([shown])
  const dumps = await Promise.all([
    database.pool.query<{ row: string }>('SELECT audit_events::text AS row FROM audit_events'),
    upstreams.rows<{ row: string }>('keys', 'SELECT keys::text AS row FROM keys'),
  ])
  expect(JSON.stringify(dumps)).not.toContain(secretKey.slice('mkp_test_'.length))
  expect((await owner.actions()).slice(0, 2)).toEqual(['key_created', 'key_asked'])
})

test('replaces the live key, so that exactly one is live', async () => {
  await create()
  await create()
  const keys = await list()
  expect(keys.map(({ revoked_at: revokedAt }) => revokedAt === null)).toEqual([true, false])
})

test('row 92: answers 50 parallel creates with a key each, and leaves exactly one live', async () => {
  const creates = await Promise.all(Array.from({ length: 50 }, () => create()))
  expect(creates.map(({ status }) => status)).toEqual(Array(50).fill(201))
  const rows = await upstreams.rows<{ account_id: string }>(
    'keys',
    `SELECT key_id FROM keys WHERE revoked_at IS NULL AND account_id = '${owner.accountId}'`,
  )
  expect(rows).toHaveLength(1)
})

test('row 93: counts 50 parallel guesses at the PIN, from two browsers and by both routes, as five tries', async () => {
  const other = auth.browser({ address: '203.0.113.2' })
  await other.signIn(`shop-${String(shops)}`)
  const guesses = Array.from({ length: 50 }, (_, guess) => {
    const pin = String(1_000 + guess)
    const browser = guess % 2 === 0 ? owner : other
    return guess % 4 < 2
      ? browser.post('/keys', { pin })
      : browser.post('/pin', { pin: '8642', current_pin: pin })
  })
  const codes = (await Promise.all(guesses)).map(({ body }) => body.code as number)
  expect(codes.filter((code) => code === 3002)).toHaveLength(5)
  expect(codes.filter((code) => code === 3003)).toHaveLength(45)
  expect((await create()).body.code).toBe(3003)
  expect(await list()).toEqual([])
})

test.each(['', '12', 'abcd', '123456789'])(
  'returns 1701 for %p, which is no PIN, and counts no try',
  async (pin) => {
    expect((await create(pin)).body.code).toBe(1701)
    expect((await create('0000')).body.details).toEqual({ tries_left: 4 })
  },
)

test('returns 409 3007 for an account without a PIN', async () => {
  owner = await auth.signedIn('pinless', { pin: undefined })
  const { status, body } = await create()
  expect([status, body.code]).toEqual([409, 3007])
})

test('revokes a key once, without a PIN', async () => {
  await create()
  expect((await owner.post('/keys/revoke')).body.data).toEqual({ revoked: true })
  expect((await owner.post('/keys/revoke')).body.data).toEqual({ revoked: false })
  expect((await list())[0]?.revoked_at).toEqual(expect.any(String))
  const before = 'key_revocation_asked'
  expect((await owner.actions()).slice(0, 4)).toEqual([
    before,
    'key_revoked',
    before,
    'key_created',
  ])
})

test('lists keys to their owner only', async () => {
  await create()
  owner = await auth.signedIn('other')
  expect(await list()).toEqual([])
})

/** The owner at an auth service that reaches the key service by a proxy. */
async function behindProxy() {
  const proxy = await openLosingProxy(upstreams.config.keysAddress ?? '')
  const behind = await startAuth(database, { ...upstreams.config, keysAddress: proxy.address })
  const browser = behind.browser()
  await browser.signIn(`shop-${String(shops)}`)
  await browser.get('/keys')
  const stop = async () => {
    await behind.stop()
    await proxy.stop()
  }
  return { browser, proxy, stop }
}

test('a key whose answer was lost is listed and in the audit log, and the 503 says to look at the list', async () => {
  const { browser, proxy, stop } = await behindProxy()
  proxy.loseAnswers()
  const creating = browser.post('/keys', { pin: '9274' })
  await eventually('the key is made', async () => (await list()).length > 0)
  proxy.cut()
  const { status, body } = await creating
  const text = expect.stringContaining('Look at the list of keys') as string
  expect([status, body.code, body.description]).toEqual([503, 2782, text])
  expect((await owner.actions())[0]).toBe('key_asked')
  await stop()
})

test('a revocation whose answer was lost is in the audit log', async () => {
  await create()
  const { browser, proxy, stop } = await behindProxy()
  proxy.loseAnswers()
  const revoking = browser.post('/keys/revoke')
  await eventually('the key is revoked', async () => (await list())[0]?.revoked_at !== null)
  proxy.cut()
  expect((await revoking).body.code).toBe(2782)
  expect((await owner.post('/keys/revoke')).body.data).toEqual({ revoked: false })
  const before = 'key_revocation_asked'
  expect((await owner.actions()).slice(0, 3)).toEqual([before, before, 'signed_in'])
  await stop()
})

/** Makes the database refuse an audit event of this account from now on, as during a failover. */
async function refuseEvent(action: string): Promise<void> {
  await database.pool.query(
    `ALTER TABLE audit_events ADD CONSTRAINT ${owner.accountId}
     CHECK (account_id <> '${owner.accountId}' OR action <> '${action}') NOT VALID`,
  )
}

test('returns the new key although its audit event could not be written', async () => {
  await create()
  await refuseEvent('key_created')
  const { status, body } = await create()
  const { secret_key: secretKey } = body.data as NewKeyView
  const [made] = await list()
  expect([status, secretKey.slice(-4)]).toEqual([201, made?.last_four])
  expect((await owner.actions()).slice(0, 3)).toEqual(['key_asked', 'key_created', 'key_asked'])
})

test('returns 503 2782 while the key service is down', async () => {
  await upstreams.lose('keys')
  const answers = [await create(), await owner.post('/keys/revoke'), await owner.get('/keys')]
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([503, 2782]))
  await upstreams.bringBack('keys')
})
