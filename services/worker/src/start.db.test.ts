import { eventually } from '@malipo/testing/eventually'
import type { Started } from '@malipo/runtime/process'
import type { Attempt } from './gateway.harness'
import { logged, openSurroundings, type Surroundings } from './start.harness'

/** The worker between a real ledger, a real Redis and a real Daraja of another author. */

let around: Surroundings

beforeAll(async () => {
  around = await openSurroundings()
})

beforeEach(async () => {
  await around.control('POST', '/reset', {})
})

afterAll(() => around.stop())

describe('by its queues alone', () => {
  useWorker({ SWEEP_SECONDS: '3600' })

  test('a prompt that the payer approves is paid, with the receipt of the book', async () => {
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })
})

describe('without Redis, by its sweep alone', () => {
  const worker = useWorker({ REDIS_URL: 'redis://127.0.0.1:1' })

  test('a prompt that the payer approves is paid, with the receipt of the book', async () => {
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })

  test('it is ready all the same', async () => {
    expect(await readiness(worker())).toBe(200)
  })
})

describe('without a rail', () => {
  useWorker({
    MPESA_BASE_URL: '',
    MPESA_CONSUMER_KEY: '',
    MPESA_CONSUMER_SECRET: '',
    MPESA_SHORTCODE: '',
    MPESA_PASSKEY: '',
  })

  test('a prompt fails as not started, and no phone rings', async () => {
    const phone = await around.addPhone()
    expect(await endsAs(await around.pay(phone), 'INTENT_STATUS_FAILED')).toMatchObject({
      cause: 'FAILURE_CAUSE_NOT_STARTED',
    })
    expect(await around.control('GET', '/book')).toEqual([])
  })
})

describe('when processes are lost', () => {
  test('a ledger that is away when the provider answers still learns the outcome', async () => {
    const worker = await around.startWorker()
    await rule('push', { kind: 'delay', ms: 500 })
    const attempt = await around.pay(await around.addPhone('ask'))
    await promptRings(1)
    await around.stopLedger()
    await eventually('the provider answers', () =>
      logged.find((line) => line.includes(attempt.intentId) && line.includes('accepted')),
    )
    expect(await readiness(worker)).toBe(503)
    await around.startLedger()
    await endsAs(attempt, 'INTENT_STATUS_PENDING')
    await worker.stop()
  })

  test('a worker that dies during the call is replaced, and the phone rings once', async () => {
    const first = await around.startWorker()
    await rule('push', { kind: 'drop' })
    const attempt = await around.pay(await around.addPhone('approve', 2_000))
    await promptRings(1)
    await first.stop()
    const second = await around.startWorker()
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
    await second.stop()
  })
})

describe('between its upstreams', () => {
  useWorker()

  test.each([
    ['cancel', 'FAILURE_CAUSE_CANCELLED'],
    ['wrong_pin', 'FAILURE_CAUSE_WRONG_PIN'],
    ['no_funds', 'FAILURE_CAUSE_NO_FUNDS'],
  ])('%s fails as %s, and no money moves', async (answer, cause) => {
    const attempt = await around.pay(await around.addPhone(answer))
    expect(await endsAs(attempt, 'INTENT_STATUS_FAILED')).toMatchObject({ cause })
    expect(await moneyOf(attempt)).toEqual([])
  })

  test('row 1: a lost callback is made up for by the query, and the receipt by the statement', async () => {
    await rule('callback', { kind: 'drop' })
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })

  test('row 2: a lost callback of a cancelled prompt ends it by two queries that agree', async () => {
    await rule('callback', { kind: 'drop' })
    const attempt = await around.pay(await around.addPhone('cancel'))
    expect(await endsAs(attempt, 'INTENT_STATUS_FAILED')).toMatchObject({
      cause: 'FAILURE_CAUSE_CANCELLED',
    })
  })

  test('a lost answer is made up for by the callback, which knows the attempt by its token', async () => {
    await rule('push', { kind: 'reset' })
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })

  test('answer and callback both lost: the statement knows the attempt by its reference', async () => {
    await rule('push', { kind: 'reset' })
    await rule('callback', { kind: 'drop' })
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })

  test('a callback before the answer is paid at once, and the late answer changes nothing', async () => {
    await rule('push', { kind: 'early' })
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })

  test('twenty callbacks for one payment are one payment', async () => {
    await rule('callback', { kind: 'duplicate', copies: 20 })
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await eventually('all are delivered', async () => (await eventsOf('callback_delivered')) === 20)
    await bookAgrees(attempt)
  })

  test('one query that lies fails nothing', async () => {
    await rule('callback', { kind: 'drop' })
    await rule('query', { kind: 'lie', code: '1032' }, { times: 1 })
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })

  test('a callback of garbage is parked, and the query finds the money', async () => {
    await rule('callback', { kind: 'malformed' })
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })

  test('row 22: forty prompts at a Daraja of ten a second all ring once', async () => {
    await rule('push', { kind: 'limit', per_second: 10 })
    const phones = await Promise.all(Array.from({ length: 40 }, () => around.addPhone()))
    const attempts = await Promise.all(phones.map((phone) => around.pay(phone)))
    for (const attempt of attempts) await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    for (const attempt of attempts) await bookAgrees(attempt)
  })
})

