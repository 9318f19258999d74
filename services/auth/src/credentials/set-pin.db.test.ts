import { eventually } from '@malipo/testing/eventually'
import { authOfFile, countWaiting, type SignedInBrowser } from '../start.harness'

const { auth, database } = authOfFile()
let owner: SignedInBrowser
let shops = 0

beforeEach(async () => {
  shops += 1
  owner = await auth.signedIn(`shop-${String(shops)}`, { pin: undefined })
})

test('requires the password for a first PIN, and counts wrong ones', async () => {
  await database.pool.query(
    "UPDATE accounts SET created_at = now() - interval '11 minutes' WHERE account_id = $1",
    [owner.accountId],
  )
  expect(await setPin('9274')).toMatchObject({
    code: 1701,
    errors: [{ path: 'current_password', message: 'is required to set the first PIN' }],
  })
  const set = async (password: string) =>
    (await owner.post('/pin', { pin: '9274', current_password: password })).body.code
  for (let time = 0; time < 10; time += 1) expect(await set('not the password')).toBe(3001)
  expect(await set('correct horse battery')).toBe(1804)
  expect((await owner.get('/session')).body.data.has_pin).toBe(false)
  await database.pool.query('DELETE FROM sign_in_tries')
  expect(await set('correct horse battery')).toBeUndefined()
  expect(await isPin('9274')).toBe(true)
})

async function setPin(pin: string, currentPin?: string) {
  const { status, body } = await owner.post('/pin', { pin, current_pin: currentPin })
  return { status, ...body }
}

/**
 * Whether this is the PIN. The key service is down here, so a request that fails with 2782 has passed the PIN check.
 */
async function isPin(pin: string): Promise<boolean> {
  return (await owner.post('/keys', { pin })).body.code === 2782
}

test('sets the PIN of an account that has none', async () => {
  await setPin('9274')
  expect(await isPin('9274')).toBe(true)
})

test('changes the PIN with the current one', async () => {
  await setPin('9274')
  await setPin('13589', '9274')
  expect([await isPin('9274'), await isPin('13589')]).toEqual([false, true])
})

test('refuses a change with a wrong PIN, and counts the try', async () => {
  await setPin('9274')
  expect(await setPin('13589')).toMatchObject({ code: 1701, errors: [{ path: 'current_pin' }] })
  expect(await setPin('13589', '0000')).toMatchObject({ code: 3002, details: { tries_left: 4 } })
  for (let time = 0; time < 4; time += 1) await setPin('13589', '0000')
  expect(await setPin('13589', '9274')).toMatchObject({ code: 3003 })
})

test('refuses the second of two parallel first PINs', async () => {
  // Both requests have found no PIN before they wait for the row's lock.
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM credentials WHERE account_id = $1 FOR UPDATE', [
    owner.accountId,
  ])
  const both = [setPin('8163'), setPin('7294')]
  await eventually('both wait', async () => (await countWaiting(database)) === 2)
  await holder.query('COMMIT')
  holder.release()
  const set = await Promise.all(both)
  expect(set.map(({ status }) => status).sort()).toEqual([200, 400])
})

test.each(['', '123', '123456789', 'abcd', '12 34', '１２３４'])(
  'refuses %p as a PIN',
  async (pin) => {
    expect(await setPin(pin)).toMatchObject({ code: 1701 })
  },
)

test('writes to the audit log that the PIN was set, and that it was changed', async () => {
  await setPin('9274')
  await setPin('13589', '9274')
  expect(await owner.actions()).toEqual(['pin_changed', 'pin_set', 'signed_in', 'account_created'])
})

test('refuses a PIN that is one of the 100 most common, with an error at the field', async () => {
  const { body } = await owner.post('/pin', { pin: '2580' })
  expect([body.code, body.errors]).toEqual([
    1701,
    [{ path: 'pin', message: 'is one of the 100 most common PINs; choose another' }],
  ])
})
