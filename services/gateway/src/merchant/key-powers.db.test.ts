import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AccountServiceService } from '@malipo/contracts/proto/accounts/v1/account_service'
import { KeyServiceService } from '@malipo/contracts/proto/keys/v1/key_service'
import { LedgerServiceService } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openAnonymousClients } from '@malipo/runtime/calls.harness'
import { openCall } from '@malipo/runtime/grpc'
import { adminPaths } from '@malipo/runtime/health'
import { openLog } from '@malipo/runtime/log'
import type { Started } from '@malipo/runtime/process'
import { testIdentityDir } from '@malipo/testing/identities'
import { testRedisUrl } from '@malipo/testing/redis'
import { readConfig as readConsoleConfig } from '../../../console/src/config'
import { start as startConsole } from '../../../console/src/start'
import { readConfig as readSimulatorConfig } from '../../../simulator/src/config'
import { start as startSimulator } from '../../../simulator/src/start'
import { readConfig as readWorkerConfig } from '../../../worker/src/config'
import { start as startWorker } from '../../../worker/src/start'
import { type Route, watchRoutes } from '../routes.harness'
import type { Merchant } from '../merchants.harness'
import { type RunningHost, startHost } from '../start.harness'

const watched = watchRoutes()
const log = openLog('test', 'silent')
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const c2bPathSecret = 'ab'.repeat(16)

let host: RunningHost
let simulator: Started
let worker: Started
let operatorsConsole: Started
let routes: readonly Route[]
let listeners: readonly string[]
let owner: Merchant
let own: string
let foreign: string

beforeAll(async () => {
  host = await startHost({ c2bPathSecret, businessNumber: '600100' })
  simulator = await startSimulator(readSimulatorConfig(simulatorVariables), log)
  worker = await startWorker(readWorkerConfig(workerVariables()), log)
  operatorsConsole = await startConsole(readConsoleConfig(consoleVariables()), log)
  listeners = watched.listeners()
  routes = [...watched.routes(), ...(await wireRoutes())]
  owner = await host.merchant()
  own = (await host.checkout(owner, { amount: 50_000 })).id
  foreign = (await host.checkout(await host.merchant(), { amount: 50_000 })).id
})

afterAll(async () => {
  await operatorsConsole.stop()
  await worker.stop()
  await simulator.stop()
  await host.stop()
})

const mpesa = {
  MPESA_CONSUMER_KEY: 'key',
  MPESA_CONSUMER_SECRET: 'secret',
  MPESA_SHORTCODE: '174379',
  MPESA_PASSKEY: 'passkey',
}
const simulatorVariables = {
  ...mpesa,
  PORT: '0',
  ADMIN_PORT: '0',
  MTN_MOMO_SUBSCRIPTION_KEY: 'key',
  MTN_MOMO_API_USER: 'c72025f5-5cd1-4630-99e4-8ba4722fad56',
  MTN_MOMO_API_KEY: 'key',
  AIRTEL_CLIENT_ID: 'id',
  AIRTEL_CLIENT_SECRET: 'secret',
  CARD_MERCHANT_ID: 'TESTMALIPO',
  CARD_API_PASSWORD: 'password',
  CARD_NOTIFICATION_SECRET: 'secret',
}
const workerVariables = () => ({
  ...mpesa,
  COUNTRY: 'ke',
  KEY_MODE: 'test',
  ADMIN_PORT: '0',
  TLS_DIR: testIdentityDir('worker-ke'),
  LEDGER_ADDRESS: host.address('ledger'),
  ACCOUNTS_ADDRESS: host.address('auth'),
  REDIS_URL: testRedisUrl(),
  QUEUE_PREFIX: host.queuePrefix,
  CALLBACK_BASE_URL: host.callbackUrl,
  MPESA_BASE_URL: simulatorUrl(),
})
const consoleVariables = () => ({
  PORT: '0',
  ADMIN_PORT: '0',
  CONSOLE_URL: 'http://127.0.0.1',
  TLS_DIR: testIdentityDir('console'),
  LEDGER_KE_ADDRESS: host.address('ledger'),
  LEDGER_UG_ADDRESS: host.address('ledger'),
})
const simulatorUrl = () => `http://127.0.0.1:${String(simulator.ports['http'])}`

/** The simulator's provider APIs are not Express routes, so the simulator lists them. */
async function wireRoutes(): Promise<Route[]> {
  const answer = await fetch(`${simulatorUrl()}/sim/v1/meta`)
  const { rails } = (await answer.json()) as { rails: { paths: string[] }[] }
  return rails
    .flatMap(({ paths }) => paths)
    .map((line) => {
      const [method = '', path = ''] = line.split(' ')
      return { method, path: path.replaceAll(/\{(\w+)\}/g, ':$1') }
    })
}

const collection = '/v1/payments/merchant/checkouts'
const bearer = () => ({ authorization: `Bearer ${owner.secretKey}` })

/** A path with a real id in each parameter. */
function fill(path: string): string {
  return path
    .replace(/:id\b/, path.includes('intents') ? `pi_${'0'.repeat(24)}` : own)
    .replace(/:handle\b/, owner.username)
    .replace(/:secret\b/, c2bPathSecret)
    .replaceAll(/[:*]\w+/g, 'a'.repeat(32))
}

let requests = 0

