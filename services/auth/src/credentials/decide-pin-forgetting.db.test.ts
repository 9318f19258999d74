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

test('removes a PIN by two operators whose names are as long as names may be', async () => {
  const { signIn, get } = await auth.signedIn('long-names', { pin: '9274' })
  const names = ['a', 'b'].map((letter) => letter.repeat(32))
  const [asker, approver] = await Promise.all(names.map((name) => enrolled(name)))
  await asker?.calls.forgetPin({ username: 'long-names' })
  const agreed = approver?.calls.decidePinForgetting({ username: 'long-names', agreed: true })
  expect(await agreed).toMatchObject({ outcome: 'PIN_FORGETTING_OUTCOME_FORGOTTEN' })
  await signIn('long-names')
  const { events } = (await get('/audit-events')).body.data
  expect(events).toContainEqual(
    expect.objectContaining({ action: 'pin_forgotten', subject: names.join(', ') }),
  )
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

test('does not remove a PIN on the request of an operator who has since been retired, and another operator may request it again', async () => {
  const owner = await auth.signedIn('asker-left', { pin: '9274' })
  const agreeing = { username: 'asker-left', agreed: true }
  const asker = await enrolled('carol')
  await asker.calls.forgetPin({ username: 'asker-left' })
  await asker.retire()
  expect(await outcomeOf(brian.decidePinForgetting(agreeing))).toBe('NOT_ASKED')
  expect((await owner.get('/session')).body.data.has_pin).toBe(true)

  const next = await enrolled('dalia')
  await next.calls.forgetPin({ username: 'asker-left' })
  await next.retire()
  expect(await outcomeOf(amina.forgetPin({ username: 'asker-left' }))).toBe('ASKED')
  expect(await outcomeOf(brian.decidePinForgetting(agreeing))).toBe('FORGOTTEN')
})

test('does not remove a PIN by one person with two keys, the first of which was retired', async () => {
  const owner = await auth.signedIn('one-person', { pin: '9274' })
  const first = await enrolled('esther', 'person-1')
  await first.calls.forgetPin({ username: 'one-person' })
  await first.retire()
  const second = await enrolled('esther-2', 'person-1')
  const agreeing = { username: 'one-person', agreed: true }
  expect(await outcomeOf(second.calls.decidePinForgetting(agreeing))).toBe('NOT_ASKED')
  expect((await owner.get('/session')).body.data.has_pin).toBe(true)
})

/**
 * Runs `act` while a transaction gives the request to another operator. That transaction commits once `act` waits for
 * it.
 */
async function whileAnotherAsks<Answer>(accountId: string, act: () => Promise<Answer>) {
  const other = await database.pool.connect()
  await other.query('BEGIN')
  await other.query("UPDATE pin_forgettings SET operator_id = 'op_another' WHERE account_id = $1", [
    accountId,
  ])
  const answer = act()
  await eventually('it waits for the other', async () => (await countWaiting(database)) === 1)
  await other.query('COMMIT')
  other.release()
  return answer
}

test('does not remove a PIN when, after the ledger checked the asker, the request of another operator takes its place', async () => {
  const owner = await auth.signedIn('asked-again', { pin: '9274' })
  const agreeing = { username: 'asked-again', agreed: true }
  await amina.forgetPin({ username: 'asked-again' })
  const agreed = await whileAnotherAsks(owner.accountId, () =>
    outcomeOf(brian.decidePinForgetting(agreeing)),
  )
  expect(agreed).toBe('NOT_ASKED')
  expect((await owner.get('/session')).body.data.has_pin).toBe(true)
})

test("keeps a new request that replaces a retired operator's request while that one is being removed", async () => {
  const { accountId } = await auth.createAccount('replaced')
  const asker = await enrolled('faith')
  await asker.calls.forgetPin({ username: 'replaced' })
  await asker.retire()
  const second = await whileAnotherAsks(accountId, () =>
    outcomeOf(amina.forgetPin({ username: 'replaced' })),
  )
  expect(second).toBe('ASKED_BEFORE')
})
