import { randomBytes } from 'node:crypto'
import {
  AccountServiceClient,
  type CreateAccountResponse,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import {
  type CreateKeyResponse,
  KeyServiceClient,
} from '@malipo/contracts/proto/keys/v1/key_service'
import { type Country, countries } from '@malipo/kernel/countries'
import { systemClock } from '@malipo/runtime/clock'
import { type Call, clientCredentials, clientOptions, openCall } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'
import type { Started } from '@malipo/runtime/process'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { testRedisUrl, uniquePrefix } from '@malipo/testing/redis'
import { start as startAuth } from '../../auth/src/start'
import { start as startKeys } from '../../keys/src/start'
import { start as startLedger } from '../../ledger/src/start'
import { openLedgerHands, type LedgerHands } from './clients/ledger.harness'
import type { Config } from './config'
import { type Reply, send, type Sent } from './http/send.harness'
import { start } from './start'

const everywhere = {
  host: '127.0.0.1',
  adminPort: 0,
  logLevel: 'silent',
  internalSecret: Buffer.alloc(32, 1),
}
const keyCheckSecret = Buffer.alloc(32, 2)
const log = openLog('test', 'silent')

export interface Merchant {
  readonly accountId: string
  readonly secretKey: string
}

/** The payments host of a country as it runs, with its real neighbours behind it. */
export interface RunningHost {
  readonly url: string
  readonly callbackUrl: string
  readonly adminUrl: string
  /** What the host was told to be known as. */
  readonly baseUrl: string
  readonly queuePrefix: string
  /** Added to the time of caches and pages, never to that of money. */
  readonly time: { aheadMs: number }
  /** A request to the public listener. */
  ask(path: string, sent?: Sent): Promise<Reply>
  /** An account of this country with a wallet and a live key. */
  merchant(options?: { cardEnabled?: boolean; displayName?: string }): Promise<Merchant>
  createKey(accountId: string): Promise<string>
  revokeKey(accountId: string): Promise<void>
  /** The ledger, for what only a worker or a provider does. */
  readonly ledger: LedgerHands
  /** Ends a neighbour for good, as a crash would. */
  lose(neighbour: 'keys' | 'ledger' | 'auth'): Promise<void>
  stop(): Promise<void>
}

export async function startHost(changes: Partial<Config> = {}): Promise<RunningHost> {
  const country = changes.country ?? 'ke'
  const neighbours = await startNeighbours(country)
  const config: Config = {
    ...everywhere,
    country,
    keyMode: 'test',
    port: 0,
    callbackPort: 0,
    baseUrl: 'https://pay.example',
    keysAddress: neighbours.address('keys'),
    ledgerAddress: neighbours.address('ledger'),
    accountsAddress: neighbours.address('auth'),
    redisUrl: testRedisUrl(),
    queuePrefix: uniquePrefix(),
    trustedProxies: ['127.0.0.1'],
    keyCheckSecret,
    keyCacheSeconds: 60,
    callbackSources: ['196.201.214.0/24'],
    pageOrigins: [],
    ...changes,
  }
  const time = { aheadMs: 0 }
  const started = await start(config, log, { now: () => systemClock.now() + time.aheadMs })
  const at = (port: string) => `http://127.0.0.1:${String(started.ports[port])}`
  const ledger = openLedgerHands(neighbours.address('ledger'), everywhere.internalSecret)
  const merchants = openMerchants(neighbours.address, country, ledger)
  return {
    url: at('public'),
    callbackUrl: at('callbacks'),
    adminUrl: at('admin'),
    baseUrl: config.baseUrl,
    queuePrefix: config.queuePrefix,
    time,
    ask: (path, sent) => send(at('public') + path, sent),
    ...merchants,
    ledger,
    lose: neighbours.lose,
    async stop() {
      await started.stop()
      ledger.close()
      merchants.close()
      await neighbours.stop()
    },
  }
}

type Neighbour = 'keys' | 'ledger' | 'auth'

async function startNeighbours(country: Country) {
  const databases: Record<Neighbour, TestDatabase> = {
    keys: await cloneDatabase('keys'),
    ledger: await cloneDatabase('ledger'),
    auth: await cloneDatabase('auth'),
  }
  const running: Record<Neighbour, Started> = {
    keys: await startKeys(
      {
        ...everywhere,
        port: 0,
        databaseUrl: databases.keys.url,
        keyMode: 'test',
        keyPeppers: [Buffer.alloc(32, 3)],
        keyCheckSecret,
      },
      log,
    ),
    ledger: await startLedger(
      {
        ...everywhere,
        port: 0,
        databaseUrl: databases.ledger.url,
        country: countries[country],
        rails: country === 'ke' ? ['mpesa', 'card'] : [],
        checkoutLifeSeconds: 1_800,
        intentStartSeconds: 60,
        intentDeadlineSeconds: 150,
        queryAfterSeconds: 75,
        queryEverySeconds: 15,
        cardFeeBps: 350n,
        mpesaWholeShillings: false,
      },
      log,
    ),
    auth: await startAuth(
      {
        ...everywhere,
        port: 0,
        grpcPort: 0,
        databaseUrl: databases.auth.url,
        credentialPepper: Buffer.alloc(32, 4),
      },
      log,
    ),
  }
  const lost = new Set<Neighbour>()
  const lose = async (neighbour: Neighbour) => {
    if (!lost.has(neighbour)) await running[neighbour].stop()
    lost.add(neighbour)
  }
  return {
    address: (neighbour: Neighbour) => `127.0.0.1:${String(running[neighbour].ports['grpc'])}`,
    lose,
    async stop() {
      for (const neighbour of ['keys', 'ledger', 'auth'] as const) {
        await lose(neighbour)
        await databases[neighbour].drop()
      }
    },
  }
}

function openMerchants(
  address: (neighbour: Neighbour) => string,
  country: Country,
  ledger: LedgerHands,
) {
  const accounts = new AccountServiceClient(address('auth'), clientCredentials, clientOptions)
  const keys = new KeyServiceClient(address('keys'), clientCredentials, clientOptions)
  const call: Call = openCall(everywhere.internalSecret, 'unavailable')
  const createKey = async (accountId: string) => {
    const { secretKey } = await call<CreateKeyResponse>(5_000, (metadata, options, done) =>
      keys.createKey({ accountId, country }, metadata, options, done),
    )
    return secretKey
  }
  return {
    createKey,
    async revokeKey(accountId: string) {
      await call(5_000, (metadata, options, done) =>
        keys.revokeKey({ accountId }, metadata, options, done),
      )
    },
    async merchant({ cardEnabled = false, displayName = 'Mama Njeri Groceries' } = {}) {
      const name = `m${randomBytes(8).toString('hex')}`
      const request = {
        requestId: name,
        username: name,
        displayName,
        homeCountry: country,
        password: 'correct horse battery',
        pin: '2580',
        bio: '',
        theme: '',
        socialLinks: [],
      }
      const { account } = await call<CreateAccountResponse>(5_000, (metadata, options, done) =>
        accounts.createAccount(request, metadata, options, done),
      )
      const accountId = account?.accountId ?? ''
      await ledger.openWallet({ accountId, cardEnabled })
      return { accountId, secretKey: await createKey(accountId) }
    },
    close() {
      accounts.close()
      keys.close()
    },
  }
}
