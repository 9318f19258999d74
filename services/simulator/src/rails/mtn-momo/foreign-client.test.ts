import { create, PayerType } from 'mtn-momo'
import { eventually } from '@malipo/testing/eventually'
import {
  mtnMomo,
  openReceiver,
  startSimulator,
  type Receiver,
  type RunningSimulator,
} from '../../start.harness'
import { fatuma } from './mtn-momo.harness'

// A client of another project (sparkplug/momoapi-node), as its README uses it: only the base URL is ours.

let sim: RunningSimulator
let receiver: Receiver
beforeEach(async () => {
  sim = await startSimulator()
  receiver = await openReceiver()
})
afterEach(async () => {
  await sim.stop()
  await receiver.stop()
})

const payment = (msisdn: string, changes: object = {}) => ({
  amount: '50',
  currency: 'EUR',
  externalId: 'A1B2C3D4E5F6',
  payer: { partyIdType: PayerType.MSISDN, partyId: msisdn },
  payerMessage: 'Payment',
  payeeNote: 'Payment',
  ...changes,
})

/** Provisions a user of the sandbox with the client's own calls. */
async function collections() {
  const momo = create({ callbackHost: '127.0.0.1', baseUrl: sim.url })
  const primaryKey = mtnMomo.subscriptionKey
  const users = momo.Users({ primaryKey })
  const userId = await users.create('127.0.0.1')
  const { apiKey: userSecret } = await users.login(userId)
  return momo.Collections({ primaryKey, userId, userSecret })
}

test('provisions a user, asks for a payment and reads that it was made', async () => {
  const momo = await collections()
  const reference = await momo.requestToPay(payment('46733123454'))
  await sim.jump(28_000)
  const paid = await momo.getTransaction(reference)
  const [row] = (await sim.control('GET', '/book')).body
  expect(paid).toMatchObject({
    status: 'SUCCESSFUL',
    financialTransactionId: row.receipt,
    amount: '50',
    currency: 'EUR',
  })
})

test('is called back, and finds the payer of a registered phone', async () => {
  const momo = await collections()
  const reference = await momo.requestToPay(payment(fatuma, { callbackUrl: receiver.url }))
  await sim.jump(500)
  expect((await momo.getTransaction(reference)).status).toBe('PENDING')
  await sim.control('POST', `/phones/${fatuma}/prompt`, { action: 'approve' })
  const body = JSON.parse(await eventually('a callback', () => receiver.received[0]))
  const { financialTransactionId } = await momo.getTransaction(reference)
  expect(body.financialTransactionId).toBe(financialTransactionId)
})

test('throws its own errors for ours: where the reason is a word, as it expects', async () => {
  const momo = await collections()
  const names = new Set<unknown>()
  for (let count = 0; count < 8; count += 1) {
    const reference = await momo.requestToPay(payment('46733123451'))
    await sim.jump(1_000)
    await momo.getTransaction(reference).catch((error: unknown) => {
      names.add(error instanceof Error && error.name)
    })
  }
  expect(names).toContain('ApprovalRejectedError')
})

test('knows our refusals by their codes', async () => {
  const momo = await collections()
  const refused = momo.requestToPay(payment('46733123454', { currency: 'UGX' }))
  await expect(refused).rejects.toMatchObject({ name: 'InvalidCurrencyError' })
  const elsewhere = payment('46733123454', { callbackUrl: 'http://evil.test/callback' })
  await expect(momo.requestToPay(elsewhere)).rejects.toMatchObject({
    name: 'InvalidCallbackUrlHostError',
  })
})

test('works for a partner of Uganda, with a user that was made by hand', async () => {
  // Its types know two environments of its own; who lives in Uganda reads MTN's word from the environment.
  const config = { callbackHost: '127.0.0.1', baseUrl: sim.url, environment: 'mtnuganda' }
  const momo = create(JSON.parse(JSON.stringify(config))).Collections({
    primaryKey: mtnMomo.subscriptionKey,
    userId: mtnMomo.apiUser,
    userSecret: mtnMomo.apiKey,
  })
  const reference = await momo.requestToPay(payment(fatuma, { currency: 'UGX', amount: '5000' }))
  await sim.jump(500)
  await sim.control('POST', `/phones/${fatuma}/prompt`, { action: 'approve' })
  expect(await momo.getTransaction(reference)).toMatchObject({
    status: 'SUCCESSFUL',
    amount: '5000',
  })
})
