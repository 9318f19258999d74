import type { Started } from '@malipo/runtime/process'
import { eventually } from '@malipo/testing/eventually'
import type { Attempt } from '../gateway.harness'
import { openSurroundings, type Surroundings } from '../start.harness'

let around: Surroundings
let worker: Started

beforeAll(async () => {
  around = await openSurroundings()
  worker = await around.startWorker()
})

beforeEach(async () => {
  await around.control('POST', '/reset', {})
})

afterAll(async () => {
  await worker.stop()
  await around.stop()
})

test('a prompt waits while another is open on its phone, and is sent when that one has ended', async () => {
  const phone = await around.addPhone('ask')
  const first = await around.pay(phone)
  await endsAs(first, 'INTENT_STATUS_PENDING')
  const second = await around.pay(phone)
  await eventually('the second prompt is queued', async () => {
    const attempt = await around.attempt(second.checkoutId)
    return attempt?.queued === true ? attempt : undefined
  })
  await around.control('POST', `/phones/${phone}/prompt`, { action: 'cancel' })
  await endsAs(first, 'INTENT_STATUS_FAILED')
  await endsAs(second, 'INTENT_STATUS_PENDING')
  await promptRings(2)
})

test('an intent is announced when its prompt is taken, when it is sent, and when the payer has answered', async () => {
  const phone = await around.addPhone('ask')
  const first = await around.pay(phone)
  await endsAs(first, 'INTENT_STATUS_PENDING')
  const second = await around.pay(phone)
  await eventually('the second prompt is queued', async () => {
    const attempt = await around.attempt(second.checkoutId)
    return attempt?.queued === true ? attempt : undefined
  })
  const [ofFirst, ofSecond] = [first, second].map(({ intentId }) => around.announced(intentId))
  await around.control('POST', `/phones/${phone}/prompt`, { action: 'cancel' })
  await endsAs(first, 'INTENT_STATUS_FAILED')
  await endsAs(second, 'INTENT_STATUS_PENDING')
  await eventually('the answer is announced', () => ofFirst?.())
  await eventually('the second prompt is announced', () => (ofSecond?.() ?? 0) >= 2)
})

test('two workers send three prompts to one phone in their order of creation, each once', async () => {
  const other = await around.startWorker()
  const phone = await around.addPhone('cancel', 300)
  const attempts = await Promise.all([1, 2, 3].map(() => around.pay(phone)))
  for (const attempt of attempts) {
    expect(await endsAs(attempt, 'INTENT_STATUS_FAILED')).toMatchObject({
      cause: 'FAILURE_CAUSE_CANCELLED',
    })
  }
  await promptRings(3)
  const inOrderOf = async (column: string) =>
    around.database.pool.query<{ id: string }>(
      `SELECT id FROM intents WHERE phone = $1 ORDER BY ${column}`,
      [phone],
    )
  expect((await inOrderOf('submitted_at')).rows).toEqual((await inOrderOf('created_at, id')).rows)
  await other.stop()
})

test('a prompt that waits in line when its worker stops is not sent, and the payer may try again at once', async () => {
  await worker.stop()
  const leaving = await around.startWorker()
  const throttled = { kind: 'error', error: 'spike_arrest' }
  await around.control('POST', '/rules', { on: 'push', effect: throttled })
  const attempt = await around.pay(await around.addPhone('ask'))
  await eventually('Daraja turns the prompt away', async () => {
    const { ports } = leaving
    const url = `http://127.0.0.1:${String(ports['admin'])}/metrics`
    const text = await (await fetch(url)).text()
    return !text.includes('malipo_events_total{name="provider_throttled"} 0\n')
  })
  await leaving.stop()
  expect(await around.attempt(attempt.checkoutId)).toMatchObject({
    ...{ status: 'INTENT_STATUS_FAILED', cause: 'FAILURE_CAUSE_NOT_STARTED' },
  })
  await promptRings(0)
  worker = await around.startWorker()
})

test("a prompt shows the shop's name, and the intent's reference as its account", async () => {
  const { accountId } = await around.accounts.add()
  const phone = await around.addPhone('ask')
  const named = await around.pay(phone, accountId)
  await endsAs(named, 'INTENT_STATUS_PENDING')
  expect(await pushOf(named)).toMatchObject({
    TransactionDesc: 'Mama Mboga',
    AccountReference: await referenceOf(named),
  })
})

test("while auth is down a prompt shows the shop's name that was looked up earlier, and without one Malipo's", async () => {
  const { accountId } = await around.accounts.add()
  const before = await around.pay(await around.addPhone('ask'), accountId)
  await endsAs(before, 'INTENT_STATUS_PENDING')
  await around.accounts.leave()
  const known = await around.pay(await around.addPhone('ask'), accountId)
  const unknown = await around.pay(await around.addPhone('ask'))
  await endsAs(known, 'INTENT_STATUS_PENDING')
  await endsAs(unknown, 'INTENT_STATUS_PENDING')
  await around.accounts.comeBack()
  expect(await pushOf(known)).toMatchObject({ TransactionDesc: 'Mama Mboga' })
  expect(await pushOf(unknown)).toMatchObject({ TransactionDesc: 'Malipo' })
})

/** The request that Daraja received for a prompt. */
async function pushOf(attempt: Attempt): Promise<unknown> {
  const reference = await referenceOf(attempt)
  const events = (await around.control('GET', '/events?limit=1000')) as { id: number }[]
  for (const { id } of events) {
    const { exchange } = (await around.control('GET', `/events/${String(id)}`)) as Detail
    const body = exchange?.target.includes('/stkpush/') === true ? exchange.body : undefined
    if (body?.includes(reference) === true) return JSON.parse(body)
  }
  return undefined
}

interface Detail {
  readonly exchange?: { readonly target: string; readonly body: string | null }
}

async function referenceOf({ intentId }: Attempt): Promise<string> {
  const { rows } = await around.database.pool.query<{ attempt_reference: string }>(
    'SELECT attempt_reference FROM intents WHERE id = $1',
    [intentId],
  )
  return rows[0]?.attempt_reference ?? 'none'
}

async function promptRings(times: number): Promise<void> {
  await eventually('the phone rings', async () => {
    const events = (await around.control('GET', '/events?limit=1000')) as { kind: string }[]
    return events.filter(({ kind }) => kind === 'push_accepted').length === times
  })
}

/** Waits for the status, and returns the intent as the payer page would show it. */
async function endsAs({ checkoutId }: Attempt, status: string) {
  return eventually(`${checkoutId} is ${status}`, async () => {
    const attempt = await around.attempt(checkoutId)
    return attempt?.status === status && attempt
  })
}
