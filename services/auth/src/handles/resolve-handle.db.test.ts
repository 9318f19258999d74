import type { Account } from '@malipo/contracts/proto/accounts/v1/account_service'
import { authOfFile } from '../start.harness'

const { auth, database } = authOfFile()
let account: Account

beforeAll(async () => {
  account = await auth.createAccount('Kampala-Coffee', { homeCountry: 'ug' })
})

async function resolve(handle: string) {
  return (await auth.rpc.resolveHandle({ handle })).resolved
}

test.each(['Kampala-Coffee', 'kampala-coffee', 'KAMPALA-COFFEE'])(
  'finds the account of the username %s, in the spelling of its owner',
  async (handle) => {
    expect(await resolve(handle)).toEqual({
      handle: 'Kampala-Coffee',
      account,
      acceptsPayments: true,
    })
  },
)

test("finds the owner of a link, with its title and amount in the owner's currency", async () => {
  const link = { handle: 'Flat-White', title: 'Flat white', amount: '900000' }
  await auth.createLink('kampala-coffee', { request_id: '1', ...link })
  expect(await resolve('flat-white')).toEqual({
    handle: 'Flat-White',
    account,
    title: 'Flat white',
    amount: { currency: 'UGX', minor: 900_000n },
    acceptsPayments: true,
  })
})

test('finds the owner of an open link, without a suggestion', async () => {
  await auth.createLink('kampala-coffee', { request_id: '2', handle: 'tips' })
  expect(await resolve('tips')).toEqual({ handle: 'tips', account, acceptsPayments: true })
})

test('reports that the owner takes no payments', async () => {
  const paused = await auth.createAccount('paused')
  await database.pool.query('UPDATE accounts SET accepts_payments = false WHERE account_id = $1', [
    paused.accountId,
  ])
  expect(await resolve('paused')).toMatchObject({ acceptsPayments: false })
})

test.each(['unclaimed', '', 'kampala coffee', 'x'.repeat(500), '%', "'", 'a\u0000'])(
  'answers without a payee, and without an error, for %p',
  async (handle) => {
    expect(await resolve(handle)).toBeUndefined()
  },
)
