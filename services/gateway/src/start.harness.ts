import { testPinProofKeys } from '@malipo/contracts/pin-proof.harness'
import { countries, type Country, type Rail, rulesWithRails } from '@malipo/kernel/countries'
import { type Announce, openAnnounce } from '@malipo/runtime/changes'
import { systemClock } from '@malipo/runtime/clock'
import { openLog } from '@malipo/runtime/log'
import type { Started } from '@malipo/runtime/process'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { testIdentityDir } from '@malipo/testing/identities'
import { testRedisUrl, uniquePrefix } from '@malipo/testing/redis'
import { Redis } from 'ioredis'
import { readConfig as readAuthConfig } from '../../auth/src/config'
import { start as startAuth } from '../../auth/src/start'
import { readConfig as readKeysConfig } from '../../keys/src/config'
import { start as startKeys } from '../../keys/src/start'
import { readConfig as readLedgerConfig } from '../../ledger/src/config'
import { settledInvariants } from '../../ledger/src/invariants.harness'
import { start as startLedger } from '../../ledger/src/start'
import { letPass } from '../../ledger/src/time.harness'
import type { FurtherCell } from './cells/further-cell.harness'
import { openLedgerDriver, type LedgerDriver } from './ledger-driver.harness'
import { type Merchants, openMerchants } from './merchants.harness'
import type { CellConfig, Config } from './config'
import { openDocumentedAsk } from './documented.harness'
import { anyPhone, openShop, type Shop } from './open-shop.harness'
import { type Reply, send, type Sent } from './send.harness'
import { start } from './start'

export { anyPhone }

const everywhere = {
  host: '127.0.0.1',
  adminPort: 0,
  logLevel: 'silent',
} as const
const keyCheckSecret = Buffer.alloc(32, 2)
const upstreamVariables = {
  // No worker runs: callbacks settle for every amount, as none could query the provider, and prompts wait for the test.
  ...{ CALLBACK_UNCONFIRMED_MAX_MINOR: '15000000', PROMPT_WAIT_MAX_SECONDS: '3600' },
  PORT: '0',
  GRPC_PORT: '0',
  ADMIN_PORT: '0',
  LOG_LEVEL: 'silent',
  KEY_MODE: 'test',
  KEY_CHECK_SECRET: keyCheckSecret.toString('hex'),
  KEY_PEPPERS: Buffer.alloc(32, 3).toString('hex'),
  CREDENTIAL_PEPPER: Buffer.alloc(32, 4).toString('hex'),
  PIN_PROOF_PRIVATE_KEY: testPinProofKeys.privateKey.toString('hex'),
  PIN_PROOF_PUBLIC_KEY: testPinProofKeys.publicKey.toString('hex'),
  // The auth host runs without upstream services: the hub is not tested here.
  AUTH_URL: 'https://auth.example',
  KEYS_ADDRESS: '127.0.0.1:1',
  LEDGER_KE_ADDRESS: '127.0.0.1:1',
  LEDGER_UG_ADDRESS: '127.0.0.1:1',
  PAYMENTS_KE_URL: 'https://pay.example',
  PAYMENTS_UG_URL: 'https://pay.example',
}
const log = openLog('test', 'silent')

/** The running payments host of a country, with its real upstream services. */
export interface RunningHost extends Merchants, Shop {
  readonly url: string
  readonly callbackUrl: string
  readonly adminUrl: string
  /** The auth host's address. */
  readonly authUrl: string
  /** The internal address of an upstream service. */
  address(upstream: 'keys' | 'ledger' | 'auth'): string
  /** The public address in the host's settings. */
  readonly baseUrl: string
  readonly queuePrefix: string
  /** What the host has logged, line by line. */
  readonly logged: readonly string[]
  /** Added to the clock of caches and pages, never to the ledger's. */
  readonly time: { aheadMs: number }
  /** Sends a request to the public listener and checks the answer against the host's OpenAPI document. */
  ask(path: string, sent?: Sent): Promise<Reply>
  /** Ages a checkout until it has expired. */
  expire(checkoutId: string): Promise<void>
  /** Advances the ledger's clock. */
  letPass(seconds: number): Promise<void>
  /** Reads the ledger's database. */
  rows(sql: string): Promise<readonly object[]>
  /** Begins a transaction in the ledger's database and keeps its locks until the returned function is called. */
  hold(sql: string): Promise<() => Promise<void>>
  /** The entries in an account's request log, oldest first. */
  requestLog(accountId: string): Promise<readonly object[]>
  /** A ledger client with the rights of a worker. */
  readonly ledger: LedgerDriver
  /** Announces a change as a worker does. */
  readonly announce: Announce
  /** Stops the host itself; its upstream services run until `stop`. */
  shutDown(): Promise<void>
  /** Kills an upstream service, as a crash would. */
  lose(upstream: 'keys' | 'ledger' | 'auth'): Promise<void>
  stop(): Promise<void>
}

