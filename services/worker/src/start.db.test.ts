import { eventually } from '@malipo/testing/eventually'
import type { Started } from '@malipo/runtime/process'
import type { Attempt } from './gateway.harness'
import { logged, openSurroundings, type Surroundings } from './start.harness'

/** Runs the worker with a real ledger, a real Redis and an independent implementation of Daraja. */

let around: Surroundings

beforeAll(async () => {
  around = await openSurroundings()
})

beforeEach(async () => {
  await around.control('POST', '/reset', {})
})

afterAll(() => around.stop())

describe('with its queues alone', () => {
  useWorker({ SWEEP_SECONDS: '3600' })

  test("completes an approved prompt, with the receipt of the provider's book", async () => {
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })
})

describe('without Redis, by its sweep alone', () => {
  const worker = useWorker({ REDIS_URL: 'redis://127.0.0.1:1' })

  test("completes an approved prompt, with the receipt of the provider's book", async () => {
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })

  test('is ready without Redis', async () => {
    expect(await readiness(worker())).toBe(200)
  })

  test('exports the count of unlisted provider codes before there is one, so that its alert sees the first', async () => {
    const { ports } = worker()
    const text = await (await fetch(`http://127.0.0.1:${String(ports['admin'])}/metrics`)).text()
    expect(text).toContain('malipo_events_total{name="provider_code_unknown"} 0\n')
  })
})

describe('without a rail', () => {
  useWorker({
    ...{ MPESA_BASE_URL: '', MPESA_CONSUMER_KEY: '', MPESA_CONSUMER_SECRET: '' },
    ...{ MPESA_SHORTCODE: '', MPESA_PASSKEY: '' },
  })

  test('fails a prompt as not started, and sends nothing', async () => {
    const phone = await around.addPhone()
    expect(await endsAs(await around.pay(phone), 'INTENT_STATUS_FAILED')).toMatchObject({
      cause: 'FAILURE_CAUSE_NOT_STARTED',
    })
    expect(await around.control('GET', '/book')).toEqual([])
  })
})

