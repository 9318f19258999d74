import { StartOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { openLedger, type TestLedger } from '../ledger.harness'
import { fingerprint, present, unique, uniquePhone } from '../payments.harness'
import { letPass } from '../time.harness'

let at: TestLedger
let pay: TestLedger['pay']

beforeEach(async () => {
  at = await openLedger({ promptWaitMaxSeconds: 10 })
  pay = at.pay
})

afterEach(() => at.close())

const start = async () => pay.start((await pay.checkout()).checkoutId)
const byCard = async () => {
  const { checkoutId } = await pay.checkout({ accountId: await pay.merchant(true) })
  return at.ledger.startCardIntent({ checkoutId, idempotencyKey: unique('key-'), fingerprint })
}

async function wait(count: number): Promise<string[]> {
  const started = await Promise.all(Array.from({ length: count }, start))
  await letPass(at.database, 15)
  return started.map(({ intent }) => present(intent).intentId)
}

const refusal = {
  reason: 'ledger_unavailable',
  facts: { busy: true, retry_after_seconds: expect.any(Number) as number },
}

/** Pays until a payment is refused as busy, which takes a moment as the ledger looks at its queue twice a second. */
async function untilBusy(attempt: () => Promise<unknown> = start): Promise<void> {
  await eventually('a payment is refused', async () => {
    const [answer] = await Promise.allSettled([attempt()])
    if (answer.status === 'rejected') expect(answer.reason).toMatchObject(refusal)
    return answer.status === 'rejected'
  })
}

async function count(table: 'intents' | 'idempotency_keys'): Promise<number> {
  const { rows } = await at.database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table}`,
  )
  return rows[0]?.count ?? 0
}

test('row 99: refuses a payment whose prompt would wait too long, and writes nothing of it', async () => {
  await wait(3)
  await untilBusy()
  const before = [await count('intents'), await count('idempotency_keys')]
  const { checkoutId } = await pay.checkout()
  await expect(pay.start(checkoutId, { key: 'one' })).rejects.toMatchObject(refusal)
  await expect(pay.startHandle(await pay.merchant())).rejects.toMatchObject(refusal)
  expect([await count('intents'), await count('idempotency_keys')]).toEqual(before)
})

test('takes payments again with the same key when the prompts have been sent', async () => {
  const waiting = await wait(3)
  await untilBusy()
  const { checkoutId } = await pay.checkout()
  const request = { key: unique('key-'), phone: uniquePhone() }
  await expect(pay.start(checkoutId, request)).rejects.toMatchObject(refusal)
  await Promise.all(waiting.map((intentId) => at.ledger.beginSubmit({ intentId })))
  const { outcome } = await eventually('it is taken', () =>
    pay.start(checkoutId, request).catch(() => undefined),
  )
  expect(outcome).toBe(StartOutcome.STARTED)
})

test('answers a repeated key and a checkout in progress as usual while the rail is busy', async () => {
  const { checkoutId } = await pay.checkout()
  const key = unique('key-')
  const { intent } = await pay.start(checkoutId, { key })
  await wait(3)
  await untilBusy()
  expect(await pay.start(checkoutId, { key })).toEqual({ intent, outcome: StartOutcome.REPLAYED })
  expect(await pay.start(checkoutId)).toEqual({ intent, outcome: StartOutcome.IN_PROGRESS })
})

test('refuses payments only over the rail whose prompts wait, and not for two prompts or for prompts that wait for something else', async () => {
  // The payers of these three were prompted, and the status queries are nearly due.
  for (let paid = 0; paid < 3; paid += 1) await pay.pending((await pay.checkout()).checkoutId)
  await letPass(at.database, 60)
  const phone = uniquePhone()
  const on = async () => pay.start((await pay.checkout()).checkoutId, { phone })
  await pay.prompted((await on()).intent)
  // This attempt waits for the earlier prompt on the phone.
  await at.ledger.beginSubmit({ intentId: present((await on()).intent).intentId })
  await Promise.all([byCard(), byCard(), byCard()])
  await wait(2)
  await untilBusy(byCard)
  expect((await start()).outcome).toBe(StartOutcome.STARTED)
  await wait(1)
  await untilBusy()
})
