import { generateKeyPairSync } from 'node:crypto'
import { openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { startTwoOperators, type TwoOperators } from './two-operators.harness'

let started: TwoOperators
let { database, auth, amina, brian } = {} as TwoOperators

beforeAll(async () => {
  started = await startTwoOperators()
  ;({ database, auth, amina, brian } = started)
})
afterAll(() => started.stop())

test('removes a locked PIN by two operators, ends every session, and names both in the audit log', async () => {
  const owner = await auth.signedIn('mama-mboga', { pin: '9274' })
  for (let time = 0; time < 5; time += 1) await owner.post('/keys', { pin: '0000' })
  await database.pool.query("UPDATE credentials SET pin_locks = 3, pin_locked_until = 'infinity'")
  expect((await owner.post('/keys', { pin: '9274' })).body.code).toBe(3003)

  await amina.forgetPin({ username: 'Mama-Mboga' })
  expect((await owner.get('/session')).body.data.has_pin).toBe(true)
  await brian.decidePinForgetting({ username: 'mama-mboga', agreed: true })
  expect((await owner.get('/session')).body.code).toBe(3005)
  await owner.signIn('mama-mboga')
  expect((await owner.get('/session')).body.data.has_pin).toBe(false)
  expect((await owner.post('/pin', { pin: '8163' })).status).toBe(200)
  // With the right PIN the request reaches the key service, which is down here.
  expect((await owner.post('/keys', { pin: '8163' })).body.code).toBe(2782)
  const { events } = (await owner.get('/audit-events')).body.data
  expect(events).toContainEqual(
    expect.objectContaining({ action: 'pin_forgotten', subject: 'amina, brian' }),
  )
})

test.each([
  ['an unknown name', 'unclaimed'],
  ['a link', 'a-link'],
])('returns handle_not_found for %s', async (_, username) => {
  await auth.createAccount('with-link')
  await auth.createLink('with-link', { handle: 'a-link' })
  await expect(amina.forgetPin({ username })).rejects.toMatchObject({ reason: 'handle_not_found' })
})

test('does not remove a PIN without the signature of an enrolled operator', async () => {
  const owner = await auth.signedIn('keeps-pin', { pin: '9274' })
  const unknown = openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)
  // Uganda's ledger, which verifies operators of its country, is down.
  await auth.createAccount('ugandan', { homeCountry: 'ug' })
  for (const [calls, username, refusal] of [
    [auth.rpc, 'keeps-pin', { facts: { grpcStatus: 16 } }],
    [auth.as(unknown), 'keeps-pin', { facts: { grpcStatus: 16 } }],
    [amina, 'ugandan', { reason: 'ledger_unavailable' }],
  ] as const) {
    await expect(calls.forgetPin({ username })).rejects.toMatchObject(refusal)
  }
  expect((await owner.get('/session')).body.data.has_pin).toBe(true)
})