describe('when processes are lost', () => {
  test('learns the result when the ledger was down as the provider answered', async () => {
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

  test('replaces a worker that dies during the call, and sends one prompt', async () => {
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

describe('with faults of upstream services', () => {
  useWorker()

  test.each([
    ['cancel', 'FAILURE_CAUSE_CANCELLED'],
    ['wrong_pin', 'FAILURE_CAUSE_WRONG_PIN'],
    ['no_funds', 'FAILURE_CAUSE_NO_FUNDS'],
  ])('fails %s as %s, and moves no money', async (answer, cause) => {
    const attempt = await around.pay(await around.addPhone(answer))
    expect(await endsAs(attempt, 'INTENT_STATUS_FAILED')).toMatchObject({ cause })
    expect(await moneyOf(attempt)).toEqual([])
  })

  test('row 1: finds the result by query and the receipt by statement after a lost callback', async () => {
    await rule('callback', { kind: 'drop' })
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })

  test('row 2: ends a cancelled prompt by two agreeing queries after a lost callback', async () => {
    await rule('callback', { kind: 'drop' })
    const attempt = await around.pay(await around.addPhone('cancel'))
    expect(await endsAs(attempt, 'INTENT_STATUS_FAILED')).toMatchObject({
      cause: 'FAILURE_CAUSE_CANCELLED',
    })
  })

  test('completes by the callback, which finds the intent by its token, after a lost answer', async () => {
    await rule('push', { kind: 'reset' })
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })

  test('finds the intent in the statement by its reference when answer and callback are lost', async () => {
    await rule('push', { kind: 'reset' })
    await rule('callback', { kind: 'drop' })
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })

  test('row 20: sends one prompt to a busy Daraja, and completes it when the prompt comes all the same', async () => {
    await rule('push', { kind: 'error', error: 'system_busy', performed: true })
    const phone = await around.addPhone('ask')
    const attempt = await around.pay(phone)
    await isUnknown(attempt)
    await around.control('POST', `/phones/${phone}/prompt`, { action: 'approve' })
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
    expect(await pushes()).toBe(1)
  })

  test('row 20: keeps the payer of a busy Daraja waiting, and sends nothing again', async () => {
    await rule('push', { kind: 'error', error: 'system_busy' })
    const attempt = await around.pay(await around.addPhone())
    await isUnknown(attempt)
    await eventually('the statement is searched', async () => (await eventsOf('pull_answered')) > 0)
    expect(await around.attempt(attempt.checkoutId)).toMatchObject({
      status: 'INTENT_STATUS_SUBMITTED',
      cause: 'FAILURE_CAUSE_UNSPECIFIED',
    })
    expect(await pushes()).toBe(1)
  })

  test('completes at once by a callback before the answer, and ignores the late answer', async () => {
    await rule('push', { kind: 'early' })
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })

  test('makes one payment of twenty callbacks', async () => {
    await rule('callback', { kind: 'duplicate', copies: 20 })
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await eventually('all are delivered', async () => (await eventsOf('callback_delivered')) === 20)
    await bookAgrees(attempt)
  })

  test('completes an approved prompt after a single false answer to a status query', async () => {
    await rule('callback', { kind: 'drop' })
    await rule('query', { kind: 'lie', code: '1032' }, { times: 1 })
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })

  test('parks an unreadable callback, and finds the money by query', async () => {
    await rule('callback', { kind: 'malformed' })
    const attempt = await around.pay(await around.addPhone())
    await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    await bookAgrees(attempt)
  })

  test('row 22: sends forty prompts once each to a Daraja that takes ten a second', async () => {
    await rule('push', { kind: 'limit', per_second: 10 })
    const phones = await Promise.all(Array.from({ length: 40 }, () => around.addPhone()))
    const attempts = await Promise.all(phones.map((phone) => around.pay(phone)))
    for (const attempt of attempts) await endsAs(attempt, 'INTENT_STATUS_COMPLETED')
    for (const attempt of attempts) await bookAgrees(attempt)
  })

  test('row 22: fails as busy at once when the quota at Daraja is used up, and sends nothing again', async () => {
    await rule('push', { kind: 'error', error: 'quota' })
    const ended = await endsAs(await around.pay(await around.addPhone()), 'INTENT_STATUS_FAILED')
    expect(ended).toMatchObject({ cause: 'FAILURE_CAUSE_BUSY' })
    expect(await pushes()).toBe(1)
  })
})

test('logs no whole phone number and no callback token', async () => {
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

/** Starts one worker for the tests of a section. */
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

/** Waits until the answer to the push is recorded as one that leaves its result open. */
async function isUnknown({ intentId }: Attempt): Promise<void> {
  await eventually('the answer is recorded', () =>
    logged.find((line) => line.includes(intentId) && line.includes('"outcome":"unknown"')),
  )
}

/** The number of pushes that the simulator has understood and answered, with whatever outcome. */
async function pushes(): Promise<number> {
  const events = (await around.control('GET', '/events?limit=1000')) as {
    kind: string
    facts: { call?: string }
  }[]
  return events.filter(
    ({ kind, facts }) => kind === 'call_answered' && facts.call?.includes('/stkpush/') === true,
  ).length
}

async function promptRings(times: number): Promise<void> {
  await eventually('the phone rings', async () => (await eventsOf('push_accepted')) === times)
}

/** Waits for the status, and returns the intent as the payer page would show it. */
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

/** Checks that the journal has the provider's money once, and that the payer got one prompt. */
async function bookAgrees(attempt: Attempt): Promise<void> {
  const { rows } = await around.database.pool.query<{ attempt_reference: string }>(
    'SELECT attempt_reference FROM intents WHERE id = $1',
    [attempt.intentId],
  )
  const rowsOfBook = await around.control('GET', '/book')
  const book = rowsOfBook as Record<'receipt' | 'account' | 'amount', string>[]
  const booked = book.filter(({ account }) => account === rows[0]?.attempt_reference)
  expect(booked).toHaveLength(1)
  expect(await moneyOf(attempt)).toEqual(
    booked.map(({ receipt, amount }) => ({ receipt, minor: amount })),
  )
}
