import { newSecret, openWebhookSecrets, secretText } from './webhook-secrets'

const secrets = openWebhookSecrets(Buffer.alloc(32, 2))
const secret = newSecret()

test('decrypts what it encrypted, and never encrypts the same text to the same bytes', () => {
  const [first, second] = [secrets.seal('we_1', secret), secrets.seal('we_1', secret)]
  expect(secrets.open('we_1', first).equals(secret)).toBe(true)
  expect(first).not.toEqual(second)
  expect(Buffer.from(first).includes(secret)).toBe(false)
})

test('does not decrypt for another endpoint, with another key, or after a changed byte', () => {
  const sealed = secrets.seal('we_1', secret)
  expect(() => secrets.open('we_2', sealed)).toThrow()
  expect(() => openWebhookSecrets(Buffer.alloc(32, 3)).open('we_1', sealed)).toThrow()
  const changed = sealed.with(-1, (sealed.at(-1) ?? 0) ^ 1)
  expect(() => secrets.open('we_1', changed)).toThrow()
})

test('has the format of Standard Webhooks', () => {
  expect(secretText(secret)).toBe(`whsec_${secret.toString('base64')}`)
  expect(secret).toHaveLength(32)
})
