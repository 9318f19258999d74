import { ofTest } from '@malipo/testing/lazily'
import { startSimulator } from '../../start.harness'
import { recorded } from '../recorded.harness'
import { fatuma, from, mtnClient, referenceId } from './mtn-momo.harness'
import { reasons } from './reasons'
import { sandboxNumbers } from './sandbox-numbers'

const sim = ofTest(() => startSimulator())
const mtn = mtnClient(sim)

const answer = (action: string) => sim.control('POST', `/phones/${fatuma}/prompt`, { action })
const book = async () => (await sim.control('GET', '/book')).body
/** Jumps past the time that the network takes to find the payer. */
const found = () => sim.jump(500)

test('answers the recorded request as recorded, with a prompt that is open for five minutes', async () => {
  const { body } = recorded('mtn-momo', 'pay-request')
  expect(await mtn.pay(body)).toMatchObject({ status: 202, body: '' })
  await found()
  const phone = (await sim.control('GET', `/phones/${fatuma}`)).body
  expect(phone.prompt).toMatchObject({
    amount: '500000',
    business_name: 'Malipo Payments',
    account: 'A1B2C3D4E5F6',
    expires_in_ms: 300_000,
  })
})

test('the right PIN moves the money once; status, book, balance and SMS agree', async () => {
  await mtn.pay()
  await found()
  await answer('approve')
  const [row, ...others] = await book()
  expect(others).toEqual([])
  expect(row).toMatchObject({
    provider: 'mtn_momo',
    kind: 'request_to_pay',
    msisdn: fatuma,
    business: 'mtnuganda',
    account: 'A1B2C3D4E5F6',
    amount: '500000',
    reference: referenceId,
  })
  const { body: shown } = await mtn.status()
  const { body: sample } = recorded('mtn-momo', 'status-answer-successful')
  expect(shown).toEqual({ ...sample, financialTransactionId: row.receipt })
  expect(row.receipt).toMatch(/^[1-9]\d{9}$/)
  const phone = (await sim.control('GET', `/phones/${fatuma}`)).body
  expect(phone.balance).toBe('49500000')
  expect(phone.sms[0].text).toContain(`Transaction ID: ${String(row.receipt)}`)
})

test.each([
  ['cancel', 'APPROVAL_REJECTED'],
  ['wrong_pin', 'INTERNAL_PROCESSING_ERROR'],
  ['no_funds', 'NOT_ENOUGH_FUNDS'],
])('a payment answered by %s ends as %s, and no money moves', async (action, reason) => {
  await mtn.pay()
  await found()
  await answer(action)
  expect(await ended()).toBe(reason)
  expect(await book()).toEqual([])
})

test.each([
  ['on', 300_000, 'COULD_NOT_PERFORM_TRANSACTION'],
  ['off', 20_000, 'EXPIRED'],
  ['not_registered', 0, 'PAYER_NOT_FOUND'],
])(
  'an unanswered payment on a phone that is %s ends after %i ms as %s',
  async (simState, afterMs, reason) => {
    await sim.control('PATCH', `/phones/${fatuma}`, { sim_state: simState })
    await mtn.pay()
    await found()
    await sim.jump(afterMs)
    expect(await ended()).toBe(reason)
  },
)

test.each([
  ['an unregistered number', '256779999999'],
  ['a number of another network', '256752123456'],
  ['a number of another country', '254708374149'],
])('%s cannot pay', async (_, msisdn) => {
  await mtn.pay(from(msisdn))
  await found()
  expect(await ended()).toBe('PAYER_NOT_FOUND')
})

test('a second prompt on one phone fails', async () => {
  await mtn.pay()
  await found()
  const other = '11111111-1111-4111-8111-111111111111'
  await mtn.pay({ headers: { 'x-reference-id': other } })
  await found()
  expect((await mtn.status(other)).body.status).toBe('FAILED')
  expect((await mtn.status()).body.status).toBe('PENDING')
})

test('a used reference is refused as recorded, without a prompt', async () => {
  await mtn.pay()
  expect(await mtn.pay({ amount: '7000' })).toMatchObject(
    recorded('mtn-momo', 'pay-error-duplicate'),
  )
  expect((await mtn.status()).body.amount).toBe('5000')
})

