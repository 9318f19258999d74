import { ofTest } from '@malipo/testing/lazily'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import {
  airtelMoney,
  amina,
  basic,
  card,
  mpesa,
  openReceiver,
  startSimulator,
} from '../start.harness'
import { airtelClient, joan, paymentId } from './airtel-money/airtel-money.harness'
import { encryptFor, signFor } from './airtel-money/encrypt.harness'
import { cardClient, notEnrolled, orderId } from './card/card.harness'

// Requests of clients in public repositories, each with its source. The real provider takes them, so the simulator must
// take them too.

interface Shape {
  readonly about: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly expects: { readonly status: number; readonly body?: object }
}

const fixturesDir = join(__dirname, '../../fixtures')
const shapesOf = (client: string) =>
  readdirSync(join(fixturesDir, client)).map((name): [string, Shape] => {
    const text = readFileSync(join(fixturesDir, client, name), 'utf8')
    return [name.replace('.json', ''), JSON.parse(text) as Shape]
  })

const sim = ofTest(() => startSimulator())
const receiver = ofTest(() => openReceiver())

type Values = Readonly<Record<string, string>>

/** Fills the places `{name}` of a request, which differ by merchant. A place without a value is an error. */
function filled(shape: Shape, values: Values): Shape {
  const text = JSON.stringify(shape).replaceAll(/\{([a-zA-Z]+)\}/g, (_place, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`no value for {${name}}`)
    return value
  })
  return JSON.parse(text) as Shape
}

async function send({ method, path, headers, body }: Shape) {
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  return sim.wire(method, path, { headers, ...text })
}

const firstReceipt = async () => (await sim.control('GET', '/book')).body[0].receipt as string

describe.each(['mpesakit', 'osen-wc-mpesa'])('M-PESA: %s', (client) => {
  /** Lets Amina pay a push of 50 shillings, and returns the values for a request about it. */
  async function places(): Promise<Values> {
    const { body } = await sim.push({ Amount: '50' })
    await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
    const timestamp = '20261120142501'
    return {
      token: await sim.token(),
      basic: basic(mpesa.consumerKey, mpesa.consumerSecret).replace('Basic ', ''),
      password: Buffer.from(mpesa.shortCode + mpesa.passkey + timestamp).toString('base64'),
      timestamp,
      callback: receiver.url,
      initiator: mpesa.operator?.initiator ?? '',
      credential: mpesa.operator?.securityCredential ?? '',
      checkout: body.CheckoutRequestID,
      receipt: await firstReceipt(),
    }
  }

  test.each(shapesOf(client))('%s is answered as the provider does', async (_name, shape) => {
    const request = filled(shape, await places())
    const { status, body } = await send(request)
    expect({ status, body }).toMatchObject(request.expects)
    if (request.body?.['ResultURL'] === undefined || status !== 200) return
    const { Result } = JSON.parse(await eventually('its result', () => receiver.received.shift()))
    expect(Result.ResultCode).toBe(0)
  })
})

describe('Airtel Money: airtelmoney-py', () => {
  test.each(shapesOf('airtelmoney-py'))(
    '%s is answered as the provider does',
    async (_name, shape) => {
      const airtel = airtelClient(sim)
      await airtel.pay()
      await sim.control('POST', `/phones/${joan}/prompt`, { action: 'approve' })
      const { key } = (await airtel.read('/v1/rsa/encryption-keys')).body.data
      const pin = encryptFor(key, '1234')
      // An enquiry about a payout needs a payout with its id.
      const [payoutId] = /5f0c8a5d[-0-9a-f]+/.exec(shape.path) ?? []
      if (payoutId !== undefined) await airtel.payOut({ id: payoutId, pin })
      const signed = shape.body === undefined ? {} : signFor(key, JSON.stringify(shape.body))
      const request = filled(shape, {
        clientId: airtelMoney.clientId,
        clientSecret: airtelMoney.clientSecret,
        token: await airtel.token(),
        paid: paymentId,
        receipt: await firstReceipt(),
        pin,
        signature: signed['x-signature'] ?? '',
        key: signed['x-key'] ?? '',
      })
      const { status, body } = await send(request)
      expect({ status, body }).toMatchObject(request.expects)
    },
  )
})

describe('Cards: mastercard-woocommerce', () => {
  test.each(shapesOf('mastercard-woocommerce'))(
    '%s is answered as the provider does',
    async (_name, shape) => {
      const gateway = cardClient(sim)
      await gateway.pay((await gateway.open()).id, notEnrolled)
      const authorised = 'authorised-117'
      const interaction = { operation: 'AUTHORIZE' }
      const held = await gateway.open({ order: { id: authorised }, interaction })
      await gateway.pay(held.id, notEnrolled)
      const request = filled(shape, {
        basic: basic(`merchant.${card.merchantId}`, card.apiPassword).replace('Basic ', ''),
        merchant: card.merchantId,
        callback: receiver.url,
        order: '117',
        paid: orderId,
        authorised,
      })
      const { status, body } = await send(request)
      expect({ status, body }).toMatchObject(request.expects)
    },
  )
})
