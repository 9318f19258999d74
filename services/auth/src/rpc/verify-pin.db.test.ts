import type { Fault } from '@malipo/kernel/errors'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { type RunningAuth, startAuth } from '../start.harness'

let database: TestDatabase
let auth: RunningAuth
let accountId: string
let shops = 0

beforeAll(async () => {
  database = await cloneDatabase('auth')
  auth = await startAuth(database)
})

beforeEach(async () => {
  shops += 1
  ;({ accountId } = await auth.createAccount(`shop-${String(shops)}`, { pin: '2580' }))
})

afterAll(async () => {
  await auth.stop()
  await database.drop()
})

/** How a try ended: `right`, or the reason and facts of its refusal. */
async function enter(pin: string): Promise<unknown> {
  return auth.rpc.verifyPin({ accountId, pin }).then(
    () => 'right',
    (error: unknown) => {
      const { reason, facts } = error as Fault
      return { reason, ...facts }
    },
  )
}

async function enterWrong(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    expect(await enter('0000')).toMatchObject({ reason: 'wrong_pin' })
  }
}

/** Moves the end of the lock, as if the time had passed. */
async function endLock(): Promise<void> {
  const { rowCount } = await database.pool.query(
    `UPDATE credentials SET pin_locked_until = now() WHERE account_id = $1 AND isfinite(pin_locked_until)`,
    [accountId],
  )
  expect(rowCount).toBe(1)
}

async function listActions(): Promise<string[]> {
  const { events } = await auth.rpc.listAuditEvents({ accountId })
  return events.map(({ action }) => action.replace('AUDIT_ACTION_', ''))
}

test('the right PIN passes, as often as it is entered', async () => {
  for (let time = 0; time < 7; time += 1) expect(await enter('2580')).toBe('right')
})

test('a wrong PIN says how many tries are left, and a right one gives all of them back', async () => {
  expect(await enter('2581')).toEqual({ reason: 'wrong_pin', tries_left: 4 })
  expect(await enter('2582')).toEqual({ reason: 'wrong_pin', tries_left: 3 })
  expect(await enter('2580')).toBe('right')
  expect(await enter('2583')).toEqual({ reason: 'wrong_pin', tries_left: 4 })
})

test('the fifth try may still be the right one', async () => {
  await enterWrong(4)
  expect(await enter('2580')).toBe('right')
})

test('after five wrong ones the right PIN is refused too, for 15 minutes', async () => {
  await enterWrong(5)
  const refusal = { reason: 'pin_locked', retry_after_seconds: expect.any(Number) }
  const answer = (await enter('2580')) as { retry_after_seconds: number }
  expect(answer).toEqual(refusal)
  expect(answer.retry_after_seconds).toBeGreaterThan(880)
  expect(answer.retry_after_seconds).toBeLessThanOrEqual(900)
})

test('50 guesses at once are five tries', async () => {
  const guesses = Array.from({ length: 50 }, (_, guess) => enter(String(1_000 + guess)))
  const reasons = (await Promise.all(guesses)).map(
    (answer) => (answer as { reason: string }).reason,
  )
  expect(reasons.filter((reason) => reason === 'wrong_pin')).toHaveLength(5)
  expect(reasons.filter((reason) => reason === 'pin_locked')).toHaveLength(45)
})

test('the locks grow: 15 minutes, an hour, then until support helps', async () => {
  await enterWrong(5)
  await endLock()
  await enterWrong(5)
  const second = (await enter('2580')) as { retry_after_seconds: number }
  expect(second.retry_after_seconds).toBeGreaterThan(3_580)
  expect(second.retry_after_seconds).toBeLessThanOrEqual(3_600)
  await endLock()
  await enterWrong(5)
  expect(await enter('2580')).toEqual({ reason: 'pin_locked' })
})

test('the right PIN after a lock starts from the beginning', async () => {
  await enterWrong(5)
  await endLock()
  expect(await enter('2580')).toBe('right')
  await enterWrong(5)
  const again = (await enter('2580')) as { retry_after_seconds: number }
  expect(again.retry_after_seconds).toBeLessThanOrEqual(900)
})

test('a lock is of one account', async () => {
  await enterWrong(5)
  const other = await auth.createAccount('other', { pin: '2580' })
  expect(await auth.rpc.verifyPin({ accountId: other.accountId, pin: '2580' })).toEqual({})
})

test('an account without a PIN has none to enter', async () => {
  ;({ accountId } = await auth.createAccount('pinless', { pin: undefined }))
  expect(await enter('2580')).toEqual({ reason: 'pin_not_set' })
  expect(await enter('')).toEqual({ reason: 'pin_not_set' })
})

test('refuses an account that is none', async () => {
  accountId = 'acc_x'
  expect(await enter('2580')).toMatchObject({ reason: 'invalid_request' })
})

test('remembers what was refused and locked, and nothing of what passed', async () => {
  await enter('2580')
  await enterWrong(5)
  await enter('2580')
  expect(await listActions()).toEqual([
    'PIN_LOCKED',
    'PIN_REFUSED',
    'PIN_REFUSED',
    'PIN_REFUSED',
    'PIN_REFUSED',
    'ACCOUNT_CREATED',
  ])
})
