import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Calls } from '@malipo/runtime/grpc'
import { type Upstreams, startUpstreams } from '../upstreams.harness'
import { type RunningAuth, startAuth } from '../start.harness'

let database: TestDatabase
let auth: RunningAuth
let upstreams: Upstreams
let amina: Calls<AccountServiceServer>
let brian: Calls<AccountServiceServer>

beforeAll(async () => {
  database = await cloneDatabase('auth')
  upstreams = await startUpstreams()
  const { ledgerAddresses } = upstreams.config
  auth = await startAuth(database, { ...(ledgerAddresses && { ledgerAddresses }) })
  amina = auth.as(await upstreams.enrolled('amina'))
  brian = auth.as(await upstreams.enrolled('brian'))
})

afterAll(async () => {
  await auth.stop()
  await database.drop()
  await upstreams.stop()
})

const outcomeOf = (asked: Promise<{ outcome: string }>) =>
  asked.then(({ outcome }) => outcome.replace('PIN_FORGETTING_OUTCOME_', ''))

test('does not remove a PIN by one operator, however the name is spelled and however often it is requested', async () => {
  const owner = await auth.signedIn('one-operator', { pin: '9274' })
  const agreeing = { username: 'ONE-operator', agreed: true }
  expect(await outcomeOf(brian.decidePinForgetting(agreeing))).toBe('NOT_ASKED')
  await amina.forgetPin({ username: 'one-operator' })
  expect(await outcomeOf(amina.decidePinForgetting(agreeing))).toBe('SAME_OPERATOR')
  expect(await outcomeOf(amina.forgetPin({ username: 'one-operator' }))).toBe('ASKED_BEFORE')
  expect((await owner.get('/session')).body.data.has_pin).toBe(true)
})

test('does not remove a PIN on a request that was withdrawn or is older than a day', async () => {
  const owner = await auth.signedIn('kept-pin', { pin: '9274' })
  const agreeing = { username: 'kept-pin', agreed: true }
  const withdrawing = { ...agreeing, agreed: false }
  await amina.forgetPin({ username: 'kept-pin' })
  await amina.decidePinForgetting(withdrawing)
  expect(await outcomeOf(brian.decidePinForgetting(agreeing))).toBe('NOT_ASKED')
  await amina.forgetPin({ username: 'kept-pin' })
  await database.pool.query("UPDATE pin_forgettings SET asked_at = now() - interval '25 hours'")
  expect(await outcomeOf(brian.decidePinForgetting(agreeing))).toBe('NOT_ASKED')
  expect((await owner.get('/session')).body.data.has_pin).toBe(true)
  await brian.forgetPin({ username: 'kept-pin' })
  await amina.decidePinForgetting(agreeing)
  expect((await owner.get('/session')).body.code).toBe(3005)
})