/** Changes to the host's configuration, and to that of its first cell. */
type Changes = Partial<Omit<Config, 'cells'> & CellConfig> & {
  readonly furtherCells?: readonly FurtherCell[]
}

const railsOf = {
  ke: ['mpesa', 'card'],
  ug: ['mtn_momo', 'airtel_money'],
} as const satisfies Record<Country, readonly Rail[]>

/**
 * `rails`: the rails that are on in the ledger; by default all of the country's. `ledgerVariables`: additional
 * environment variables of the ledger.
 */
export async function startHost(
  {
    businessNumber,
    ledgerAddress,
    redisUrl = testRedisUrl(),
    furtherCells = [],
    ...changes
  }: Changes = {},
  rails?: readonly Rail[],
  ledgerVariables: Readonly<Record<string, string>> = {},
): Promise<RunningHost> {
  const country = changes.country ?? 'ke'
  const upstreams = await startUpstreams(country, rails ?? railsOf[country], {
    ledger: ledgerVariables,
    auth: { LEDGER_KE_CELLS: furtherCells.map((cell) => cell.config.ledgerAddress).join(' ') },
  })
  const rules = countries[country]
  const first = {
    ledgerAddress: ledgerAddress ?? upstreams.address('ledger'),
    ...{ redisUrl, businessNumber },
  }
  const config: Config = {
    ...everywhere,
    tlsDir: testIdentityDir(`gateway-${country}`),
    country,
    mobileRails: (rulesWithRails(rules, railsOf[country]) ?? rules).mobileRails,
    keyMode: 'test',
    port: 0,
    callbackPort: 0,
    baseUrl: 'https://pay.example',
    authUrl: 'https://auth.example',
    keysAddress: upstreams.address('keys'),
    accountsAddress: upstreams.address('auth'),
    queuePrefix: uniquePrefix(),
    trustedProxies: ['127.0.0.1'],
    connections: { max: 2_000, perAddressMax: 400, idleSeconds: 15 },
    waitsMax: 1_000,
    streamsMax: 500,
    keyCheckSecret,
    keyCacheSeconds: 60,
    callbackSources: ['196.201.214.0/24'],
    cardBaseUrl: 'https://cards.example',
    cardPayerKey: Buffer.alloc(32, 6),
    cardNotificationSecret: 'secret-of-the-notifications',
    pageOrigins: [],
    paymentsUrls: { ke: undefined, ug: undefined },
    till: undefined,
    isQrOn: false,
    c2bPathSecret: undefined,
    ...changes,
    cells: [first, ...furtherCells.map((cell) => cell.config)],
  }
  const time = { aheadMs: 0 }
  const logged: string[] = []
  const hostLog = openLog('test', 'info', { write: (line) => logged.push(line) })
  const started = await start(config, hostLog, { now: () => systemClock.now() + time.aheadMs })
  const at = (port: string) => `http://127.0.0.1:${String(started.ports[port])}`
  const ledger = openLedgerDriver(country, upstreams.address('ledger'))
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null })
  if (redisUrl === testRedisUrl()) await redisServes(redis, at('public'), config.queuePrefix)
  const merchants = openMerchants({
    accountsAddress: upstreams.address('auth'),
    authUrl: upstreams.authUrl,
    keysAddress: upstreams.address('keys'),
    country,
    ledgers: [ledger, ...furtherCells.map((cell) => cell.ledger)],
  })
  return {
    url: at('public'),
    callbackUrl: at('callbacks'),
    adminUrl: at('admin'),
    authUrl: upstreams.authUrl,
    address: upstreams.address,
    ...{ baseUrl: config.baseUrl, queuePrefix: config.queuePrefix, logged, time },
    ask: await openDocumentedAsk(at('public')),
    ...openShop(at('public')),
    ...merchants,
    ...{ rows: upstreams.rows, hold: upstreams.hold, requestLog: upstreams.requestLog },
    async expire(checkoutId) {
      await upstreams.rows(`
        ALTER TABLE checkouts DISABLE TRIGGER USER;
        UPDATE checkouts SET created_at = created_at - interval '1 day', expires_at = expires_at - interval '1 day'
        WHERE id = '${checkoutId}';
        ALTER TABLE checkouts ENABLE TRIGGER USER`)
    },
    letPass: upstreams.letPass,
    ledger,
    announce: openAnnounce(redis, config.queuePrefix),
    shutDown: () => started.stop(),
    lose: upstreams.lose,
    async stop() {
      await started.stop()
      redis.disconnect()
      ledger.close()
      merchants.close()
      await upstreams.stop()
    },
  }
}

