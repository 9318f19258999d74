import { testIdentityDir } from '@malipo/testing/identities'
import { readConfig } from './config'

const environment = {
  COUNTRY: 'KE',
  KEY_MODE: 'test',
  ADMIN_PORT: '0',
  TLS_DIR: testIdentityDir('worker-ke'),
  LEDGER_ADDRESS: '127.0.0.1:5001',
  ACCOUNTS_ADDRESS: '127.0.0.1:5002',
  REDIS_URL: 'redis://127.0.0.1:6379',
  QUEUE_PREFIX: 'malipo-ke',
  CALLBACK_BASE_URL: 'https://callbacks.example.com/',
}

test('refuses a worker that is not told whether its keys are live', () => {
  expect(() => readConfig({ ...environment, KEY_MODE: undefined })).toThrow(/KEY_MODE/)
})

test('accepts settings without rails', () => {
  expect(readConfig(environment)).toEqual({
    country: 'ke',
    cell: 0,
    host: '127.0.0.1',
    adminPort: 0,
    tlsDir: testIdentityDir('worker-ke'),
    ledgerAddress: '127.0.0.1:5001',
    accountsAddress: '127.0.0.1:5002',
    redisUrl: 'redis://127.0.0.1:6379',
    queuePrefix: 'malipo-ke',
    callbackBaseUrl: 'https://callbacks.example.com',
    sweepSeconds: 1,
    payBillSeconds: 180,
    rails: { mpesa: undefined },
    webhookLoopback: false,
  })
})

test('allows webhooks to its own machine on a local stack, and refuses that setting with a public callback URL', () => {
  const local = { CALLBACK_BASE_URL: 'http://127.0.0.1:8003', WEBHOOK_LOOPBACK: 'true' }
  expect(readConfig({ ...environment, ...local }).webhookLoopback).toBe(true)
  expect(() => readConfig({ ...environment, WEBHOOK_LOOPBACK: 'true' })).toThrow(
    'WEBHOOK_LOOPBACK: is for a local stack',
  )
})

test('accepts each rail of Uganda without the other', () => {
  const airtel = {
    AIRTEL_BASE_URL: 'https://openapi.airtel.ug/',
    AIRTEL_CLIENT_ID: 'i',
    AIRTEL_CLIENT_SECRET: 's',
    AIRTEL_CALLBACK_KEY: 'k',
  }
  expect(readConfig({ ...environment, COUNTRY: 'UG', ...airtel }).rails).toEqual({
    airtelMoney: {
      baseUrl: 'https://openapi.airtel.ug',
      apiVersion: 'v1',
      clientId: 'i',
      clientSecret: 's',
      callbackKey: 'k',
      refunds: false,
    },
  })
  const mtn = {
    MTN_MOMO_BASE_URL: 'https://proxy.momoapi.mtn.com',
    MTN_MOMO_SUBSCRIPTION_KEY: 'k',
    MTN_MOMO_API_USER: 'c72025f5-5cd1-4630-99e4-8ba4722fad56',
    MTN_MOMO_API_KEY: 'a',
    MTN_MOMO_TARGET_ENVIRONMENT: 'mtnuganda',
  }
  expect(readConfig({ ...environment, COUNTRY: 'UG', ...mtn }).rails.mtnMomo).toMatchObject({
    targetEnvironment: 'mtnuganda',
    currency: 'UGX',
  })
})

test('requires the return URL of card payers where cards are on', () => {
  const card = {
    ...{ CARD_BASE_URL: 'https://ap-gateway.mastercard.com', CARD_API_VERSION: '100' },
    ...{ CARD_MERCHANT_ID: 'TESTMALIPO', CARD_API_PASSWORD: 'p', CARD_MERCHANT_NAME: 'Malipo' },
  }
  const own = { ...environment, ...card, CARD_PAYER_KEY: 'ab'.repeat(32) }
  const read = readConfig({ ...own, BASE_URL: 'https://pay.example/' })
  expect([read.rails.card?.version, read.baseUrl]).toEqual(['100', 'https://pay.example'])
  expect(() => readConfig(own)).toThrow('BASE_URL')
})

test('requires the encryption key of card payers where cards are on', () => {
  const card = {
    ...{ CARD_BASE_URL: 'https://ap-gateway.mastercard.com', CARD_API_VERSION: '100' },
    ...{ CARD_MERCHANT_ID: 'TESTMALIPO', CARD_API_PASSWORD: 'p', CARD_MERCHANT_NAME: 'Malipo' },
  }
  const own = { ...environment, ...card, BASE_URL: 'https://pay.example/' }
  expect(() => readConfig(own)).toThrow('CARD_PAYER_KEY')
})

test('reports every problem at once, including a rail with half its settings', () => {
  const broken = {
    ...environment,
    LEDGER_ADDRESS: 'ledger',
    TLS_DIR: '',
    MPESA_PASSKEY: 'p',
  }
  expect(() => readConfig(broken)).toThrow(
    /TLS_DIR.*\n.*LEDGER_ADDRESS.*\n.*MPESA_BASE_URL.*\n.*MPESA_CONSUMER_KEY.*\n.*MPESA_CONSUMER_SECRET.*\n.*MPESA_SHORTCODE/,
  )
})

test('reads process.env, which is not a plain object', () => {
  const own = Object.assign(Object.create(Date.prototype) as NodeJS.ProcessEnv, environment)
  expect(readConfig(own).country).toBe('ke')
})

test('refuses settings that contradict each other, and says what to do', () => {
  const mistaken = {
    ...environment,
    CALLBACK_BASE_URL: 'https://mpesa.example.com',
    MPESA_BASE_URL: 'https://sandbox.safaricom.co.ke',
    MPESA_CONSUMER_KEY: 'k',
    MPESA_CONSUMER_SECRET: 's',
    MPESA_SHORTCODE: '174379',
    MPESA_PASSKEY: 'p',
  }
  expect(() => readConfig(mistaken)).toThrow(
    /CALLBACK_BASE_URL: has the word mpesa, for which Daraja refuses an address: choose another name/,
  )
})
