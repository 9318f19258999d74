import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import {
  confirmed,
  fingerprint,
  payments,
  present,
  unique,
  uniquePhone,
  uniqueReceipt,
} from '../../payments.harness'
import { brokenInvariants } from '../../invariants.harness'
import { type RunningLedger, startLedger } from '../../start.harness'
import { type CuttingProxy, openCuttingProxy } from './cutting-proxy.harness'

let database: TestDatabase
let proxy: CuttingProxy
let ledger: RunningLedger

beforeAll(async () => {
  database = await cloneDatabase('ledger')
  proxy = await openCuttingProxy(database.url)
  ledger = await startLedger({ ...database, url: proxy.url })
})
afterAll(async () => {
  await ledger.stop()
  await proxy.stop()
  await database.drop()
})

const away = { reason: 'ledger_unavailable' }

/** Makes a call that PostgreSQL commits without answering the ledger, and then repeats the call, as a caller does. */
async function askTwice<Answer>(word: string, ask: () => Promise<Answer>): Promise<Answer> {
  const before = proxy.cuts()
  proxy.cutAfter(word)
  await expect(ask()).rejects.toMatchObject(away)
  expect(proxy.cuts()).toBe(before + 1)
  return ask()
}

async function count(from: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(`SELECT count(*)::int FROM ${from}`)
  return rows[0]?.count ?? -1
}

test('row 76: a create that was committed and whose answer was lost is one checkout, which its retry returns', async () => {
  const accountId = await payments(ledger).merchant()
  const idempotencyKey = unique('key-')
  const request = { accountId, fingerprint, amountMinor: 50_000n, idempotencyKey }
  const { checkout } = await askTwice(idempotencyKey, () => ledger.createCheckout(request))
  expect(await count(`checkouts WHERE account_id = '${accountId}'`)).toBe(1)
  expect(await count(`checkouts WHERE id = '${present(checkout).checkoutId}'`)).toBe(1)
})

test('row 76: a start that was committed and whose answer was lost is one payment attempt, which its retry returns', async () => {
  const pay = payments(ledger)
  const { checkoutId } = await pay.checkout()
  const key = unique('key-')
  const phone = uniquePhone()
  const { intent } = await askTwice(key, () => pay.start(checkoutId, { key, phone }))
  expect(await count(`intents WHERE checkout_id = '${checkoutId}'`)).toBe(1)
  expect(await count(`intents WHERE id = '${present(intent).intentId}'`)).toBe(1)
})

test('row 76: a callback and its settlement that were committed and whose answers were lost are one message and one posting', async () => {
  const pay = payments(ledger)
  const { checkoutId } = await pay.checkout()
  const attempt = await pay.pending(checkoutId)
  const receipt = uniqueReceipt()
  const body = Buffer.from(receipt)
  const messageId = await askTwice(body.toString('hex'), () =>
    pay.callback(attempt.callbackToken, { body }),
  )
  expect(await count(`provider_messages WHERE intent_id = '${attempt.intentId}'`)).toBe(1)
  const fact = confirmed({ ...attempt, receipt })
  await askTwice(receipt, () => ledger.applyEvidence({ messageId, fact }))
  expect(await count(`transfers WHERE event_key LIKE '%${receipt}'`)).toBe(1)
  expect(await pay.status(attempt.intentId)).toBe('INTENT_STATUS_COMPLETED')
  expect(await brokenInvariants(database)).toEqual({})
})