/** Waits until Redis counts limits and sends changes: before the process is connected, it counts in memory. */
async function redisServes(redis: Redis, url: string, prefix: string): Promise<void> {
  await eventually('limits are counted in Redis', async () => {
    await send(`${url}/c/cs_ke_000000000000000000000000`)
    return (await redis.keys(`${prefix}:limit:page:*`)).length > 0
  })
  await eventually('changes are received', async () => {
    const [, subscriptions] = await redis.pubsub('NUMSUB', `${prefix}:changes`)
    return subscriptions === 1
  })
}

type Upstream = 'keys' | 'ledger' | 'auth'

async function startUpstreams(
  country: Country,
  rails: readonly Rail[],
  own: Partial<Record<Upstream, Readonly<Record<string, string>>>>,
) {
  const databases: Record<Upstream, TestDatabase> = {
    keys: await cloneDatabase('keys'),
    ledger: await cloneDatabase('ledger'),
    auth: await cloneDatabase('auth'),
  }
  // Upstream services use their own configuration: unset values have production's defaults.
  const variables = (upstream: Upstream) => ({
    ...upstreamVariables,
    TLS_DIR: testIdentityDir(upstream === 'ledger' ? `ledger-${country}` : upstream),
    DATABASE_URL: databases[upstream].url,
    COUNTRY: country,
    RAILS: rails.join(','),
    PAY_BILL_NUMBER_KEY: country === 'ke' ? Buffer.alloc(32, 5).toString('hex') : undefined,
    ...own[upstream],
  })
  const running: Record<Upstream, Started> = {
    keys: await startKeys(readKeysConfig(variables('keys')), log),
    ledger: await startLedger(readLedgerConfig(variables('ledger')), log),
    auth: await startAuth(readAuthConfig(variables('auth')), log),
  }
  const lost = new Set<Upstream>()
  const lose = async (upstream: Upstream) => {
    if (!lost.has(upstream)) await running[upstream].stop()
    lost.add(upstream)
  }
  return {
    address: (upstream: Upstream) => `127.0.0.1:${String(running[upstream].ports['grpc'])}`,
    authUrl: `http://127.0.0.1:${String(running.auth.ports['http'])}`,
    lose,
    letPass: (seconds: number) => letPass(databases.ledger, seconds),
    rows: async (sql: string) => (await databases.ledger.pool.query<object>(sql)).rows,
    hold: async (sql: string) => {
      const client = await databases.ledger.pool.connect()
      await client.query('BEGIN')
      await client.query(sql)
      return async () => {
        await client.query('ROLLBACK')
        client.release()
      }
    },
    requestLog: async (accountId: string) => {
      const sql = 'SELECT * FROM merchant_requests WHERE account_id = $1 ORDER BY at'
      return (await databases.auth.pool.query<object>(sql, [accountId])).rows
    },
    async stop() {
      const broken = await settledInvariants(databases.ledger)
      for (const upstream of ['keys', 'ledger', 'auth'] as const) {
        await lose(upstream)
        await databases[upstream].drop()
      }
      expect(broken).toEqual({})
    },
  }
}
