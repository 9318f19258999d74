import { testIdentityDir } from '@malipo/testing/identities'
import { readConfig } from './config'

const secret = '0a'.repeat(32)
const environment = {
  COUNTRY: 'KE',
  KEY_MODE: 'test',
  PORT: '8080',
  CALLBACK_PORT: '8081',
  ADMIN_PORT: '8082',
  TLS_DIR: testIdentityDir('gateway-ke'),
  BASE_URL: 'https://pay.example/',
  AUTH_URL: 'https://auth.example/',
  KEYS_ADDRESS: 'keys:1',
  LEDGER_ADDRESS: 'ledger:2',
  ACCOUNTS_ADDRESS: 'auth:3',
  REDIS_URL: 'redis://redis:6379',
  QUEUE_PREFIX: 'malipo-ke',
  KEY_CHECK_SECRET: secret,
}

test('reads the required settings, and trusts no proxy by default', () => {
  expect(readConfig(environment)).toMatchObject({
    country: 'ke',
    host: '127.0.0.1',
    baseUrl: 'https://pay.example',
    authUrl: 'https://auth.example',
    keyCacheSeconds: 60,
    trustedProxies: [],
    connections: { max: 2_000, perAddressMax: 400, idleSeconds: 15 },
    waitsMax: 1_000,
    streamsMax: 500,
    pageOrigins: [],
  })
})

test('bounds connections by its settings', () => {
  const settings = {
    CONNECTIONS_MAX: '50',
    CONNECTIONS_PER_ADDRESS_MAX: '7',
    IDLE_CONNECTION_SECONDS: '3',
  }
  expect(readConfig({ ...environment, ...settings }).connections).toEqual({
    ...{ max: 50, perAddressMax: 7, idleSeconds: 3 },
  })
})

test('reads provider addresses from the country, unless a setting overrides them', () => {
  expect(readConfig(environment).callbackSources).toContain('196.201.214.200')
  const given = readConfig({ ...environment, CALLBACK_SOURCES: '127.0.0.1, 10.0.0.0/8' })
  expect(given.callbackSources).toEqual(['127.0.0.1', '10.0.0.0/8'])
})

test('requires the encryption key of card payers where cards are on', () => {
  const card = { ...environment, CARD_BASE_URL: 'https://cards.example' }
  expect(() => readConfig(card)).toThrow('CARD_PAYER_KEY')
  const read = readConfig({ ...card, CARD_PAYER_KEY: secret })
  expect(read.cardPayerKey).toEqual(Buffer.from(secret, 'hex'))
})

test('reports every problem at once', () => {
  const wrong = {
    ...environment,
    KEY_MODE: 'demo',
    TRUSTED_PROXIES: 'everybody',
    LEDGER_ADDRESS: 'x',
  }
  expect(() => readConfig({ ...wrong, KEY_CHECK_SECRET: undefined })).toThrow(
    /KEY_MODE[^]*LEDGER_ADDRESS[^]*TRUSTED_PROXIES[^]*KEY_CHECK_SECRET/,
  )
})

test('reads the settings of further cells in the order of their numbers', () => {
  const settings = {
    MPESA_SHORTCODE: '600100',
    LEDGER_CELLS: 'ledger-1:2  ipv4:10.0.0.1:2,10.0.0.2:2',
    MPESA_SHORTCODE_CELLS: '600101 600102',
  }
  const redis = 'redis://redis:6379'
  const cells = [
    { ledgerAddress: 'ledger:2', redisUrl: redis, businessNumber: '600100' },
    { ledgerAddress: 'ledger-1:2', redisUrl: redis, businessNumber: '600101' },
    { ledgerAddress: 'ipv4:10.0.0.1:2,10.0.0.2:2', redisUrl: redis, businessNumber: '600102' },
  ]
  expect(readConfig({ ...environment, ...settings }).cells).toEqual(cells)
  const own = { ...settings, REDIS_CELLS: 'redis://one:6379 redis://two:6379' }
  expect(readConfig({ ...environment, ...own }).cells.map(({ redisUrl }) => redisUrl)).toEqual([
    ...[redis, 'redis://one:6379', 'redis://two:6379'],
  ])
})

test.each([
  ['a cell without a Pay Bill number', { MPESA_SHORTCODE: '600100' }, 'MPESA_SHORTCODE_CELLS'],
  ['a cell too much', { REDIS_CELLS: 'redis://one:6379 redis://two:6379' }, 'REDIS_CELLS'],
  ['a till of several cells', { MPESA_SHORTCODE: '600100', MPESA_TILL: '832456' }, 'LEDGER_CELLS'],
])('refuses %s', (_, settings, variable) => {
  const further = { ...environment, LEDGER_CELLS: 'ledger-1:2', ...settings }
  expect(() => readConfig(further)).toThrow(variable)
})

test('has Pay Bill and its callbacks off by default, and refuses a path secret that can be guessed', () => {
  expect(readConfig(environment)).toMatchObject({
    cells: [{ businessNumber: undefined }],
    c2bPathSecret: undefined,
  })
  const given = { ...environment, MPESA_SHORTCODE: '600100', C2B_PATH_SECRET: 'ab'.repeat(16) }
  expect(readConfig(given)).toMatchObject({
    cells: [{ businessNumber: '600100' }],
    c2bPathSecret: 'ab'.repeat(16),
  })
  const guessable = { ...given, C2B_PATH_SECRET: 'mpesa' }
  expect(() => readConfig(guessable)).toThrow(/C2B_PATH_SECRET/)
})
