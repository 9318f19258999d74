import { readFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { systemClock } from '@malipo/runtime/clock'
import { openLog } from '@malipo/runtime/log'
import { testIdentityDir } from '@malipo/testing/identities'
import { openSimulatorControl } from '@malipo/testing/simulator-control'
import { readConfig } from '../../../services/simulator/src/config'
import { start } from '../../../services/simulator/src/start'
import { checkProviders } from './check-providers'

// The simulator plays every provider, by code that shares none with the rails.
const credentials = {
  ...{ MPESA_CONSUMER_KEY: 'key', MPESA_CONSUMER_SECRET: 'secret', MPESA_SHORTCODE: '600100' },
  ...{ MPESA_PASSKEY: 'passkey', CARD_MERCHANT_ID: 'SHOP', CARD_API_PASSWORD: 'password' },
  MTN_MOMO_SUBSCRIPTION_KEY: 'subscription',
  MTN_MOMO_API_USER: 'c72025f5-5cd1-4630-99e4-8ba4722fad56',
  MTN_MOMO_API_KEY: 'api-key',
  MTN_MOMO_TARGET_ENVIRONMENT: 'mtnuganda',
  ...{ AIRTEL_CLIENT_ID: 'client', AIRTEL_CLIENT_SECRET: 'client-secret' },
}

const c2bSecret = '0f4c8a5d2b7e4f1c9a6d3e8b5c2f7a10'

/** Answers as a gateway: at the address of validations, and 404 elsewhere. */
const gateway = createPlainServer((request, response) => {
  request.resume()
  response.writeHead(request.url === `/callbacks/c2b/${c2bSecret}/validation` ? 200 : 404).end()
})

let simulator: Awaited<ReturnType<typeof start>>
let environment: Record<string, string>

beforeAll(async () => {
  simulator = await start(
    readConfig({ ...credentials, CARD_NOTIFICATION_SECRET: 'told', PORT: '0', ADMIN_PORT: '0' }),
    openLog('simulator', 'silent'),
  )
  const url = `http://127.0.0.1:${String(simulator.ports['http'])}`
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const callbackPort = (gateway.address() as AddressInfo).port
  environment = {
    ...credentials,
    ...{ MPESA_BASE_URL: url, MTN_MOMO_BASE_URL: url, AIRTEL_BASE_URL: url, CARD_BASE_URL: url },
    COUNTRY: 'ke',
    ...{ CARD_API_VERSION: '100', CARD_MERCHANT_NAME: 'Malipo' },
    ...{
      CALLBACK_BASE_URL: `http://127.0.0.1:${String(callbackPort)}`,
      C2B_PATH_SECRET: c2bSecret,
    },
  }
})

afterAll(async () => {
  await simulator.stop()
  gateway.close()
})

async function check(changes: Record<string, string>, now = systemClock.now) {
  const checks = await checkProviders({ ...environment, ...changes }, now)
  return checks.map(({ what, result, finding }) => `${result} ${what}: ${finding}`)
}

const wrongOf = (lines: readonly string[]) => lines.filter((line) => line.startsWith('wrong '))

test('reports correct settings as good, and names what cannot be checked from here', async () => {
  const lines = await check({})
  expect(wrongOf(lines)).toEqual([])
  for (const rail of ['mpesa', 'mtn_momo', 'airtel_money', 'card']) {
    expect(lines).toContain(`good credentials of ${rail}: taken`)
  }
  expect(lines).toEqual(
    expect.arrayContaining([
      'good settings: well formed, and fit each other',
      expect.stringMatching(/^good clock by MPESA_BASE_URL: ours differs by [01] s$/),
      expect.stringMatching(/^not seen our address: MTN takes calls from listed addresses/),
      expect.stringMatching(/^not seen addresses at Safaricom: .*provider register once/),
      'good statement of mpesa: that of 600100 can be read',
      'good C2B_PATH_SECRET: the gateway has the same, and its address answers',
    ]),
  )
})

test('reports a statement that is not granted as wrong, and says what to do', async () => {
  await openSimulatorControl(environment['MPESA_BASE_URL'] ?? '').addRule({
    on: 'pull',
    effect: { kind: 'error', error: 'invalid_short_code_pull' },
    times: 1,
  })
  const [line, ...others] = wrongOf(await check({}))
  expect(line).toMatch(
    /^wrong statement of mpesa: .*not granted for 600100; run provider pull-register, and ask Safaricom/,
  )
  expect(others).toEqual([])
})

test('reports a statement that may be quiet or not granted as not seen, and says how to find out', async () => {
  await openSimulatorControl(environment['MPESA_BASE_URL'] ?? '').addRule({
    on: 'pull',
    effect: { kind: 'lie', code: 'not_registered' },
    times: 2,
  })
  const lines = await check({})
  expect(wrongOf(lines)).toEqual([])
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^not seen statement of mpesa: .*provider pull-register, pay one shilling/,
    ),
  )
})

