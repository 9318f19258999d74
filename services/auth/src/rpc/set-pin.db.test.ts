import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { countWaiting, type RunningAuth, startAuth } from '../start.harness'

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
  ;({ accountId } = await auth.createAccount(`shop-${String(shops)}`, { pin: undefined }))
})

afterAll(async () => {
  await auth.stop()
  await database.drop()
})

function setPin(pin: string, currentPin?: string) {
  return auth.rpc.setPin({ accountId, pin, currentPin })
}

async function isPin(pin: string): Promise<boolean> {
  return auth.rpc.verifyPin({ accountId, pin }).then(
    () => true,
    () => false,
  )
}

test('sets the PIN of an account that has none', async () => {
  await setPin('2580')
  expect(await isPin('2580')).toBe(true)
})

test('changes the PIN for whoever knows it', async () => {
  await setPin('2580')
  await setPin('13579', '2580')
  expect([await isPin('2580'), await isPin('13579')]).toEqual([false, true])
})

test('refuses to change it for whoever does not, and counts the try', async () => {
  await setPin('2580')
  await expect(setPin('13579')).rejects.toMatchObject({ reason: 'invalid_request' })
  await expect(setPin('13579', '0000')).rejects.toMatchObject({
    reason: 'wrong_pin',
    facts: { tries_left: 4 },
  })
  for (let time = 0; time < 4; time += 1) await setPin('13579', '0000').catch(() => undefined)
  await expect(setPin('13579', '2580')).rejects.toMatchObject({ reason: 'pin_locked' })
})

test('of two who set the first PIN at once one is told that he came second', async () => {
  // Both have found no PIN when they come to wait for the row that keeps it.
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM credentials WHERE account_id = $1 FOR UPDATE', [accountId])
  const both = [setPin('1111'), setPin('2222')]
  await eventually('both wait', async () => (await countWaiting(database)) === 2)
  await holder.query('COMMIT')
  holder.release()
  const set = await Promise.allSettled(both)
  const [refused] = set.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  expect(set.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(refused).toMatchObject({ reason: 'invalid_request' })
})

test.each(['', '123', '123456789', 'abcd', '12 34', '１２３４'])(
  'refuses %p as a PIN',
  async (pin) => {
    await expect(setPin(pin)).rejects.toMatchObject({ reason: 'invalid_request' })
  },
)

test('refuses an account that is none', async () => {
  accountId = 'acc_x'
  await expect(setPin('2580')).rejects.toMatchObject({ reason: 'invalid_request' })
})

test('remembers that it was set and changed', async () => {
  await setPin('2580')
  await setPin('13579', '2580')
  const { events } = await auth.rpc.listAuditEvents({ accountId })
  expect(events.map(({ action }) => action)).toEqual([
    'AUDIT_ACTION_PIN_CHANGED',
    'AUDIT_ACTION_PIN_SET',
    'AUDIT_ACTION_ACCOUNT_CREATED',
  ])
})