/** The status, with the code if any. Each request has its own address, so that no rate limit applies. */
async function answer(url: string, method: string, headers = {}): Promise<string> {
  requests += 1
  const from = `198.18.${String(requests >> 8)}.${String(requests & 255)}`
  const hasBody = !['GET', 'OPTIONS'].includes(method)
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...headers, 'x-forwarded-for': from, 'content-type': 'application/json' },
    ...(hasBody && { body: '{}' }),
  })
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) {
    await response.body?.cancel()
    return String(response.status)
  }
  const { code = '' } = (await response.json()) as { code?: number }
  return `${String(response.status)} ${String(code)}`.trim()
}

/** What the key changes at a route, as `GET /path: 401 2781 -> 200`. A refusal (400, 401) grants nothing. */
async function whatKeyOpens(base: string, path: string): Promise<string[]> {
  const url = base + fill(path)
  const registered = routes.filter((route) => route.path === path).map(({ method }) => method)
  const opened: string[] = []
  for (const method of new Set([...registered, ...methods])) {
    const withKey = await answer(url, method, bearer())
    // An unknown path of this listener stays unknown with any method.
    if (['404', '404 1704'].includes(withKey)) break
    if (path.startsWith('/v1/hub'))
      expect([url, withKey]).toEqual([url, expect.stringMatching(/^4/)])
    if (/^40[01]\b/.test(withKey)) continue
    const without = await answer(url, method)
    if (withKey !== without) opened.push(`${method} ${path}: ${without} -> ${withKey}`)
  }
  return opened
}

test('finds every listener of every service, and the routes of each', () => {
  const services = readdirSync(join(__dirname, '../../..'))
  expect(listeners.length).toBeGreaterThan(services.length)
  const paths = routes.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining([
      ...[collection, '/v1/hub/wallet', '/v1/hub/keys', '/callbacks/:token', '/metrics'],
      ...['/sim/v1/phones/:msisdn', '/mpesa/stkpush/v1/processrequest'],
    ]),
  )
  expect(routes.length).toBeGreaterThan(90)
})

test('lists all routes of the host in its OpenAPI document, and no other', async () => {
  const { paths } = (await host.ask('/docs/openapi.json')).body as { paths: Record<string, object> }
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    methods
      .filter((method) => method.toLowerCase() in operations)
      .map((method) => `${method} ${path}`),
  )
  const registered = routes
    .filter(({ method, path }) => /^\/v1\/(?:payments|auth)\//.test(path) && method !== 'OPTIONS')
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  expect(registered.length).toBeGreaterThan(8)
  expect(documented.sort()).toEqual(registered.sort())
})

test('S9: a secret key changes the answer of its two routes and of no other route of any service', async () => {
  const opened: string[] = []
  const paths = [...new Set(routes.map(({ path }) => path))]
  for (const base of listeners) {
    const found = await Promise.all(paths.map((path) => whatKeyOpens(base, path)))
    opened.push(...found.flat())
  }
  // A create without an amount is refused before the key is checked; the next test sends a valid one.
  expect(opened).toEqual([`GET ${collection}/:id: 401 2781 -> 200`])
})

test('shows no key, name or id of an account on any admin port', async () => {
  const urls = listeners.flatMap((base) => adminPaths.map((path) => base + path))
  const answers = await Promise.all(
    urls.map(async (url) => {
      const response = await fetch(url)
      return { answer: `${String(response.status)} ${url}`, page: await response.text() }
    }),
  )
  // A public listener answers 404.
  expect(answers.filter(({ answer }) => !/^(?:200|404|503) /.test(answer))).toEqual([])
  // A busy service may answer 503 for a moment: that page must not show them either.
  const shown = answers.filter(({ answer }) => !answer.startsWith('404 '))
  const services = readdirSync(join(__dirname, '../../..'))
  expect(shown.map(({ answer }) => answer)).toHaveLength(services.length * adminPaths.length)
  const { secretKey, username, accountId } = owner
  for (const secret of [secretKey, username, accountId, own, 'PRIVATE KEY', c2bPathSecret]) {
    expect(shown.filter(({ page }) => page.includes(secret))).toEqual([])
  }
})

test("creates and reads checkouts of the key's owner, and reads none of another account", async () => {
  const made = await host.ask(collection, { body: { amount: 50_000 }, headers: bearer() })
  expect(made.status).toBe(201)
  expect((await host.ask(`${collection}/${own}`, { headers: bearer() })).status).toBe(200)
  const refused = await host.ask(`${collection}/${foreign}`, { headers: bearer() })
  expect([refused.status, refused.body.code]).toEqual([404, 2783])
})

test('refuses the key as a credential at every gRPC method of every service', async () => {
  const services = [
    { server: 'auth', definition: AccountServiceService, address: host.address('auth') },
    { server: 'keys', definition: KeyServiceService, address: host.address('keys') },
    { server: 'ledger-ke', definition: LedgerServiceService, address: host.address('ledger') },
  ] as const
  const call = openCall('unavailable')
  const bytes = (value: Buffer) => value
  const clients = services.flatMap(({ definition, ...served }) =>
    openAnonymousClients(served).map((client) => ({ client, definition })),
  )
  for (const { client, definition } of clients) {
    // At once, because a client waits longer before each further connection.
    const refused = Object.values(definition).map(({ path }) => {
      const answer = call(20_000, (metadata, options, done) => {
        metadata.set('authorization', `Bearer ${owner.secretKey}`)
        const answered = done as (error: unknown, response?: Buffer) => void
        const empty = Buffer.alloc(0)
        return client.makeUnaryRequest(path, bytes, bytes, empty, metadata, options, answered)
      })
      // 14 is UNAVAILABLE: without a certificate there is no connection.
      return expect(answer).rejects.toMatchObject({ facts: { grpcStatus: 14 } })
    })
    await Promise.all(refused)
    client.close()
  }
})
