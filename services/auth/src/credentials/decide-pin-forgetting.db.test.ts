import { startTwoOperators, type TwoOperators } from './two-operators.harness'

let started: TwoOperators
let { database, auth, amina, brian } = {} as TwoOperators

beforeAll(async () => {
  started = await startTwoOperators()
  ;({ database, auth, amina, brian } = started)
})
afterAll(() => started.stop())

const outcomeOf = (request: Promise<{ outcome: string }>) =>
  request.then(({ outcome }) => outcome.replace('PIN_FORGETTING_OUTCOME_', ''))

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