test.each([
  ['another secret than the gateway has', 'a'.repeat(32), 'answers 404: give gateway and worker'],
  ['no secret', '', 'is not set, or CALLBACK_BASE_URL is not'],
])('reports addresses for payments from the menu with %s as wrong', async (_, secret, finding) => {
  const lines = wrongOf(await check({ C2B_PATH_SECRET: secret }))
  expect(lines).toEqual([expect.stringContaining(finding)])
})

test('names our address, which MTN may not list, when MTN refuses our credentials', async () => {
  const lines = wrongOf(await check({ MTN_MOMO_BASE_URL: environment['CALLBACK_BASE_URL'] ?? '' }))
  expect(lines).toEqual([
    expect.stringMatching(/^wrong credentials of mtn_momo: .*have it listed$/),
  ])
})

test.each([
  ['mpesa', 'MPESA_CONSUMER_SECRET', 'http 400'],
  ['mtn_momo', 'MTN_MOMO_API_KEY', 'http 401'],
  ['airtel_money', 'AIRTEL_CLIENT_SECRET', 'http 401'],
  ['card', 'CARD_API_PASSWORD', 'http 401'],
])(
  'reports credentials of %s with another %s as wrong, with the answer of the provider',
  async (rail, variable, answer) => {
    const [line, ...others] = wrongOf(await check({ [variable]: 'another' }))
    expect(line).toContain(`credentials of ${rail}: `)
    expect(line).toContain(answer)
    expect(line).toContain("compare them with the provider's portal")
    expect(line).not.toContain('another')
    expect(others).toEqual([])
  },
)

test('reports a clock that is two minutes off as wrong', async () => {
  const lines = wrongOf(await check({}, () => systemClock.now() + 120_000))
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(/clock by MPESA_BASE_URL: ours differs by 1(19|2[01]) s: run NTP/)
})

test.each([
  ['MPESA_SHORTCODE', '12', 'must be 5 to 7 digits'],
  ['CALLBACK_BASE_URL', 'http://127.0.0.1/mpesa', 'has the word mpesa'],
])('reports %s=%s as wrong, and says what to do', async (variable, value, finding) => {
  const lines = wrongOf(await check({ [variable]: value }))
  expect(lines.filter((line) => line.includes(finding))).toHaveLength(1)
})

test.each([
  ['no country', { COUNTRY: '' }, 'COUNTRY'],
  ['a malformed short code', { MPESA_SHORTCODE: '12' }, 'MPESA_SHORTCODE'],
])('sends no credentials anywhere with %s', async (_, changes, variable) => {
  const simulator = openSimulatorControl(environment['MPESA_BASE_URL'] ?? '')
  const issued = async () => {
    const events = await simulator.events()
    return events.filter(({ kind }) => kind === 'token_issued').length
  }
  const before = await issued()
  const lines = await check(changes)
  expect(wrongOf(lines)).toEqual([expect.stringContaining(variable)])
  expect(lines).toContainEqual(expect.stringMatching(/^not seen credentials: not sent anywhere/))
  expect(await issued()).toBe(before)
})

test('names the host, not the credentials, when a provider is not reached', async () => {
  const [line] = wrongOf(await check({ AIRTEL_BASE_URL: 'http://nowhere.invalid' })).filter((one) =>
    one.includes('credentials'),
  )
  expect(line).toContain('the host was not reached')
})

test('reports a callback address that no name server knows as wrong', async () => {
  expect(wrongOf(await check({ CALLBACK_BASE_URL: 'http://nowhere.invalid' }))).toEqual([
    'wrong CALLBACK_BASE_URL: nowhere.invalid has no address: add it to your DNS',
  ])
})

test('reports a missing variable as wrong, by its name', async () => {
  expect(wrongOf(await check({ MPESA_PASSKEY: '' }))).toEqual(['wrong MPESA_PASSKEY: is missing'])
})

test('reports an environment without a provider as wrong', async () => {
  const checks = await checkProviders(
    { CALLBACK_BASE_URL: environment['CALLBACK_BASE_URL'] },
    systemClock.now,
  )
  expect(checks[0]).toMatchObject({ what: 'rails', result: 'wrong' })
})

test('rejects a certificate without a trusted authority', async () => {
  const server = await listen()
  const { port } = server.address() as AddressInfo
  const lines = wrongOf(await check({ AIRTEL_BASE_URL: `https://localhost:${String(port)}` }))
  server.close()
  expect(lines[0]).toMatch(/^wrong AIRTEL_BASE_URL: localhost:\d+: Error: .*certificate/)
})

async function listen(): Promise<Server> {
  const dir = testIdentityDir('gateway-ke')
  const read = (name: string) => readFileSync(join(dir, name))
  const server = createServer({ cert: read('tls.crt'), key: read('tls.key') })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
