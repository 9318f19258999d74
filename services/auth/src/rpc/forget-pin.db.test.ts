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

test('takes a locked PIN away, ends every session, and says in the audit log who did it', async () => {
  const owner = await auth.signedIn('mama-mboga', { pin: '2580' })
  for (let time = 0; time < 5; time += 1) await owner.post('/keys', { pin: '0000' })
  await database.pool.query("UPDATE credentials SET pin_locks = 3, pin_locked_until = 'infinity'")
  expect((await owner.post('/keys', { pin: '2580' })).body.code).toBe(3003)

  await auth.rpc.forgetPin({ username: 'Mama-Mboga', operator: 'amina' })
  expect((await owner.get('/session')).body.code).toBe(3005)
  await owner.signIn('mama-mboga')
  expect((await owner.get('/session')).body.data.has_pin).toBe(false)
  expect((await owner.post('/pin', { pin: '1357' })).status).toBe(200)
  // With the right PIN it gets as far as the key service, which is away here.
  expect((await owner.post('/keys', { pin: '1357' })).body.code).toBe(2782)
  const { events } = (await owner.get('/audit-events')).body.data
  expect(events).toContainEqual(
    expect.objectContaining({ action: 'pin_forgotten', subject: 'amina' }),
  )
})

test.each([
  ['a name that nobody has', { username: 'nobody', operator: 'amina' }, 'handle_not_found'],
  ['a link', { username: 'a-link', operator: 'amina' }, 'handle_not_found'],
  ['an order of nobody', { username: 'with-link', operator: '' }, 'invalid_request'],
])('refuses %s', async (_, order, reason) => {
  const { accountId } = await auth.createAccount('with-link')
  await auth.rpc.createLink({ requestId: '1', accountId, handle: 'a-link' })
  await expect(auth.rpc.forgetPin(order)).rejects.toMatchObject({ reason })
})
