import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { type RunningAuth, startAuth } from '../start.harness'

let database: TestDatabase
let auth: RunningAuth

beforeAll(async () => {
  database = await cloneDatabase('auth')
  auth = await startAuth(database)
})

afterAll(async () => {
  await auth.stop()
  await database.drop()
})

test('lists an account its links, newest first, closed ones too, and nobody else’s', async () => {
  const { accountId } = await auth.createAccount('mama-mboga')
  const { accountId: otherId } = await auth.createAccount('other')
  const greens = { requestId: '1', accountId, handle: 'greens', title: 'Greens', amountMinor: 500n }
  const first = await auth.rpc.createLink(greens)
  const second = await auth.rpc.createLink({ requestId: '2', accountId, handle: 'tips' })
  await auth.rpc.createLink({ requestId: '3', accountId: otherId, handle: 'theirs' })
  const closed = await auth.rpc.closeLink({ accountId, handle: 'greens' })
  expect(closed.link).toMatchObject({ title: first.link?.title })
  expect(await auth.rpc.listLinks({ accountId })).toEqual({ links: [second.link, closed.link] })
})

test('lists nothing for an account without links', async () => {
  const { accountId } = await auth.createAccount('quiet')
  expect(await auth.rpc.listLinks({ accountId })).toEqual({ links: [] })
})

test('refuses an account that is none', async () => {
  await expect(auth.rpc.listLinks({ accountId: 'acc_x' })).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})
