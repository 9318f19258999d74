import {
  constants,
  createDecipheriv,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto'
import nock from 'nock'
import {
  accepted,
  answer,
  baseUrl,
  openRail,
  own,
  paymentHeaders,
  prompt,
  startMs,
  tokenPath,
  useOwnProcess,
} from './client.harness'
import { recorded } from './recorded.harness'

useOwnProcess()

const keyPath = '/v1/rsa/encryption-keys'
const payPath = '/merchant/v2/payments/'
const signed = () => openRail({ apiVersion: 'v2' })

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 })
const another = generateKeyPairSync('rsa', { modulusLength: 1_024 })
const textOf = (key: KeyObject) => key.export({ type: 'spki', format: 'der' }).toString('base64')

const answerKey = (key: string, validUpto = '31-12-2026 23:59:59') => {
  nock(baseUrl)
    .get(keyPath)
    .reply(200, { data: { key_id: 1, key, valid_upto: validUpto } })
}
const accept = (headers: Record<string, string | RegExp> = {}) => {
  const { body } = recorded('pay-answer-accepted')
  nock(baseUrl, { reqheaders: headers }).post(payPath).reply(200, body)
}

describe('a payment by v2', () => {
  test('has the recorded body, and headers from which Airtel reads that very body', async () => {
    answer('post', tokenPath, 'token-answer')
    answerKey(textOf(publicKey))
    const sent: { body?: string; signature?: string; key?: string } = {}
    nock(baseUrl, { reqheaders: paymentHeaders })
      .post(payPath, (body) => {
        expect(body).toEqual(JSON.parse(recorded('pay-request').body.toString()))
        sent.body = JSON.stringify(body)
        return true
      })
      .reply(200, function () {
        sent.signature = String(this.req.headers['x-signature'])
        sent.key = String(this.req.headers['x-key'])
        return JSON.parse(recorded('pay-answer-accepted').body.toString()) as object
      })
    expect(await signed().submit(prompt)).toEqual(accepted)
    expect(decrypted(sent.signature ?? '', sent.key ?? '')).toBe(sent.body)
  })

  test('is signed with a fresh key and iv each time', async () => {
    answer('post', tokenPath, 'token-answer')
    answerKey(textOf(publicKey))
    const pairs: string[] = []
    nock(baseUrl)
      .post(payPath)
      .twice()
      .reply(200, function () {
        pairs.push(...keyAndIv(String(this.req.headers['x-key'])))
        return JSON.parse(recorded('pay-answer-accepted').body.toString()) as object
      })
    const rail = signed()
    await rail.submit(prompt)
    await rail.submit(prompt)
    expect(new Set(pairs).size).toBe(4)
  })

  test('is asked about by the same status query as a payment by v1', async () => {
    answer('post', tokenPath, 'token-answer')
    answer('get', `/standard/v1/payments/${accepted.providerRequestId}`, 'enquiry-answer-success')
    const { body } = recorded('enquiry-answer-success')
    expect(await signed().askStatus(accepted.providerRequestId)).toEqual({
      kind: 'answered',
      bodies: [body],
    })
  })
})

describe('the key that signs', () => {
  test.each(['key-answer', 'key-answer-uganda'])(
    'is read from %s, and is there before the first prompt',
    async (name) => {
      answer('post', tokenPath, 'token-answer')
      answer('get', keyPath, name)
      const rail = signed()
      expect(await rail.prepare?.()).toEqual({ kind: 'ready' })
      accept()
      expect(await rail.submit(prompt)).toEqual(accepted)
    },
  )

  test('is needed by v2 alone', () => {
    expect(openRail().prepare).toBeUndefined()
  })

  test.each([
    ['till ten minutes before its end', '20-11-2026 15:25:01', 49 * 60, 51 * 60],
    ['for a day at most', '31-12-2026 23:59:59', 23 * 3_600, 24 * 3_600],
    ['for an hour where its end cannot be read', 'soon', 49 * 60, 51 * 60],
    ['for a minute where its end has passed', '12-08-2024 21:29:26', 0, 61],
  ])('is kept %s, and then fetched anew', async (_, until, keptSeconds, endedSeconds) => {
    const rail = signed()
    answer('post', tokenPath, 'token-answer', until.startsWith('12') ? 1 : 2)
    answerKey(textOf(publicKey), until)
    await rail.prepare?.()
    own.nowMs = startMs + keptSeconds * 1_000
    if (keptSeconds > 0) await rail.prepare?.()
    own.nowMs = startMs + endedSeconds * 1_000
    answerKey(textOf(another.publicKey))
    expect(await rail.prepare?.()).toEqual({ kind: 'ready' })
  })

  test('that Airtel refuses is fetched anew, and the payment sent once more', async () => {
    answer('post', tokenPath, 'token-answer')
    answerKey(textOf(another.publicKey))
    answer('post', payPath, 'pay-error-signature')
    answerKey(textOf(publicKey))
    accept({ 'x-key': /./ })
    expect(await signed().submit(prompt)).toEqual(accepted)
    expect(own.events).toEqual(['provider_token_refused'])
  })

  test('that Airtel refuses twice fails the prompt and counts provider_misconfigured', async () => {
    answer('post', tokenPath, 'token-answer')
    answer('get', keyPath, 'key-answer', 2)
    answer('post', payPath, 'pay-error-signature', 2)
    const outcome = { kind: 'refused', cause: 'refused', providerCode: 'DP00800001026' }
    expect(await signed().submit(prompt)).toEqual(outcome)
    expect(own.events).toContain('provider_misconfigured')
  })

  test.each([
    ['key-error-not-fetched', 'no token: encryption key: http 200'],
    ['any-error-maintenance', 'no token: encryption key: http 503'],
  ])('that is not given (%s) leaves the prompt provably not sent', async (name, detail) => {
    answer('post', tokenPath, 'token-answer')
    answer('get', keyPath, name, 2)
    const rail = signed()
    expect(await rail.submit(prompt)).toEqual({ kind: 'not_sent', detail })
    expect(await rail.prepare?.()).toEqual({ kind: 'unavailable', detail })
  })

  test.each([
    ['no key', 'MIG********AB'],
    ['too short', textOf(generateKeyPairSync('rsa', { modulusLength: 512 }).publicKey)],
    ['of another kind', textOf(generateKeyPairSync('ed25519').publicKey)],
  ])('that is %s signs nothing', async (_, key) => {
    answer('post', tokenPath, 'token-answer')
    answerKey(key)
    expect(await signed().submit(prompt)).toEqual({
      kind: 'not_sent',
      detail: 'no token: encryption key: no RSA key of 1024 bits or more',
    })
  })
})

/** Decrypts the two headers with the private key, as Airtel does. */
function decrypted(signature: string, sealedKey: string): string {
  const [key, iv] = keyAndIv(sealedKey).map((part) => Buffer.from(part, 'base64'))
  if (key === undefined || iv === undefined) return ''
  const decipher = createDecipheriv('aes-256-cbc', key, iv)
  return decipher.update(signature, 'base64', 'utf8') + decipher.final('utf8')
}

function keyAndIv(sealedKey: string): readonly string[] {
  const padding = constants.RSA_NO_PADDING
  const block = privateDecrypt({ key: privateKey, padding }, Buffer.from(sealedKey, 'base64'))
  return block
    .subarray(block.indexOf(0, 2) + 1)
    .toString()
    .split(':')
}
