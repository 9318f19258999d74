import { authOfFile, type SignedInBrowser } from '../start.harness'

const { auth, database } = authOfFile()
let owner: SignedInBrowser
let shops = 0

beforeEach(async () => {
  shops += 1
  owner = await auth.signedIn(`shop-${String(shops)}`, { pin: '9274' })
})

/** Tries a PIN by setting the same PIN again. Returns `right`, or the code and details of the refusal. */
async function enter(pin: string): Promise<unknown> {
  const { body } = await owner.post('/pin', { pin: '9274', current_pin: pin })
  return body.ok === true ? 'right' : { code: body.code, ...body.details }
}

async function enterWrong(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    expect(await enter('0000')).toMatchObject({ code: 3002 })
  }
}

/** Moves the end of the lock into the past. */
async function endLock(): Promise<void> {
  const { rowCount } = await database.pool.query(
    `UPDATE credentials SET pin_locked_until = now() WHERE account_id = $1 AND isfinite(pin_locked_until)`,
    [owner.accountId],
  )
  expect(rowCount).toBe(1)
}

test('accepts the right PIN any number of times', async () => {
  for (let time = 0; time < 7; time += 1) expect(await enter('9274')).toBe('right')
})

test('returns the tries left after a wrong PIN, and restores all after a right one', async () => {
  expect(await enter('2581')).toEqual({ code: 3002, tries_left: 4 })
  expect(await enter('2582')).toEqual({ code: 3002, tries_left: 3 })
  expect(await enter('9274')).toBe('right')
  expect(await enter('2583')).toEqual({ code: 3002, tries_left: 4 })
})

test('accepts the right PIN at the fifth try', async () => {
  await enterWrong(4)
  expect(await enter('9274')).toBe('right')
})

test('refuses even the right PIN for 15 minutes after five wrong ones', async () => {
  await enterWrong(5)
  const refusal = { code: 3003, retry_after_seconds: expect.any(Number) }
  const answer = (await enter('9274')) as { retry_after_seconds: number }
  expect(answer).toEqual(refusal)
  expect(answer.retry_after_seconds).toBeGreaterThan(880)
  expect(answer.retry_after_seconds).toBeLessThanOrEqual(900)
})

test('row 93: counts 50 parallel guesses as five tries', async () => {
  const guesses = Array.from({ length: 50 }, (_, guess) => enter(String(1_000 + guess)))
  const codes = (await Promise.all(guesses)).map((answer) => (answer as { code: number }).code)
  expect(codes.filter((code) => code === 3002)).toHaveLength(5)
  expect(codes.filter((code) => code === 3003)).toHaveLength(45)
})

test('locks for 15 minutes, then for an hour, then until support helps', async () => {
  await enterWrong(5)
  await endLock()
  await enterWrong(5)
  const second = (await enter('9274')) as { retry_after_seconds: number }
  expect(second.retry_after_seconds).toBeGreaterThan(3_580)
  expect(second.retry_after_seconds).toBeLessThanOrEqual(3_600)
  await endLock()
  await enterWrong(5)
  expect(await enter('9274')).toEqual({ code: 3003 })
})

test('resets the length of the locks when the right PIN is entered after a lock', async () => {
  await enterWrong(5)
  await endLock()
  expect(await enter('9274')).toBe('right')
  await enterWrong(5)
  const again = (await enter('9274')) as { retry_after_seconds: number }
  expect(again.retry_after_seconds).toBeLessThanOrEqual(900)
})

test('locks one account only', async () => {
  await enterWrong(5)
  owner = await auth.signedIn('other', { pin: '9274' })
  expect(await enter('9274')).toBe('right')
})

test('refuses any PIN of an account that has none set', async () => {
  owner = await auth.signedIn('pinless', { pin: undefined })
  expect((await owner.post('/keys', { pin: '9274' })).body.code).toBe(3007)
})

test('writes refusals and locks to the audit log', async () => {
  await enterWrong(5)
  await enter('9274')
  expect(await owner.actions()).toEqual([
    'pin_locked',
    ...Array<string>(4).fill('pin_refused'),
    'signed_in',
    'account_created',
  ])
})
