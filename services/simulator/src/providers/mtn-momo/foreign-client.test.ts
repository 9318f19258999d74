import { ofTest } from '@malipo/testing/lazily'
import { create, PayerType } from 'mtn-momo'
import { eventually } from '@malipo/testing/eventually'
import { mtnMomo, openReceiver, startSimulator } from '../../start.harness'
import { fatuma } from './mtn-momo.harness'

// A client of another project (sparkplug/momoapi-node), as its README uses it: only the base URL is ours.

const sim = ofTest(() => startSimulator())
const receiver = ofTest(() => openReceiver())

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
  const { momo, user } = await provisioned()
  return momo.Collections(user)
}

async function disbursements() {
  const { momo, user } = await provisioned()
  return momo.Disbursements(user)
}

async function provisioned() {
  const momo = create({ callbackHost: '127.0.0.1', baseUrl: sim.url })
  const primaryKey = mtnMomo.subscriptionKey
  const users = momo.Users({ primaryKey })
  const userId = await users.create('127.0.0.1')
  const { apiKey: userSecret } = await users.login(userId)
  return { momo, user: { primaryKey, userId, userSecret } }
}

const payout = (msisdn: string, changes: object = {}) => ({
  amount: '50',
  currency: 'EUR',
  externalId: 'A1B2C3D4E5F6',
  payee: { partyIdType: PayerType.MSISDN, partyId: msisdn },
  ...changes,
})

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

test('receives a callback, and finds the payer of a registered phone', async () => {
  const momo = await collections()
  const reference = await momo.requestToPay(payment(fatuma, { callbackUrl: receiver.url }))
  await sim.jump(500)
  expect((await momo.getTransaction(reference)).status).toBe('PENDING')
  await sim.control('POST', `/phones/${fatuma}/prompt`, { action: 'approve' })
  const body = JSON.parse(await eventually('a callback', () => receiver.received[0]))
  const { financialTransactionId } = await momo.getTransaction(reference)
  expect(body.financialTransactionId).toBe(financialTransactionId)
})

/** MTN gives a reason as a word or as an object. The client reads words only, so `send` is repeated until one comes. */
async function errorOf(
  client: { getTransaction(reference: string): Promise<unknown> },
  send: () => Promise<string>,
): Promise<unknown> {
  for (let tries = 0; tries < 60; tries += 1) {
    const reference = await send()
    await sim.jump(1_000)
    const error: unknown = await client.getTransaction(reference).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof Error) || error.name !== 'UnspecifiedError') return error
  }
  return 'no reason was a word'
}

test('throws its own error for a payer who refuses', async () => {
  const momo = await collections()
  const error = await errorOf(momo, () => momo.requestToPay(payment('46733123451')))
  expect(error).toMatchObject({ name: 'ApprovalRejectedError' })
})

test('recognises refusals of the simulator by their codes', async () => {
  const momo = await collections()
  const refused = momo.requestToPay(payment('46733123454', { currency: 'UGX' }))
  await expect(refused).rejects.toMatchObject({ name: 'InvalidCurrencyError' })
  const elsewhere = payment('46733123454', { callbackUrl: 'http://evil.test/callback' })
  await expect(momo.requestToPay(elsewhere)).rejects.toMatchObject({
    name: 'InvalidCallbackUrlHostError',
  })
})

test('reads the balance, and whether a payer is active', async () => {
  const momo = await collections()
  const reference = await momo.requestToPay(payment('56733123453', { amount: '0.50' }))
  await sim.jump(1_000)
  await momo.getTransaction(reference)
  expect(await momo.getBalance()).toEqual({ availableBalance: '1000000.50', currency: 'EUR' })
  expect(await momo.isPayerActive(fatuma, PayerType.MSISDN)).toEqual({ result: true })
  expect(await momo.isPayerActive('256779999999', PayerType.MSISDN)).toEqual({ result: false })
})

test('asks an e-mail address for a payment, as the sandbox takes one', async () => {
  const momo = await collections()
  const payer = { partyIdType: PayerType.EMAIL, partyId: 'fatuma@example.com' }
  const reference = await momo.requestToPay(payment('', { payer }))
  await sim.jump(1_000)
  expect(await momo.getTransaction(reference)).toMatchObject({ status: 'SUCCESSFUL', payer })
})

test('sends money, is called back, and reads that it arrived', async () => {
  const momo = await disbursements()
  const reference = await momo.transfer(payout(fatuma, { callbackUrl: receiver.url }))
  await sim.jump(500)
  const body = JSON.parse(await eventually('a callback', () => receiver.received[0]))
  const [row] = (await sim.control('GET', '/book')).body
  expect(row).toMatchObject({ kind: 'payout', msisdn: fatuma, amount: '5000' })
  const sent = await momo.getTransaction(reference)
  expect(sent).toMatchObject({ status: 'SUCCESSFUL', financialTransactionId: row.receipt })
  expect(body).toEqual(sent)
  expect(await momo.getBalance()).toEqual({ availableBalance: '999950', currency: 'EUR' })
  expect(await momo.isPayerActive(fatuma, PayerType.MSISDN)).toBe(true)
})

test('throws its own error for an unknown payee', async () => {
  const momo = await disbursements()
  const error = await errorOf(momo, () => momo.transfer(payout('256779999999')))
  expect(error).toMatchObject({ name: 'PayeeNotFoundError' })
})

test('works for a partner of Uganda, with a user that was made by hand', async () => {
  // The client's types allow two other environments only, so JSON takes the name past them.
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
