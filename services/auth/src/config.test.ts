import { testIdentityDir } from '@malipo/testing/identities'
import { readConfig } from './config'

const hex = (byte: string) => byte.repeat(32)

const complete = {
  HOST: '0.0.0.0',
  PORT: '4000',
  GRPC_PORT: '4001',
  ADMIN_PORT: '4009',
  DATABASE_URL: 'postgresql://auth@127.0.0.1/accounts',
  TLS_DIR: testIdentityDir('auth'),
  CREDENTIAL_PEPPER: hex('0b'),
  PIN_PROOF_PRIVATE_KEY: hex('0c'),
  AUTH_URL: 'https://auth.example/',
  TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1',
  KEYS_ADDRESS: 'keys:50051',
  LEDGER_KE_ADDRESS: 'ledger-ke:50051',
  LEDGER_UG_ADDRESS: 'ledger-ug:50051',
  PAYMENTS_KE_URL: 'https://pay.example.ke',
  PAYMENTS_UG_URL: 'https://pay.example.ug',
}

test('accepts a complete environment', () => {
  expect(readConfig(complete)).toEqual({
    host: '0.0.0.0',
    port: 4000,
    grpcPort: 4001,
    adminPort: 4009,
    logLevel: 'info',
    databaseUrl: complete.DATABASE_URL,
    tlsDir: testIdentityDir('auth'),
    credentialPepper: Buffer.alloc(32, 0x0b),
    pinProofPrivateKey: Buffer.alloc(32, 0x0c),
    authUrl: 'https://auth.example',
    trustedProxies: ['10.0.0.0/8', '192.0.2.1'],
    connections: { max: 2_000, perAddressMax: 400, idleSeconds: 15 },
    keysAddress: 'keys:50051',
    ledgerAddresses: { ke: ['ledger-ke:50051'], ug: ['ledger-ug:50051'] },
    paymentsUrls: { ke: 'https://pay.example.ke', ug: 'https://pay.example.ug' },
  })
})

test.each([
  'PORT',
  'GRPC_PORT',
  'ADMIN_PORT',
  'DATABASE_URL',
  'TLS_DIR',
  'CREDENTIAL_PEPPER',
  'PIN_PROOF_PRIVATE_KEY',
  'AUTH_URL',
  'KEYS_ADDRESS',
  'LEDGER_KE_ADDRESS',
  'LEDGER_UG_ADDRESS',
  'PAYMENTS_KE_URL',
  'PAYMENTS_UG_URL',
])('refuses to start without %s, and names it', (name) => {
  expect(() => readConfig({ ...complete, [name]: undefined })).toThrow(name)
})
