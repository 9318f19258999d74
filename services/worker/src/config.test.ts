import { readConfig } from './config'

const environment = {
  COUNTRY: 'KE',
  ADMIN_PORT: '0',
  INTERNAL_SECRET: 'ab'.repeat(32),
  LEDGER_ADDRESS: '127.0.0.1:5001',
  REDIS_URL: 'redis://127.0.0.1:6379',
  QUEUE_PREFIX: 'malipo-ke',
  CALLBACK_BASE_URL: 'https://callbacks.example.com/',
}

test('reads a worker without rails, as the Ugandan one is', () => {
  expect(readConfig(environment)).toEqual({
    country: 'ke',
    host: '127.0.0.1',
    adminPort: 0,
    internalSecret: Buffer.from('ab'.repeat(32), 'hex'),
    ledgerAddress: '127.0.0.1:5001',
    redisUrl: 'redis://127.0.0.1:6379',
    queuePrefix: 'malipo-ke',
    callbackBaseUrl: 'https://callbacks.example.com',
    sweepSeconds: 1,
    rails: { mpesa: undefined },
  })
})

test('names every problem at once, the rail that is half set included', () => {
  const broken = {
    ...environment,
    LEDGER_ADDRESS: 'ledger',
    INTERNAL_SECRET: '',
    MPESA_PASSKEY: 'p',
  }
  expect(() => readConfig(broken)).toThrow(
    /INTERNAL_SECRET.*\n.*LEDGER_ADDRESS.*\n.*MPESA_BASE_URL.*\n.*MPESA_CONSUMER_KEY.*\n.*MPESA_CONSUMER_SECRET.*\n.*MPESA_SHORTCODE/,
  )
})
