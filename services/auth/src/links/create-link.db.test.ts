import type {
  Account,
  CreateLinkRequest,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import { eventually } from '@malipo/testing/eventually'
import { authOfFile, countWaiting } from '../start.harness'

const { auth, database } = authOfFile()
let owner: Account

beforeAll(async () => {
  owner = await auth.createAccount('mama-mboga')
})

async function create(handle: string, changes: Partial<CreateLinkRequest> = {}) {
  const request = { requestId: `request-${handle}`, accountId: owner.accountId, handle, ...changes }
  return (await auth.rpc.createLink(request)).link
}

async function countLinks(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM links',
  )
  return rows[0]?.count ?? 0
}

test("makes a link with a title and a suggested amount in its owner's currency", async () => {
  expect(
    await create('Box-Of-Greens', { title: 'A box of greens', amountMinor: 150_000n }),
  ).toEqual({
    handle: 'Box-Of-Greens',
    title: 'A box of greens',
    amount: { currency: 'KES', minor: 150_000n },
    createdAt: expect.any(Date),
  })
})

test('makes an open link without a suggestion', async () => {
  expect(await create('tips')).toEqual({ handle: 'tips', createdAt: expect.any(Date) })
})

test('makes a random handle when none is given', async () => {
  const one = await create('', { requestId: 'made-up-1' })
  const other = await create('', { requestId: 'made-up-2' })
  expect(one?.handle).toMatch(/^pay-[0-9a-f]{12}$/)
  expect(one?.handle).not.toBe(other?.handle)
})

test('returns the existing link for a repeated request id, whatever else it contains', async () => {
  const made = await create('once')
  const links = await countLinks()
  expect(await create('once')).toEqual(made)
  expect(await create('admin', { requestId: 'request-once' })).toEqual(made)
  expect(await countLinks()).toBe(links)
})

test('makes one link from two parallel calls with one request id', async () => {
  const links = await countLinks()
  // Both calls have found no link before they wait for the account's lock.
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM accounts WHERE account_id = $1 FOR UPDATE', [owner.accountId])
  const calls = [create('', { requestId: 'rush' }), create('', { requestId: 'rush' })]
  await eventually('both wait', async () => (await countWaiting(database)) === 2)
  await holder.query('COMMIT')
  holder.release()
  const [one, other] = await Promise.all(calls)
  expect(one).toEqual(other)
  expect(await countLinks()).toBe(links + 1)
})

test('allows two accounts the same request id', async () => {
  const other = await auth.createAccount('other')
  await create('ours', { requestId: 'r-1' })
  const theirs = await create('theirs', { requestId: 'r-1', accountId: other.accountId })
  expect(theirs?.handle).toBe('theirs')
})

test.each(['mama-mboga', 'MAMA-MBOGA', 'Taken', 'admin', 'cs12345678'])(
  'refuses the address %s, which is taken or reserved',
  async (handle) => {
    await create('taken')
    const links = await countLinks()
    const request = { requestId: `again-${handle}` }
    await expect(create(handle, request)).rejects.toMatchObject({ reason: 'handle_taken' })
    expect(await countLinks()).toBe(links)
  },
)

test.each([0n, -100n, 99n, 15_000_001n])(
  'refuses an amount of %s outside the limits of the country with 2702',
  async (amountMinor) => {
    const change = { title: 'x', amountMinor }
    await expect(create('limits', change)).rejects.toMatchObject({
      reason: 'amount_outside_limits',
    })
  },
)

test("checks the amount of a link against the limits of its account's home country", async () => {
  const { accountId } = await auth.createAccount('kampala-coffee', { homeCountry: 'ug' })
  const link = await create('espresso', { accountId, title: 'Espresso', amountMinor: 500_000_000n })
  expect(link?.amount).toEqual({ currency: 'UGX', minor: 500_000_000n })
  const half = { accountId, title: 'Half', amountMinor: 150n }
  await expect(create('half', half)).rejects.toMatchObject({ reason: 'amount_outside_limits' })
})

test.each([
  ['a title without an amount', { title: 'A box' }],
  ['an amount without a title', { amountMinor: 100n }],
  ['a blank title', { title: ' ', amountMinor: 100n }],
  ['a title of 65 characters', { title: 'x'.repeat(65), amountMinor: 100n }],
  ['a title that turns the reading direction', { title: '\u202egreens', amountMinor: 100n }],
  ['a title with the name of a provider', { title: 'Safaricom PLC', amountMinor: 100n }],
  ['an address with a space', { handle: 'a b' }],
  ['no request id', { requestId: '' }],
  ['an unknown account', { accountId: `acc_${'0'.repeat(24)}` }],
])('refuses a link with %s', async (_, change) => {
  await expect(create('refused', change)).rejects.toMatchObject({ reason: 'invalid_request' })
})

test('limits an account to 200 links', async () => {
  const { accountId } = await auth.createAccount('collector')
  await database.pool.query(
    `WITH made AS (
       INSERT INTO handles (folded, handle, account_id, kind)
       SELECT 'many-' || n, 'many-' || n, $1, 'link' FROM generate_series(1, 199) AS n RETURNING folded, account_id
     ) INSERT INTO links (folded, account_id, request_id) SELECT folded, account_id, folded FROM made`,
    [accountId],
  )
  const made = await Promise.allSettled(
    ['last', 'too-many'].map((handle) => create(handle, { accountId })),
  )
  expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(create('one-more', { accountId })).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})
