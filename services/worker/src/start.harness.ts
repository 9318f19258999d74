import { randomInt } from 'node:crypto'
import { openChanges } from '@malipo/runtime/changes'
import { type Log, openLog } from '@malipo/runtime/log'
import type { CardPayer } from '@malipo/contracts/card-payer'
import type { Country } from '@malipo/kernel/countries'
import type { Started } from '@malipo/runtime/process'
import { type JobQueue, openJobQueue } from '@malipo/runtime/queue'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { testIdentityDir } from '@malipo/testing/identities'
import { testRedisUrl, uniquePrefix } from '@malipo/testing/redis'
import { openOperators, type Operators } from './operators.harness'
import { openAccounts, type Accounts } from './accounts.harness'
import { readConfig as readLedgerConfig } from '../../ledger/src/config'
import { settledInvariants } from '../../ledger/src/invariants.harness'
import { start as startLedger } from '../../ledger/src/start'
import { readConfig as readSimulatorConfig } from '../../simulator/src/config'
import { start as startSimulator } from '../../simulator/src/start'
import { readConfig } from './config'
import { type Attempt, openCallbackServer, payer, secretHex } from './gateway.harness'
import { start } from './start'

const log = openLog('test', 'silent')

/** The arguments of every log call of a worker, before the log redacts anything. */
export const logged: string[] = []
const workerLog = Object.assign(openLog('worker', 'silent'), {
  info: (...line: unknown[]) => logged.push(JSON.stringify(line)),
  warn: (...line: unknown[]) => logged.push(JSON.stringify(line)),
  error: (...line: unknown[]) => logged.push(JSON.stringify(line)),
})
const mpesa = {
  MPESA_CONSUMER_KEY: 'key',
  MPESA_CONSUMER_SECRET: 'secret',
  MPESA_SHORTCODE: '174379',
  MPESA_PASSKEY: 'passkey',
}

const cardGateway = {
  CARD_MERCHANT_ID: 'TESTMALIPO',
  CARD_API_PASSWORD: 'password',
  CARD_NOTIFICATION_SECRET: 'secret',
}

/** The prefixes of phone numbers of Safaricom and MTN. */
const phonePrefix = { ke: '25471', ug: '25677' } as const satisfies Record<Country, string>

/** A real ledger, Redis, simulated Daraja and callback server for the worker under test. */
export interface Surroundings {
  readonly database: TestDatabase
  readonly simulatorUrl: string
  readonly accounts: Accounts
  /** The environment of a worker, with `changes`. */
  workerVariables(changes?: Readonly<Record<string, string>>): Record<string, string>
  /** Starts a worker; `changes` override its environment. The test that starts it stops it. */
  startWorker(changes?: Readonly<Record<string, string>>, log?: Log): Promise<Started>
  stopLedger(): Promise<void>
  startLedger(): Promise<void>
  /** Creates a funded phone; `answer` is its reply to every prompt. */
  addPhone(answer?: string, afterMs?: number, prefix?: string): Promise<string>
  /** A checkout, by default of KES 500.00, and an intent for it, begun as the gateway does. */
  pay(phone: string, accountId?: string, amountMinor?: bigint): Promise<Attempt>
  /** Stores a made-up callback about a prompt, by default as from a listed address, and has it processed. */
  sendCallback(token: string, body: object, sourceKnown?: boolean): Promise<void>
  payByCard(payer?: CardPayer): Promise<Attempt>
  /** The URL of the page opened for a card intent. */
  sessionOf(attempt: Attempt): Promise<string | undefined>
  /** Counts the announcements of an id from now on; undefined until the first. */
  announced(id: string): () => number | undefined
  /** The state of the newest intent as the payer page would show it. */
  attempt(
    checkoutId: string,
  ): Promise<{ status: string; cause: string; queued: boolean } | undefined>
  /** Two newly enrolled operators; the test that opens them closes them. */
  openOperators(): Promise<Operators>
  /** The simulator's control API. */
  control(method: string, path: string, body?: object): Promise<unknown>
  /** Stops everything, and fails when an invariant of the ledger does not hold. */
  stop(): Promise<void>
}

