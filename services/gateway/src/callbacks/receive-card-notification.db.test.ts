import { ofFile } from '@malipo/testing/lazily'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { payByCard } from '../payer/pay-by-card.harness'
import { startHost } from '../start.harness'
import { send } from '../send.harness'

const host = ofFile(() => startHost())

const fixtures = join(__dirname, '../../../../packages/rails/fixtures/card')
const recorded = (name: string, intentId: string): object => {
  const text = readFileSync(join(fixtures, `${name}.json`), 'utf8')
  const file = JSON.parse(text.replaceAll('pi_0f4c8a5d2b7e4f1c9a6d3e8b', intentId)) as {
    body: object
  }
  return file.body
}

async function attempt(): Promise<string> {
  const shop = await host.merchant({ cardEnabled: true })
  const { id } = await host.checkout(shop, { amount: 50_000 })
  return payByCard(host, id)
}

const notify = (body: object, secret: string | undefined = 'secret-of-the-notifications') =>
  send(`${host.callbackUrl}/callbacks/card`, {
    body,
    headers: { 'x-notification-secret': secret },
  })
const kept = (intentId: string) =>
  host.rows(
    `SELECT kind, encode(body, 'escape') AS body FROM provider_messages WHERE intent_id = '${intentId}'`,
  )

test('stores a notification as a hint, without data of the card, its holder and the customer', async () => {
  const intentId = await attempt()
  expect((await notify(recorded('callback-payment', intentId))).status).toBe(200)
  const messages = await kept(intentId)
  expect(messages).toEqual([{ kind: 'hint', body: expect.stringContaining('APPROVED') as string }])
  expect(JSON.stringify(messages)).not.toMatch(/5123|xxxx|amina|kamau|expiry|2547/i)
})

test('stores the two notifications of 3-D Secure, and counts a repeated one', async () => {
  const intentId = await attempt()
  for (const name of ['callback-authentication', 'callback-payment', 'callback-payment']) {
    expect((await notify(recorded(name, intentId))).status).toBe(200)
  }
  expect(await kept(intentId)).toHaveLength(2)
})

test.each([
  ['with another secret', 'not-the-secret'],
  ['with an empty secret', ''],
])('returns 404 for a notification %s, and stores nothing', async (_, secret) => {
  const intentId = await attempt()
  expect((await notify(recorded('callback-payment', intentId), secret)).status).toBe(404)
  expect(await kept(intentId)).toEqual([])
})

test('logs where a forged notification came from', async () => {
  const from = '203.0.113.77'
  const forged = await send(`${host.callbackUrl}/callbacks/card`, { body: {}, from })
  expect(forged.status).toBe(404)
  const lines = host.logged.map((line) => JSON.parse(line) as object)
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'answered', source: from }))
})

test('returns 404 for an unknown order, and for an empty body', async () => {
  const unknown = 'pi_000000000000000000000000'
  expect((await notify(recorded('callback-payment', unknown))).status).toBe(404)
  expect((await notify({ hello: 'world' })).status).toBe(404)
})

test('returns 404 for a notification about a phone payment', async () => {
  const shop = await host.merchant()
  const { id } = await host.checkout(shop, { amount: 50_000 })
  const { intentId } = await host.startPayment(id)
  expect((await notify(recorded('callback-payment', intentId))).status).toBe(404)
})
