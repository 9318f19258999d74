import { eventually } from '@malipo/testing/eventually'
import {
  amina,
  brian,
  openReceiver,
  startSimulator,
  type Receiver,
  type RunningSimulator,
} from '../start.harness'

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

const rule = async (body: object) => {
  const { status, body: made } = await sim.control('POST', '/rules', body)
  expect(status).toBe(201)
  return made
}
const push = (fields: Record<string, unknown> = {}) =>
  sim.push({ CallBackURL: receiver.url, ...fields })
const answer = (action: string, msisdn = amina) =>
  sim.control('POST', `/phones/${msisdn}/prompt`, { action })
const has = (kind: string, facts: object = {}) =>
  sim.control('POST', '/expect', { kind, facts }).then(({ body }) => body.met)
const prompt = async () => (await sim.control('GET', `/phones/${amina}`)).body.prompt

describe('the answer to a call', () => {
  test('is delayed in virtual time', async () => {
    await rule({ on: 'push', effect: { kind: 'delay', ms: 5_000 } })
    const pushed = push()
    const order: string[] = []
    void pushed.then(() => order.push('answered'))
    expect(await has('push_accepted')).toBe(true)
    order.push('prompt rings')
    await sim.jump(5_000)
    expect((await pushed).status).toBe(200)
    expect(order).toEqual(['prompt rings', 'answered'])
  })

  test.each(['reset', 'malformed'])(
    'cannot be read after a rule of kind %s, and the payment continues',
    async (kind) => {
      await rule({ on: 'push', effect: { kind } })
      const end = await push().then(
        ({ body }) => typeof body,
        () => 'no answer',
      )
      expect(end).toBe('no answer')
      expect(await prompt()).not.toBeNull()
    },
  )

  test('never comes after a rule of kind drop, and the payment continues', async () => {
    await rule({ on: 'push', effect: { kind: 'drop' }, times: 1 })
    const stopped = push().then(
      () => 'answered',
      () => 'cut',
    )
    await eventually('the prompt', prompt)
    await sim.stop()
    expect(await stopped).toBe('cut')
    sim = await startSimulator()
  })

  test.each(['reset', 'malformed'])(
    'cannot be read after a rule of kind %s that also prevents the call: no prompt opens',
    async (kind) => {
      await rule({ on: 'push', effect: { kind, performed: false } })
      await push().catch(() => undefined)
      expect(await prompt()).toBeNull()
    },
  )

  test.each([
    ['spike_arrest', 500, '500.003.02'],
    ['invalid_token', 404, '404.001.03'],
    ['internal', 500, '500.003.1001'],
  ])('is the error %s of Daraja, and no prompt opens', async (error, status, errorCode) => {
    await rule({ on: 'push', effect: { kind: 'error', error } })
    const pushed = await push()
    expect(pushed).toMatchObject({ status, body: { errorCode } })
    expect(await prompt()).toBeNull()
  })

  test('is the HTML of a firewall, or empty, by rules of kind error', async () => {
    await rule({ on: 'push', effect: { kind: 'error', error: 'firewall' }, times: 1 })
    const wall = await push()
    expect(wall.status).toBe(503)
    expect(wall.body).toContain('Incapsula')
    await rule({ on: 'push', effect: { kind: 'error', error: 'empty_400' } })
    expect(await push()).toMatchObject({ status: 400, body: '' })
  })

  test('is an error although the prompt opens, by a rule of kind error that lets the call be carried out', async () => {
    await rule({ on: 'push', effect: { kind: 'error', error: 'opaque_500', performed: true } })
    expect((await push()).status).toBe(500)
    expect(await prompt()).not.toBeNull()
  })

  test('is an error above the number of calls a second that a rule allows', async () => {
    await rule({ on: 'push', effect: { kind: 'limit', per_second: 1 } })
    expect((await push()).status).toBe(200)
    expect((await push({ PhoneNumber: brian })).body.errorMessage).toContain('Spike Arrest')
    await sim.jump(1_000)
    expect((await push({ PhoneNumber: brian })).status).toBe(200)
  })

  test('comes after the callback by a rule of kind early', async () => {
    await rule({ on: 'push', effect: { kind: 'early' } })
    const order: string[] = []
    const pushed = push().then(() => order.push('answer'))
    await eventually('the prompt', prompt)
    await answer('approve')
    await eventually('the callback', () => receiver.received[0])
    order.unshift('callback')
    await pushed
    expect(order).toEqual(['callback', 'answer'])
  })

  test('has the result code of a rule of kind lie, for one query', async () => {
    const { CheckoutRequestID } = (await push()).body
    await answer('approve')
    await rule({ on: 'query', effect: { kind: 'lie', code: '1032' }, times: 1 })
    expect((await sim.query(CheckoutRequestID)).body).toMatchObject({
      ResultCode: '1032',
      ResultDesc: 'Request cancelled by user',
    })
    expect((await sim.query(CheckoutRequestID)).body.ResultCode).toBe('0')
  })

  test('is changed for one phone, amount, account or business only', async () => {
    const effect = { kind: 'error', error: 'internal' }
    const when = { msisdn: brian, amount: '15050', account: 'A1B2C3D4E5F6', business: '174379' }
    await rule({ on: 'push', when, effect })
    expect((await push()).status).toBe(200)
    expect((await push({ PhoneNumber: brian, Amount: '150.51' })).status).toBe(200)
    await answer('cancel', brian)
    expect((await push({ PhoneNumber: brian, AccountReference: 'B' })).status).toBe(200)
    await answer('cancel', brian)
    expect((await push({ PhoneNumber: brian })).status).toBe(500)
  })

  test('is an error for the token call by a rule on token', async () => {
    await rule({ on: 'token', effect: { kind: 'error', error: 'system_busy' } })
    await expect(sim.token()).resolves.toBe('undefined')
  })
})

