import { constants } from 'node:crypto'
import { airtelMoney, startSimulator, type RunningSimulator } from '../../start.harness'
import { recorded } from '../recorded.harness'
import { airtelClient, inUganda, joan } from './airtel-money.harness'
import { type Signing, signFor } from './encrypt.harness'

let sim: RunningSimulator
let airtel: ReturnType<typeof airtelClient>
beforeEach(async () => {
  sim = await startSimulator()
  airtel = airtelClient(sim)
})
afterEach(() => sim.stop())

const body = JSON.stringify(recorded('airtel-money', 'pay-request').body)
const phone = async () => (await sim.control('GET', `/phones/${joan}`)).body

async function askKey() {
  const token = await airtel.token()
  return sim.wire('GET', '/v1/rsa/encryption-keys', { token, headers: inUganda })
}

async function send(headers: Record<string, string>, sent = body) {
  const token = await airtel.token()
  const all = { ...inUganda, ...headers }
  return sim.wire('POST', '/merchant/v2/payments/', { token, headers: all, body: sent })
}

async function sign(text: string, how: Signing & { publicKey?: string } = {}) {
  return signFor(how.publicKey ?? String((await askKey()).body.data.key), text, how)
}

test('returns the encryption key of the application as recorded', async () => {
  const { status, body: given } = await askKey()
  const sample = recorded('airtel-money', 'key-answer')
  expect(status).toBe(sample.status)
  expect(given.status).toEqual(sample.body.status)
  expect(Object.keys(given.data)).toEqual(Object.keys(sample.body.data))
  expect(given.data.key).toHaveLength(sample.body.data.key.length)
  expect(given.data.valid_upto).toMatch(/^\d\d-\d\d-\d{4} \d\d:\d\d:\d\d$/)
})

test('returns no key without a token', async () => {
  const answer = await sim.wire('GET', '/v1/rsa/encryption-keys', { headers: inUganda })
  expect(answer).toMatchObject(recorded('airtel-money', 'any-error-invalid-token'))
})

test('accepts a signed message, and sends a prompt', async () => {
  const answer = await send(await sign(body))
  expect(answer.body.status).toEqual(recorded('airtel-money', 'pay-answer-accepted').body.status)
  expect((await phone()).prompt).toMatchObject({ amount: '500000' })
})

test.each([
  ['another body', () => sign(body.replace('5000', '5001'))],
  ['the same body written otherwise', () => sign(body.replace(',', ', '))],
  ['another padding', () => sign(body, { padding: constants.RSA_PKCS1_OAEP_PADDING })],
  ['a shorter AES key', () => sign(body, { cipher: 'aes-128-cbc' })],
  [
    'a key of another application',
    () => sign(body, { publicKey: recorded('airtel-money', 'key-answer').body.data.key }),
  ],
  [
    'a block that no key made',
    () =>
      Promise.resolve({
        'x-signature': 'AAAA',
        'x-key': Buffer.alloc(128, 255).toString('base64'),
      }),
  ],
  ['half a key', () => Promise.resolve({ 'x-signature': 'AAAA', 'x-key': 'AAAA' })],
])('refuses a signature made with %s as recorded, without a prompt', async (_, signed) => {
  expect(await send(await signed())).toMatchObject(recorded('airtel-money', 'pay-error-signature'))
  expect((await phone()).prompt).toBeNull()
})

test("changes the key every day, and refuses yesterday's", async () => {
  const before = await askKey()
  await sim.jump(86_400_000)
  const after = await askKey()
  expect(after.body.data.key_id).not.toBe(before.body.data.key_id)
  const signed = await sign(body, { publicKey: before.body.data.key })
  expect((await send(signed)).status).toBe(403)
  expect((await send(await sign(body))).status).toBe(200)
})

test("every session accepts the home session's key, as it accepts the home session's tokens", async () => {
  const signed = await sign(body)
  const session = sim.session('apart')
  await session.jump(86_400_000)
  const token = await airtel.token()
  const headers = { ...inUganda, ...signed }
  const answer = await session.wire('POST', '/merchant/v2/payments/', { token, headers, body })
  expect(answer.status).toBe(200)
})

test.each([
  ['neither header', {}],
  ['no key', { 'x-signature': 'AAAA' }],
  ['no signature', { 'x-key': 'AAAA' }],
])('refuses a message with %s', async (_, headers) => {
  expect((await send(headers)).body.status.result_code).toBe('ROUTER003')
})

test('accepts unsigned v2 messages when signing is optional, and refuses wrong signatures', async () => {
  await sim.stop()
  sim = await startSimulator({ airtelMoney: { ...airtelMoney, messageSigning: false } })
  airtel = airtelClient(sim)
  expect((await send(await sign('{}'))).status).toBe(403)
  expect((await send({})).status).toBe(200)
})

test('a rule on the token call can replace the encryption key by an error', async () => {
  await sim.control('POST', '/rules', {
    on: 'token',
    when: { business: 'airtel-ug' },
    effect: { kind: 'error', error: 'no_key' },
  })
  expect(await askKey()).toMatchObject(recorded('airtel-money', 'key-error-not-fetched'))
})
