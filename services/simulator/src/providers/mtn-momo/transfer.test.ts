import { ofTest } from '@malipo/testing/lazily'
import { mtnMomo, startSimulator } from '../../start.harness'
import { recorded } from '../recorded.harness'
import { fatuma, mtnClient, type PayChanges, referenceId } from './mtn-momo.harness'

const sim = ofTest(() => startSimulator())
const mtn = mtnClient(sim)

const to = (partyId: string) => ({ payee: { partyIdType: 'MSISDN', partyId } })
const book = async () => (await sim.control('GET', '/book')).body
const standing = async (product: string) =>
  (await mtn.read(product, `/transfer/${referenceId}`)).body
const sent = async (changes: PayChanges = {}) => {
  await mtn.transfer('disbursement', changes)
  await sim.jump(1_000)
  return standing('disbursement')
}

test.each(['disbursement', 'remittance'])(
  'a %s sends money once for each reference',
  async (product) => {
    expect(await mtn.transfer(product)).toMatchObject({ status: 202, body: '' })
    expect((await standing(product)).status).toBe('PENDING')
    expect(await mtn.transfer(product)).toMatchObject(recorded('mtn-momo', 'pay-error-duplicate'))
    await sim.jump(500)
    const [row, ...others] = await book()
    expect(others).toEqual([])
    expect(row).toMatchObject({ kind: 'payout', msisdn: fatuma, amount: '500000' })
    expect(await standing(product)).toMatchObject({
      status: 'SUCCESSFUL',
      financialTransactionId: row.receipt,
      payee: { partyIdType: 'MSISDN', partyId: fatuma },
    })
    const phone = (await sim.control('GET', `/phones/${fatuma}`)).body
    expect(phone.balance).toBe('50500000')
    expect(phone.sms[0].text).toContain('You have received UGX 5,000 from Malipo Payments')
  },
)

test('a transfer of one product is unknown to the other', async () => {
  await mtn.transfer('disbursement')
  expect((await mtn.read('remittance', `/transfer/${referenceId}`)).status).toBe(404)
})

test.each([
  ['a number that does not exist', to('256779999999'), 'PAYEE_NOT_FOUND'],
  ['a number of the sandbox', to('46733123456'), 'PAYEE_NOT_ALLOWED_TO_RECEIVE'],
  ['more than the merchant has', { amount: '1000001' }, 'NOT_ENOUGH_FUNDS'],
])('%s fails, and no money moves', async (_, changes, reason) => {
  const { status, reason: failure } = await sent(changes)
  expect([status, failure.code ?? failure]).toEqual(['FAILED', reason])
  expect(await book()).toEqual([])
})

test('a locked wallet receives nothing', async () => {
  await sim.control('PATCH', `/phones/${fatuma}`, { sim_state: 'locked' })
  const { reason } = await sent()
  expect(reason.code ?? reason).toBe('PAYEE_NOT_ALLOWED_TO_RECEIVE')
})

test.each([
  ['no payee', { payee: undefined }, 'pay-error-bad-request'],
  ['part of a shilling', { amount: '50.50' }, 'pay-error-bad-request'],
  [
    'an e-mail address outside the sandbox',
    { payee: { partyIdType: 'EMAIL', partyId: 'a@b.c' } },
    'pay-error-bad-request',
  ],
  ['another currency', { currency: 'EUR' }, 'pay-error-invalid-currency'],
])('refuses %s', async (_, changes, name) => {
  expect(await mtn.transfer('disbursement', changes)).toMatchObject(recorded('mtn-momo', name))
})

test('a token of Collections does not open Disbursements', async () => {
  expect((await mtn.read('disbursement', '/account/balance', 'collection')).status).toBe(401)
  expect((await mtn.read('remittance', '/account/balance')).status).toBe(200)
})

test.each(['collection', 'disbursement', 'remittance'])('%s reads the balance', async (product) => {
  await sent()
  expect((await mtn.read(product, '/account/balance')).body).toEqual({
    availableBalance: '995000',
    currency: 'UGX',
  })
})

test.each(['collection', 'disbursement', 'remittance'])(
  '%s finds an account holder',
  async (product) => {
    const read = async (path: string) => mtn.read(product, `/accountholder/${path}`)
    expect((await read(`msisdn/${fatuma}/active`)).body).toEqual({ result: true })
    expect((await read('msisdn/256779999999/active')).body).toEqual({ result: false })
    expect((await read('ALIAS/x/active')).status).toBe(400)
    expect((await read(`msisdn/${fatuma}/basicuserinfo`)).body).toMatchObject({
      given_name: 'Fatuma',
      gender: expect.any(String),
    })
    expect((await read('msisdn/256779999999/basicuserinfo')).status).toBe(404)
  },
)

test('the new platform has disbursements too, with the same balance', async () => {
  await sent()
  const { userId = '', credentialToken = '' } = mtnMomo.newPlatform ?? {}
  const headers = { ...mtn.subscribed, 'x-target-environment': 'mtnuganda' }
  const authorization = `Basic ${Buffer.from(`${userId}:${credentialToken}`).toString('base64')}`
  const path = '/mtn-new/disbursement'
  const token = await sim.wire('POST', `${path}/token/`, { headers: { ...headers, authorization } })
  const options = { headers, token: token.body.access_token }
  const { body } = await sim.wire('GET', `${path}/v1_0/account/balance`, options)
  expect(body.availableBalance).toBe('995000')
})