test('no line of the log shows a whole phone or what a callback is known by', async () => {
  const { rows } = await around.database.pool.query<{ phone: string; callback_secret: string }>(
    'SELECT phone, callback_secret FROM intents',
  )
  expect(rows.length).toBeGreaterThan(50)
  const printed = logged.join('\n')
  expect(printed).toMatch(/"payer":"\*{3}\d{3}"/)
  const shown = rows.filter(({ phone, callback_secret: secret }) =>
    [phone, phone.slice(3), secret].some((word) => printed.includes(word)),
  )
  expect(shown).toEqual([])
})

/** One worker for the tests of a chapter. */
function useWorker(changes: Readonly<Record<string, string>> = {}): () => Started {
  let worker: Started | undefined
  beforeAll(async () => {
    worker = await around.startWorker(changes)
  })
  afterAll(() => worker?.stop())
  return () => {
    if (worker === undefined) throw new Error('the worker runs in tests only')
    return worker
  }
}

async function readiness(worker: Started): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${String(worker.ports['admin'])}/readyz`)
  return status
}

async function eventsOf(kind: string): Promise<number> {
  const events = (await around.control('GET', '/events?since=0')) as { kind: string }[]
  return events.filter((event) => event.kind === kind).length
}

async function promptRings(times: number): Promise<void> {
  await eventually('the phone rings', async () => (await eventsOf('push_accepted')) === times)
}

/** Waits for the status, and answers the attempt as the payer page would have it. */
async function endsAs({ checkoutId }: Attempt, status: string) {
  return eventually(`${checkoutId} is ${status}`, async () => {
    const attempt = await around.attempt(checkoutId)
    return attempt?.status === status && attempt
  })
}

async function rule(on: string, effect: object, limits: object = {}): Promise<void> {
  await around.control('POST', '/rules', { on, effect, ...limits })
}

async function moneyOf({ checkoutId }: Attempt): Promise<{ receipt: string; minor: string }[]> {
  const { rows } = await around.database.pool.query<{ receipt: string; minor: string }>(
    `SELECT i.receipt, t.minor FROM intents i JOIN transfers t ON t.event_key = 'receipt:mpesa:' || i.receipt
     WHERE i.checkout_id = $1`,
    [checkoutId],
  )
  return rows
}

/** The journal has the money of the provider's book, once, and the payer was asked once. */
async function bookAgrees(attempt: Attempt): Promise<void> {
  const { rows } = await around.database.pool.query<{ attempt_reference: string }>(
    'SELECT attempt_reference FROM intents WHERE id = $1',
    [attempt.intentId],
  )
  const book = (await around.control('GET', '/book')) as {
    receipt: string
    account: string
    amount: string
  }[]
  const booked = book.filter(({ account }) => account === rows[0]?.attempt_reference)
  expect(booked).toHaveLength(1)
  expect(await moneyOf(attempt)).toEqual(
    booked.map(({ receipt, amount }) => ({ receipt, minor: amount })),
  )
}