describe('the callback', () => {
  const pay = async () => {
    await push()
    await answer('approve')
  }

  test('does not arrive when a rule drops it, and the money has moved', async () => {
    await rule({ on: 'callback', effect: { kind: 'drop' } })
    await pay()
    expect(await has('callback_dropped', { result: '0' })).toBe(true)
    expect((await sim.control('GET', '/book')).body).toHaveLength(1)
    expect(receiver.received).toEqual([])
  })

  test('comes twice, byte for byte the same', async () => {
    await rule({ on: 'callback', effect: { kind: 'duplicate', copies: 2 } })
    await pay()
    const [first, second] = await eventually(
      'two callbacks',
      () => receiver.received.length === 2 && receiver.received,
    )
    expect(second).toBe(first)
    expect((await sim.control('GET', '/book')).body).toHaveLength(1)
  })

  test('comes three times, ten seconds apart', async () => {
    await rule({ on: 'callback', effect: { kind: 'duplicate', copies: 3, every_ms: 10_000 } })
    await pay()
    expect(await has('callback_delivered', { copy: 1 })).toBe(true)
    await sim.jump(10_000)
    expect(await has('callback_delivered', { copy: 2 })).toBe(true)
    expect(receiver.received).toHaveLength(2)
    await sim.jump(10_000)
    expect(await has('callback_delivered', { copy: 3 })).toBe(true)
  })

  test('comes late by the delay of a rule', async () => {
    await rule({ on: 'callback', effect: { kind: 'delay', ms: 180_000 } })
    await pay()
    await sim.jump(179_999)
    expect(receiver.received).toEqual([])
    await sim.jump(1)
    expect(await has('callback_delivered')).toBe(true)
  })

  test('comes a little at a time, in virtual time, and is whole at its end', async () => {
    await rule({ on: 'callback', effect: { kind: 'drip', ms: 15_000 } })
    await pay()
    await sim.jump(10_000)
    expect(receiver.received).toEqual([])
    await sim.jump(5_000)
    const text = await eventually('the callback', () => receiver.received[0])
    expect(JSON.parse(text)).toHaveProperty('Body.stkCallback.ResultCode', 0)
    expect(await has('callback_delivered')).toBe(true)
  })

  test('is cut off in the middle', async () => {
    await rule({ on: 'callback', effect: { kind: 'malformed' } })
    await pay()
    const text = await eventually('the callback', () => receiver.received[0])
    expect(text).toContain('stkCallback')
    expect(() => JSON.parse(text)).toThrow()
  })

  test('has the amount of a rule, while the book has the paid amount', async () => {
    await rule({ on: 'callback', effect: { kind: 'amount', amount: '100' } })
    await pay()
    const text = await eventually('the callback', () => receiver.received[0])
    expect(text).toMatch(/"Name":"Amount","Value":1(?:\.00)?\}/)
    expect((await sim.control('GET', '/book')).body[0].amount).toBe('15050')
  })

  test('is recorded as failed, and not repeated, when the receiver is down', async () => {
    await sim.push()
    await answer('approve')
    expect(await has('callback_failed', { reason: 'ECONNREFUSED' })).toBe(true)
  })

  test("records the receiver's response", async () => {
    const refusing = await openReceiver(503)
    await sim.push({ CallBackURL: refusing.url })
    await answer('approve')
    expect(await has('callback_delivered', { status: 503 })).toBe(true)
    await refusing.stop()
  })
})
