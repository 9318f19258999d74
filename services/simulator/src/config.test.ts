import { readConfig } from './config'

const environment = {
  PORT: '0',
  ADMIN_PORT: '0',
  MPESA_CONSUMER_KEY: 'key',
  MPESA_CONSUMER_SECRET: 'secret',
  MPESA_SHORTCODE: '174379',
  MPESA_PASSKEY: 'passkey',
}

test('reads its environment, and draws its seed at each start unless told', () => {
  expect(readConfig(environment)).toMatchObject({
    host: '127.0.0.1',
    port: 0,
    seed: undefined,
    mpesa: { shortCode: '174379', wholeShillings: false, businessName: 'Malipo Payments' },
  })
  expect(readConfig({ ...environment, SEED: 'demo' }).seed).toBe('demo')
})

test('names everything that is missing at once', () => {
  expect(() => readConfig({})).toThrow(/PORT[^]*MPESA_CONSUMER_KEY[^]*MPESA_PASSKEY/)
})

test.each([
  ['a live key', { ANYTHING: `mkp_live_${'A'.repeat(52)}` }, 'ANYTHING holds a live key'],
  ['a live deployment', { KEY_MODE: 'live' }, 'KEY_MODE is live'],
  ['the real Daraja', { MPESA_BASE_URL: 'https://api.safaricom.co.ke' }, 'MPESA_BASE_URL names'],
  ['its sandbox', { X: 'https://sandbox.safaricom.co.ke/oauth' }, 'X names a real provider'],
  ['MTN', { X: 'https://sandbox.momodeveloper.mtn.com' }, 'X names a real provider'],
  ['MTN live', { X: 'https://proxy.momoapi.mtn.com' }, 'X names a real provider'],
  ['Airtel', { X: 'https://openapi.airtel.africa' }, 'X names a real provider'],
  ['the card gateway', { X: 'https://ap-gateway.mastercard.com' }, 'X names a real provider'],
])('does not start beside %s', (_what, sign, reason) => {
  expect(() => readConfig({ ...environment, ...sign })).toThrow(reason)
})

test('says nothing of a secret when it refuses', () => {
  expect(() => readConfig({ ...environment, KEY: `mkp_live_${'A'.repeat(52)}` })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('AAAA') }),
  )
})

test('a name that only looks like a provider is fine', () => {
  expect(() => readConfig({ ...environment, X: 'http://notsafaricom.co.ke' })).not.toThrow()
})
