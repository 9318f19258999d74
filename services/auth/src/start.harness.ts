import { testPinProofKeys } from '@malipo/contracts/pin-proof.harness'
import {
  type Account,
  type AccountServiceServer,
  AccountServiceService,
  type CreateAccountRequest,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import type { Calls } from '@malipo/runtime/grpc'
import { signCalls } from '@malipo/runtime/operator-calls'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { openLog } from '@malipo/runtime/log'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { testIdentityDir } from '@malipo/testing/identities'
import { lazily } from '@malipo/testing/lazily'
import type { Config } from './config'
import { type Browser, type From, openBrowser, ownOrigin } from './hub-server/browser.harness'
import { accountCallers } from './callers'
import { start } from './start'

/** A closed port: an upstream service that is down. */
const closedPort = '127.0.0.1:1'

export type SignedInBrowser = Browser & { readonly accountId: string }

/** A valid request; `name` makes it unique within a file. */
function newAccount(
  name: string,
  changes: Partial<CreateAccountRequest> = {},
): CreateAccountRequest {
  return {
    requestId: `request-${name}`,
    username: name,
    displayName: 'Mama Mboga Fresh',
    homeCountry: 'ke',
    password: 'correct horse battery',
    pin: '9274',
    bio: 'Vegetables from Limuru, every morning.',
    theme: 'sunset',
    socialLinks: [{ platform: 'instagram', url: 'https://instagram.example/mama' }],
    ...changes,
  }
}

/** A running auth service. `rpc` calls its gRPC methods as other services do. */
export interface RunningAuth {
  readonly url: string
  /** A browser without cookies. */
  browser(from?: From): Browser
  /** A new account, and a browser in which its owner is signed in. */
  signedIn(name: string, changes?: Partial<CreateAccountRequest>): Promise<SignedInBrowser>
  readonly httpPort: number
  readonly grpcPort: number
  readonly adminUrl: string
  readonly rpc: Calls<AccountServiceServer>
  /** The calls of `rpc`, each signed by an operator. */
  as(operator: OperatorIdentity): Calls<AccountServiceServer>
  createAccount(name: string, changes?: Partial<CreateAccountRequest>): Promise<Account>
  /** Creates a link of an account in the hub, as its owner. */
  createLink(username: string, link: object): Promise<void>
  /** Does what a process does at SIGTERM before `stop`. */
  drain(): Promise<unknown>
  stop(): Promise<void>
}

export async function startAuth(
  database: TestDatabase,
  changes: Partial<Config> = {},
): Promise<RunningAuth> {
  const config: Config = {
    host: '127.0.0.1',
    port: 0,
    grpcPort: 0,
    adminPort: 0,
    logLevel: 'silent',
    databaseUrl: database.url,
    tlsDir: testIdentityDir('auth'),
    credentialPepper: Buffer.alloc(32, 2),
    pinProofPrivateKey: testPinProofKeys.privateKey,
    authUrl: ownOrigin,
    // Tests connect from loopback, so a header sets their address.
    trustedProxies: ['127.0.0.1'],
    connections: { max: 2_000, perAddressMax: 400, idleSeconds: 15 },
    keysAddress: closedPort,
    ledgerAddresses: { ke: [closedPort], ug: [closedPort] },
    paymentsUrls: { ke: 'https://pay.example.ke', ug: 'https://pay.example.ug' },
    ...changes,
  }
  const started = await start(config, openLog('auth', config.logLevel))
  const at = (port: string) => `127.0.0.1:${String(started.ports[port])}`
  const served = {
    server: 'auth',
    definition: AccountServiceService,
    callers: accountCallers,
    address: at('grpc'),
    whenUnavailable: 'unavailable',
  } as const
  const own = openCallsOf<AccountServiceServer>(served)
  const opened = [own]
  const rpc = own.calls
  const createAccount: RunningAuth['createAccount'] = async (name, changed) => {
    const { account } = await rpc.createAccount(newAccount(name, changed))
    if (account === undefined) throw new Error('an account was made and not answered')
    return account
  }
  const browser = (from?: From) => openBrowser(`http://${at('http')}`, from)
  return {
    url: `http://${at('http')}`,
    browser,
    async signedIn(name, changed) {
      const account = await createAccount(name, changed)
      const own = browser()
      await own.signIn(name)
      return { ...own, accountId: account.accountId }
    },
    httpPort: started.ports['http'] ?? 0,
    grpcPort: started.ports['grpc'] ?? 0,
    adminUrl: `http://${at('admin')}`,
    rpc,
    as(operator) {
      const interceptors = [signCalls(operator, 'auth')]
      const signing = openCallsOf<AccountServiceServer>({ ...served, interceptors })
      opened.push(signing)
      return signing.calls
    },
    createAccount,
    async createLink(username, link) {
      const owner = browser()
      await owner.signIn(username)
      const { status, text } = await owner.post('/links', { request_id: 'link', ...link })
      if (status !== 201) throw new Error(text)
    },
    drain: () => Promise.resolve(started.drain?.()),
    async stop() {
      for (const each of opened) each.close()
      await started.stop()
    },
  }
}

/** Auth and its database, opened before the tests of a file and closed after them; usable in tests only. */
export function authOfFile(given: { readonly config: Partial<Config> } = { config: {} }): {
  readonly auth: RunningAuth
  readonly database: TestDatabase
} {
  let database: TestDatabase
  let auth: RunningAuth
  beforeAll(async () => {
    database = await cloneDatabase('auth')
    auth = await startAuth(database, given.config)
  })
  afterAll(async () => {
    await auth.stop()
    await database.drop()
  })
  return { auth: lazily(() => auth), database: lazily(() => database) }
}

/** The number of the service's statements that wait for a lock held by a test. */
export async function countWaiting(database: TestDatabase): Promise<number> {
  const { rowCount } = await database.pool.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  )
  return rowCount ?? 0
}
