import { testIdentityDir } from '@malipo/testing/identities'
import { readConfig } from './config'

const hex = (byte: string) => byte.repeat(32)

const complete = {
  PORT: '7101',
  ADMIN_PORT: '7102',
  DATABASE_URL: 'postgresql://keys@127.0.0.1/keys',
  TLS_DIR: testIdentityDir('keys'),
  KEY_MODE: 'test',
  KEY_PEPPERS: `${hex('0b')},${hex('0c')}`,
  KEY_CHECK_SECRET: hex('0d'),
  PIN_PROOF_PUBLIC_KEY: hex('0e'),
}

test('accepts a complete environment, with the current pepper first', () => {
  expect(readConfig(complete)).toEqual({
    host: '127.0.0.1',
    port: 7101,
    adminPort: 7102,
    logLevel: 'info',
    databaseUrl: complete.DATABASE_URL,
    tlsDir: testIdentityDir('keys'),
    keyMode: 'test',
    keyPeppers: [Buffer.alloc(32, 0x0b), Buffer.alloc(32, 0x0c)],
    keyCheckSecret: Buffer.alloc(32, 0x0d),
    pinProofPublicKey: Buffer.alloc(32, 0x0e),
  })
})

test.each([
  ['TLS_DIR', undefined],
  ['KEY_CHECK_SECRET', undefined],
  ['PIN_PROOF_PUBLIC_KEY', undefined],
  ['PIN_PROOF_PUBLIC_KEY', hex('0e').slice(2)],
  ['PIN_PROOF_PUBLIC_KEY', `${hex('0e')}0e`],
  ['KEY_PEPPERS', undefined],
  ['KEY_PEPPERS', ''],
  ['KEY_PEPPERS', hex('0B')],
  ['KEY_PEPPERS', `${hex('0b')},short`],
  ['KEY_MODE', 'prod'],
  ['DATABASE_URL', 'not an address'],
  ['PORT', '70000'],
])('refuses to start with %s = %p, and names the setting', (name, value) => {
  expect(() => readConfig({ ...complete, [name]: value })).toThrow(name)
})

test('reports every problem at once', () => {
  expect(() => readConfig({})).toThrow(/PORT[^]*DATABASE_URL[^]*KEY_MODE[^]*KEY_PEPPERS/)
})
