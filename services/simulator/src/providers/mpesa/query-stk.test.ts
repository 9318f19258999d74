import { ofTest } from '@malipo/testing/lazily'
import { amina, startSimulator } from '../../start.harness'
import { fixture } from './fixtures.harness'

const sim = ofTest(() => startSimulator())

test('a query about an open payment gets either of the two documented answers', async () => {
  const { CheckoutRequestID, MerchantRequestID } = (await sim.push()).body
  const seen = new Map<number, unknown>()
  for (let call = 0; call < 20; call += 1) {
    const { status, body } = await sim.query(CheckoutRequestID)
    seen.set(status, body)
  }
  const error = fixture('query-answer-processing-error')
  const answer = fixture('query-answer-processing-4999')
  expect(seen).toEqual(
    new Map([
      [500, { ...error.body, requestId: CheckoutRequestID }],
      [200, { ...answer.body, CheckoutRequestID, MerchantRequestID }],
    ]),
  )
})

test.each([
  ['approve', 'query-answer-paid'],
  ['cancel', 'query-answer-cancelled'],
  ['wrong_pin', 'query-answer-wrong-pin'],
  ['no_funds', 'query-answer-no-funds'],
])('a query after %s answers as recorded', async (action, recorded) => {
  const { CheckoutRequestID, MerchantRequestID } = (await sim.push()).body
  await sim.control('POST', `/phones/${amina}/prompt`, { action })
  const { status, body } = await sim.query(CheckoutRequestID)
  expect(status).toBe(200)
  expect(body).toEqual({ ...fixture(recorded).body, CheckoutRequestID, MerchantRequestID })
})

test('a query with an unknown id is refused as an invalid field', async () => {
  const { status, body } = await sim.query('ws_CO_1')
  expect(status).toBe(400)
  expect(body.errorMessage).toBe(fixture('query-error-unknown-request').body.errorMessage)
})

test('a query with a malformed id is refused as an invalid field', async () => {
  for (const id of ['x', '', undefined, 7]) {
    expect((await sim.query(id)).body.errorMessage).toBe('Bad Request - Invalid CheckoutRequestID')
  }
})
