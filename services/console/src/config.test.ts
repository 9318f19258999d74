import { readConfig } from './config'

const local = {
  PORT: '0',
  ADMIN_PORT: '0',
  TLS_DIR: 'identities/console',
  CONSOLE_URL: 'http://127.0.0.1:4060/',
  LEDGER_KE_ADDRESS: 'ledger-ke:50051',
  LEDGER_UG_ADDRESS: 'ledger-ug:50051',
}
const oidc = {
  OIDC_ISSUER: 'https://login.example',
  OIDC_CLIENT_ID: 'malipo-console',
  OIDC_CLIENT_SECRET: 'x'.repeat(32),
}

test('needs no identity provider on one machine', () => {
  expect(readConfig(local)).toMatchObject({
    consoleUrl: 'http://127.0.0.1:4060',
    oidc: undefined,
  })
})

test('does not start without an identity provider where other machines reach it', () => {
  const elsewhere = { ...local, CONSOLE_URL: 'https://console.example' }
  expect(() => readConfig(elsewhere)).toThrow(/OIDC_ISSUER: must be set/)
  expect(readConfig({ ...elsewhere, ...oidc }).oidc).toMatchObject({ clientId: 'malipo-console' })
})

test.each([
  [{ OIDC_CLIENT_SECRET: undefined }, /OIDC_CLIENT_SECRET: must be set/],
  [{ OIDC_CLIENT_SECRET: 'short' }, /at least 16 characters/],
  [{ OIDC_ISSUER: 'http://login.example' }, /OIDC_ISSUER: must be an https address/],
  [{ CONSOLE_URL: 'http://console.example' }, /CONSOLE_URL: must be an https address/],
])('refuses an identity provider that is set in part or in clear text: %j', (changes, why) => {
  expect(() => readConfig({ ...local, ...oidc, ...changes })).toThrow(why)
})