describe('a request that MTN refuses', () => {
  test.each([
    ['no reference', { headers: { 'x-reference-id': '' } }],
    [
      'a uuid of another version',
      { headers: { 'x-reference-id': '0f4c8a5d-2b7e-11f1-8c9a-6d3e8b000000' } },
    ],
    ['a number for an amount', { amount: 5_000 }],
    ['a part of a shilling', { amount: '50.50' }],
    ['nothing', { amount: '0' }],
    ['a number with a plus', from('+256772123456')],
    ['no payer', { payer: undefined }],
    ['an apostrophe', { payerMessage: "Fatuma's" }],
    ['a note of 161', { payeeNote: 'x'.repeat(161) }],
    ['an empty callback address', { headers: { 'x-callback-url': '' } }],
  ])('with %s returns 400', async (_, changes) => {
    expect(await mtn.pay(changes)).toMatchObject(recorded('mtn-momo', 'pay-error-bad-request'))
  })

  test.each([
    ['pay-error-invalid-currency', { currency: 'EUR' }],
    [
      'pay-error-invalid-callback-url-host',
      { headers: { 'x-callback-url': 'http://evil.test/c' } },
    ],
    [
      'pay-error-not-allowed-target-environment',
      { headers: { 'x-target-environment': 'sandbox' } },
    ],
    ['any-error-invalid-subscription-key', { headers: { 'ocp-apim-subscription-key': 'x' } }],
  ])('returns the recorded %s', async (name, changes) => {
    expect(await mtn.pay(changes)).toMatchObject(recorded('mtn-momo', name))
  })

  test('with an unknown token returns 401', async () => {
    const headers = { ...mtn.subscribed, authorization: 'Bearer x' }
    const { status } = await sim.wire('POST', '/collection/v1_0/requesttopay', {
      headers,
      body: '{}',
    })
    expect(status).toBe(401)
  })
})

describe('a payment from a number of the sandbox', () => {
  test.each([
    ['46733123450', 'INTERNAL_PROCESSING_ERROR'],
    ['46733123451', 'APPROVAL_REJECTED'],
    ['46733123452', 'EXPIRED'],
    ['46733123455', 'PAYER_NOT_FOUND'],
    ['46733123456', 'PAYEE_NOT_ALLOWED_TO_RECEIVE'],
    ['46733123457', 'NOT_ALLOWED'],
    ['46733123458', 'NOT_ALLOWED_TARGET_ENVIRONMENT'],
    ['46733123459', 'INVALID_CALLBACK_URL_HOST'],
    ['46733123460', 'INVALID_CURRENCY'],
    ['46733123461', 'INTERNAL_PROCESSING_ERROR'],
    ['46733123462', 'SERVICE_UNAVAILABLE'],
    ['46733123463', 'COULD_NOT_PERFORM_TRANSACTION'],
    ['46733123464', 'TRANSFER_TYPE_UNKNOWN'],
  ])('%s fails as %s', async (msisdn, reason) => {
    await mtn.pay(from(msisdn))
    await sim.jump(1_000)
    expect(await ended()).toBe(reason)
  })

  test('46733123453 stays pending', async () => {
    await mtn.pay(from('46733123453'))
    await sim.jump(3_600_000)
    expect((await mtn.status()).body.status).toBe('PENDING')
  })

  test('46733123454 is created, pending and paid, in some thirty seconds', async () => {
    await mtn.pay(from('46733123454'))
    const seen: unknown[] = []
    for (const jumpMs of [24_000, 2_000, 2_000]) {
      await sim.jump(jumpMs)
      seen.push((await mtn.status()).body.status)
    }
    expect(seen).toEqual(['CREATED', 'PENDING', 'SUCCESSFUL'])
    expect(await book()).toHaveLength(1)
  })

  test('56733123453 pays at once', async () => {
    await mtn.pay(from('56733123453'))
    await sim.jump(1_000)
    expect((await mtn.status()).body.status).toBe('SUCCESSFUL')
  })

  test('needs no registered phone', async () => {
    for (const number of sandboxNumbers) {
      expect((await sim.control('GET', `/phones/${number}`)).status).toBe(404)
    }
  })
})

/** The reason of a failed payment, from either of the two forms that MTN writes. */
async function ended(): Promise<unknown> {
  const { body } = await mtn.status()
  expect(body.status).toBe('FAILED')
  expect(body.financialTransactionId).toBeUndefined()
  const reason = body.reason.code ?? body.reason
  expect(reasons).toContain(reason)
  return reason
}