/** `provider`: additional variables of the simulator's environment. */
export async function openSurroundings(
  provider: Readonly<Record<string, string>> = {},
  country: Country = 'ke',
): Promise<Surroundings> {
  const closers: (() => Promise<unknown>)[] = []
  const database = await cloneDatabase('ledger')
  closers.push(() => database.drop())
  const ledger = await openLedgerProcess(database.url, country)
  closers.push(() => ledger.stop())
  const accounts = await openAccounts(ledger.address())
  closers.push(() => accounts.stop())
  const simulator = await startSimulator(
    readSimulatorConfig({ ...mpesa, ...cardGateway, ...provider, PORT: '0', ADMIN_PORT: '0' }),
    log,
  )
  closers.push(() => simulator.stop())
  const simulatorUrl = `http://127.0.0.1:${String(simulator.ports['http'])}`
  const prefix = uniquePrefix()
  const changes = openChanges({ redisUrl: testRedisUrl(), prefix, log })
  closers.push(() => {
    changes.close()
    return Promise.resolve()
  })
  const queues = {
    'submit-prompt': openTestQueue(prefix, 'submit-prompt'),
    'read-provider-message': openTestQueue(prefix, 'read-provider-message'),
  }
  closers.push(() => Promise.all(Object.values(queues).map((queue) => queue.close())))
  const gateway = payer(ledger.address(), country)
  closers.push(() => gateway.close())
  const callbackServer = await openCallbackServer(
    (token, body) => gateway.storeCallback(token, body),
    queues['read-provider-message'],
  )
  closers.push(() => callbackServer.stop())
  const control = controlOf(simulatorUrl)

  const workerVariables: Surroundings['workerVariables'] = (changes = {}) => ({
    ...(country === 'ke' && { ...mpesa, MPESA_BASE_URL: simulatorUrl }),
    CARD_BASE_URL: simulatorUrl,
    CARD_API_VERSION: '100',
    CARD_MERCHANT_ID: cardGateway.CARD_MERCHANT_ID,
    CARD_API_PASSWORD: cardGateway.CARD_API_PASSWORD,
    CARD_MERCHANT_NAME: 'Malipo Payments',
    BASE_URL: 'https://pay.example',
    COUNTRY: country,
    KEY_MODE: 'test',
    ADMIN_PORT: '0',
    TLS_DIR: testIdentityDir(`worker-${country}`),
    CARD_PAYER_KEY: secretHex,
    LEDGER_ADDRESS: ledger.address(),
    ACCOUNTS_ADDRESS: accounts.address,
    REDIS_URL: testRedisUrl(),
    QUEUE_PREFIX: prefix,
    CALLBACK_BASE_URL: callbackServer.url,
    SWEEP_SECONDS: '0.05',
    ...changes,
  })

  return {
    database,
    simulatorUrl,
    accounts,
    workerVariables,
    startWorker: (changes = {}, log = workerLog) =>
      start(readConfig(workerVariables(changes)), log),
    stopLedger: () => ledger.stop(),
    async startLedger() {
      await ledger.start()
      await gateway.ready()
    },
    async addPhone(answer = 'approve', afterMs = 0, prefix = phonePrefix[country]) {
      const msisdn = `${prefix}${String(randomInt(1e7)).padStart(7, '0')}`
      await control('POST', '/phones', { msisdn, name: 'Payer', balance: '10000000' })
      await control('PUT', `/phones/${msisdn}/policy`, { answer, after_ms: afterMs })
      return msisdn
    },
    async sendCallback(token, body, sourceKnown) {
      const bytes = Buffer.from(JSON.stringify(body))
      const messageId = await gateway.storeCallback(token, bytes, sourceKnown)
      await queues['read-provider-message'].enqueue(messageId)
    },
    async pay(phone, accountId, amountMinor) {
      const attempt = await gateway.pay(phone, accountId, amountMinor)
      await queues['submit-prompt'].enqueue(attempt.intentId)
      return attempt
    },
    async payByCard(payer = {}) {
      const attempt = await gateway.payByCard(payer)
      await queues['submit-prompt'].enqueue(attempt.intentId)
      return attempt
    },
    sessionOf: (attempt) => gateway.sessionOf(attempt),
    announced(id) {
      let count: number | undefined
      changes.watch(id, () => {
        count = (count ?? 0) + 1
      })
      return () => count
    },
    attempt: (checkoutId) => gateway.attempt(checkoutId),
    openOperators: () => openOperators(ledger.address(), country),
    control,
    async stop() {
      const broken = await settledInvariants(database)
      for (const close of closers.reverse()) await close()
      expect(broken).toEqual({})
    },
  }
}

function openTestQueue(prefix: string, name: string): JobQueue {
  return openJobQueue({ redisUrl: testRedisUrl(), prefix, name, log })
}

/** The ledger as a single process that tests can stop and restart at its address, with short query delays. */
async function openLedgerProcess(databaseUrl: string, country: Country) {
  const run = (port: number) =>
    startLedger(
      readLedgerConfig({
        COUNTRY: country,
        PORT: String(port),
        ADMIN_PORT: '0',
        DATABASE_URL: databaseUrl,
        TLS_DIR: testIdentityDir(`ledger-${country}`),
        QUERY_AFTER_SECONDS: '0.5',
        QUERY_EVERY_SECONDS: '0.5',
        CARD_QUERY_AFTER_SECONDS: '0.5',
        ...(country === 'ke' && { PAY_BILL_NUMBER_KEY: secretHex }),
        CALLBACK_UNCONFIRMED_MAX_MINOR: '50000',
      }),
      log,
    )
  let running = await run(0)
  const port = running.ports['grpc'] ?? 0
  return {
    address: () => `127.0.0.1:${String(port)}`,
    stop: () => running.stop(),
    async start() {
      running = await run(port)
    },
  }
}

function controlOf(simulatorUrl: string): Surroundings['control'] {
  return async (method, path, body) => {
    const response = await fetch(`${simulatorUrl}/sim/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok)
      throw new Error(`${path}: ${String(response.status)} ${await response.text()}`)
    return response.json()
  }
}
