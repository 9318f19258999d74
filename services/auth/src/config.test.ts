import { readConfig } from './config'

const hex = (byte: string) => byte.repeat(32)

const complete = {
  HOST: '0.0.0.0',
  PORT: '4000',
  GRPC_PORT: '4001',
  ADMIN_PORT: '4009',
  DATABASE_URL: 'postgresql://auth@127.0.0.1/accounts',
  INTERNAL_SECRET: hex('0a'),
  CREDENTIAL_PEPPER: hex('0b'),
}

test('reads a complete environment', () => {
  expect(readConfig(complete)).toEqual({
    host: '0.0.0.0',
    port: 4000,
    grpcPort: 4001,
    adminPort: 4009,
    logLevel: 'info',
    databaseUrl: complete.DATABASE_URL,
    internalSecret: Buffer.alloc(32, 0x0a),
    credentialPepper: Buffer.alloc(32, 0x0b),
  })
})

test.each([
  'PORT',
  'GRPC_PORT',
  'ADMIN_PORT',
  'DATABASE_URL',
  'INTERNAL_SECRET',
  'CREDENTIAL_PEPPER',
])('refuses to start without %s, and names it', (name) => {
  expect(() => readConfig({ ...complete, [name]: undefined })).toThrow(name)
})
