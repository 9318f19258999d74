import { eventually } from '@malipo/testing/eventually'
import { authOfFile, countWaiting, type SignedInBrowser } from '../start.harness'

const { auth, database } = authOfFile()
let shops = 0
let owner: SignedInBrowser

beforeAll(async () => {
  owner = await auth.signedIn('mama-mboga')
})

async function create(handle: string | undefined, changes: object = {}, by = owner) {
  const request = { request_id: `request-${String(handle)}`, handle, ...changes }
  const { status, body } = await by.post('/links', request)
  return status === 201 ? body.data : body.code
}

async function countLinks(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM links',
  )
  return rows[0]?.count ?? 0
}

test("makes a link with a title and a suggested amount in its owner's currency", async () => {
  const suggested = { title: 'A box of greens', amount: '150000' }
  expect(await create('Box-Of-Greens', suggested)).toEqual({
    handle: 'Box-Of-Greens',
    url: 'https://pay.example.ke/p/Box-Of-Greens',
    ...suggested,
    created_at: expect.any(String),
    closed_at: null,
  })
  const { resolved } = await auth.rpc.resolveHandle({ handle: 'box-of-greens' })
  expect(resolved?.amount).toEqual({ currency: 'KES', minor: 150_000n })
})

test('makes an open link without a suggestion', async () => {
  expect(await create('tips')).toMatchObject({ handle: 'tips', title: null, amount: null })
})

test('makes a random handle when none is given', async () => {
  const one = await create(undefined, { request_id: 'made-up-1' })
  const other = await create(undefined, { request_id: 'made-up-2' })
  expect(one.handle).toMatch(/^pay-[0-9a-f]{12}$/)
  expect(one.handle).not.toBe(other.handle)
})

test('returns the existing link for a repeated request id, whatever else it contains', async () => {
  const made = await create('once')
  const links = await countLinks()
  expect(await create('once')).toEqual(made)
  expect(await create('admin', { request_id: 'request-once' })).toEqual(made)
  expect(await countLinks()).toBe(links)
})

test('makes one link from two parallel calls with one request id', async () => {
  const links = await countLinks()
  // Both calls have found no link before they wait for the account's lock.
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM accounts WHERE account_id = $1 FOR UPDATE', [owner.accountId])
  const calls = ['rush', 'rush'].map((id) => create(undefined, { request_id: id }))
  await eventually('both wait', async () => (await countWaiting(database)) === 2)
  await holder.query('COMMIT')
  holder.release()
  const [one, other] = await Promise.all(calls)
  expect(one).toEqual(other)
  expect(await countLinks()).toBe(links + 1)
})

test('allows two accounts the same request id', async () => {
  const other = await auth.signedIn('other')
  await create('ours', { request_id: 'r-1' })
  const theirs = await create('theirs', { request_id: 'r-1' }, other)
  expect(theirs.handle).toBe('theirs')
})

test.each(['mama-mboga', 'MAMA-MBOGA', 'Taken', 'admin', 'cs12345678'])(
  'refuses the address %s, which is taken or reserved',
  async (handle) => {
    await create('taken')
    const links = await countLinks()
    expect(await create(handle, { request_id: `again-${handle}` })).toBe(3004)
    expect(await countLinks()).toBe(links)
  },
)

test.each(['99', '15000001'])(
  'refuses an amount of %s outside the limits of the country with 2702',
  async (amount) => {
    expect(await create('limits', { title: 'x', amount })).toBe(2702)
  },
)

test("checks the amount of a link against the limits of its account's home country", async () => {
  const cafe = await auth.signedIn('kampala-coffee', { homeCountry: 'ug' })
  await create('espresso', { title: 'Espresso', amount: '500000000' }, cafe)
  const { resolved } = await auth.rpc.resolveHandle({ handle: 'espresso' })
  expect(resolved?.amount).toEqual({ currency: 'UGX', minor: 500_000_000n })
  expect(await create('half', { title: 'Half', amount: '150' }, cafe)).toBe(2702)
})

test.each([
  ['a title without an amount', { title: 'A box' }],
  ['an amount without a title', { amount: '100' }],
  ['an amount of 0', { title: 'x', amount: '0' }],
  ['an amount below 0', { title: 'x', amount: '-100' }],
  ['an amount that is no text', { title: 'x', amount: 100 }],
  ['a blank title', { title: ' ', amount: '100' }],
  ['a title of 65 characters', { title: 'x'.repeat(65), amount: '100' }],
  ['a title that turns the reading direction', { title: '\u202egreens', amount: '100' }],
  ['an address with a space', { handle: 'a b' }],
  ['no request id', { request_id: '' }],
  ['a field we do not have', { colour: 'red' }],
])('refuses a link with %s', async (_, change) => {
  expect(await create('refused', change)).toBe(1701)
})

test('limits an account to 200 links', async () => {
  const collector = await auth.signedIn('collector')
  await database.pool.query(
    `WITH made AS (
       INSERT INTO handles (folded, handle, account_id, kind)
       SELECT 'many-' || n, 'many-' || n, $1, 'link' FROM generate_series(1, 199) AS n RETURNING folded, account_id
     ) INSERT INTO links (folded, account_id, request_id) SELECT folded, account_id, folded FROM made`,
    [collector.accountId],
  )
  const made = await Promise.all(
    ['last', 'too-many'].map((handle) => create(handle, {}, collector)),
  )
  expect(made).toContain(1701)
  expect(made).toContainEqual(expect.objectContaining({ closed_at: null }))
  expect(await create('one-more', {}, collector)).toBe(1701)
})

test.each([
  ['an address that is taken', { handle: 'other-shop' }, 3004],
  ['a reserved one', { handle: 'sup.port' }, 3004],
  ['the name of a provider', { handle: 'm.pesa' }, 1701],
  ['one that looks like a taken one', { handle: 'other.sh0p' }, 3004],
  ['one that reads as a Pay Bill number', { handle: 'CS-1234-5678' }, 3004],
  ['one that looks like a Pay Bill number', { handle: 'c520126046' }, 3004],
])('refuses %s', async (_, change, code) => {
  await auth.createAccount('other-shop')
  const owner = await auth.signedIn(`shop-${String((shops += 1))}`)
  const { body } = await owner.post('/links', { request_id: 'r', ...change })
  expect(body.code).toBe(code)
})

test.each(['Safaricom PLC', 'M-PESA', 'M-P€SA payment', 'MTN', 'Safarіcom', 'Bоx of greens'])(
  'refuses a link with the title %s, which payers would misread',
  async (title) => {
    const owner = await auth.signedIn(`shop-${String((shops += 1))}`)
    const { status, body } = await owner.post('/links', { request_id: 'r', title, amount: '100' })
    expect([status, body.code, body.errors]).toEqual([
      400,
      1701,
      [{ path: 'title', message: expect.stringMatching(/; (choose|write) /) }],
    ])
    expect((await owner.get('/links')).body.data.links).toEqual([])
  },
)
