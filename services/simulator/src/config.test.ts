import { readConfig } from './config'

const environment = {
  PORT: '0',
  ADMIN_PORT: '0',
  MPESA_CONSUMER_KEY: 'key',
  MPESA_CONSUMER_SECRET: 'secret',
  MPESA_SHORTCODE: '174379',
  MPESA_PASSKEY: 'passkey',
}

test('reads its environment, and draws a new seed at each start unless one is set', () => {
  expect(readConfig(environment)).toMatchObject({
    host: '127.0.0.1',
    port: 0,
    seed: undefined,
    mpesa: { shortCode: '174379', wholeShillings: false, businessName: 'Malipo Payments' },
  })
  expect(readConfig({ ...environment, SEED: 'demo' }).seed).toBe('demo')
})

test('asks merchants before a payment from the menu unless that is turned off', () => {
  expect(readConfig(environment).mpesa.externalValidation).toBe(true)
  const off = { ...environment, MPESA_EXTERNAL_VALIDATION: 'false' }
  expect(readConfig(off).mpesa.externalValidation).toBe(false)
})

const mtnMomo = {
  MTN_MOMO_SUBSCRIPTION_KEY: 's',
  MTN_MOMO_API_USER: 'c72025f5-5cd1-4630-99e4-8ba4722fad56',
  MTN_MOMO_API_KEY: 'k',
}

test('simulates a provider of Uganda when its credentials are set', () => {
  expect(readConfig(environment)).toMatchObject({ mtnMomo: undefined, airtelMoney: undefined })
  expect(readConfig({ ...environment, ...mtnMomo }).mtnMomo).toMatchObject({
    targetEnvironment: 'mtnuganda',
    callbackPolicy: 'once',
    callbackMethod: 'either',
  })
  const airtel = { AIRTEL_CLIENT_ID: 'i', AIRTEL_CLIENT_SECRET: 's', AIRTEL_CALLBACK_KEY: 'k' }
  expect(readConfig({ ...environment, ...airtel }).airtelMoney).toMatchObject({
    clientId: 'i',
    callbackUrls: { UG: undefined, KE: undefined },
    callbackKey: 'k',
  })
})

test('enables the card rail only if merchant id, password and notification secret are set', () => {
  const card = { CARD_MERCHANT_ID: 'TESTMALIPO', CARD_API_PASSWORD: 'p' }
  expect(readConfig({ ...environment, ...card }).card).toBeUndefined()
  expect(readConfig({ ...environment, ...card, CARD_NOTIFICATION_SECRET: 's' }).card).toEqual({
    ...{ version: '100', profile: 'as-observed', merchantId: 'TESTMALIPO' },
    ...{ apiPassword: 'p', notificationSecret: 's' },
  })
})

test.each([
  ['a user that is no uuid', { MTN_MOMO_API_USER: 'x' }],
  ['a policy that MTN does not publish', { MTN_MOMO_CALLBACK_POLICY: 'often' }],
  ['an environment of another country', { MTN_MOMO_TARGET_ENVIRONMENT: 'mtnghana' }],
])('refuses %s', (_, change) => {
  expect(() => readConfig({ ...environment, ...mtnMomo, ...change })).toThrow(/MTN_MOMO/)
})

test('reports all missing settings at once', () => {
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
  ['MTN on its new platform', { X: 'https://momoapi.momo.africa' }, 'X names a real provider'],
  [
    'any other host of MTN',
    { X: 'https://proxy.ug.mtn.com/collection' },
    'X names a real provider',
  ],
  ['MTN Uganda', { X: 'callbacks.mtn.co.ug:8443' }, 'X names a real provider'],
  ['Airtel Uganda', { AIRTEL_BASE_URL: 'https://openapi.airtel.ug' }, 'AIRTEL_BASE_URL names'],
  [
    'the sandbox of Airtel',
    { X: 'https://openapiuat.airtel.ug/simulate' },
    'X names a real provider',
  ],
  ['Airtel in capitals', { X: 'HTTPS://OPENAPI.AIRTEL.CO.KE' }, 'X names a real provider'],
  ['the card gateway', { X: 'https://ap-gateway.mastercard.com' }, 'X names a real provider'],
  [
    'the test host of the card gateway',
    { X: 'https://mtf.gateway.mastercard.com' },
    'X names a real provider',
  ],
])('does not start beside %s', (_what, sign, reason) => {
  expect(() => readConfig({ ...environment, ...sign })).toThrow(reason)
})

test('shows no secret in a refusal', () => {
  expect(() => readConfig({ ...environment, KEY: `mkp_live_${'A'.repeat(52)}` })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('AAAA') }),
  )
})

test('accepts a host name that only resembles a provider', () => {
  const others = ['http://notsafaricom.co.ke', 'http://notmtn.com', '/srv/rails/airtel.json']
  for (const X of others) expect(() => readConfig({ ...environment, X })).not.toThrow()
})
