import {
  type Account,
  AccountServiceClient,
  type AccountServiceServer,
  AccountServiceService,
  type CreateAccountRequest,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import { clientCredentials, clientOptions, openCall, type Operations } from '@malipo/runtime/grpc'
import { signCalls } from '@malipo/runtime/operator-calls'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { openLog } from '@malipo/runtime/log'
import type { TestDatabase } from '@malipo/testing/database'
import type { Config } from './config'
import { type Browser, type From, openBrowser, ownOrigin } from './browser.harness'
import { start } from './start'

const internalSecret = Buffer.alloc(32, 1)
/** Parallel rounds on a busy machine take a while, and what is measured here is never the time. */
const deadlineMs = 20_000
/** Where nobody listens: a neighbour that is away. */
const nobody = '127.0.0.1:1'

export type SignedInBrowser = Browser & { readonly accountId: string }

/** A request that nothing is wrong with; `name` keeps it apart from the others of a file. */
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

/** The service as it runs, on port 0 and a database of its own, and its methods as a neighbour calls them. */
export interface RunningAuth {
  readonly url: string
  /** A browser that has never been here. */
  browser(from?: From): Browser
  /** An account of its own, and a browser in which its owner is signed in. */
  signedIn(name: string, changes?: Partial<CreateAccountRequest>): Promise<SignedInBrowser>
  readonly httpPort: number
  readonly adminUrl: string
  readonly rpc: Operations<AccountServiceServer>
  /** The same, with every call signed. */
  as(operator: OperatorIdentity): Operations<AccountServiceServer>
  /** An account that nothing is wrong with. */
  createAccount(name: string, changes?: Partial<CreateAccountRequest>): Promise<Account>
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
    internalSecret,
    credentialPepper: Buffer.alloc(32, 2),
    authUrl: ownOrigin,
    // Tests come from loopback and say who they are.
    trustedProxies: ['127.0.0.1'],
    connections: { max: 2_000, perAddressMax: 400, idleSeconds: 15 },
    keysAddress: nobody,
    ledgerAddresses: { ke: nobody, ug: nobody },
    paymentsUrls: { ke: 'https://pay.example.ke', ug: 'https://pay.example.ug' },
    ...changes,
  }
  const started = await start(config, openLog('auth', config.logLevel))
  const at = (port: string) => `127.0.0.1:${String(started.ports[port])}`
  const client = new AccountServiceClient(at('grpc'), clientCredentials, clientOptions)
  const clients = [client]
  const rpc = callsOf(client)
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
    adminUrl: `http://${at('admin')}`,
    rpc,
    as(operator) {
      const interceptors = [signCalls(operator, 'auth')]
      const signing = new AccountServiceClient(at('grpc'), clientCredentials, {
        ...clientOptions,
        interceptors,
      })
      clients.push(signing)
      return callsOf(signing)
    },
    createAccount,
    async stop() {
      for (const each of clients) each.close()
      await started.stop()
    },
  }
}

function callsOf(client: AccountServiceClient): Operations<AccountServiceServer> {
  const call = openCall(internalSecret, 'unavailable')
  const calls = Object.entries(AccountServiceService).map(([method, definition]) => {
    const serialize = definition.requestSerialize as (request: unknown) => Buffer
    const deserialize = definition.responseDeserialize as (bytes: Buffer) => unknown
    const send = (request: unknown) =>
      call<unknown>(deadlineMs, (metadata, options, done) => {
        // The other overloads of done have an answer that may be missing; ours comes with an error or not at all.
        const answer = done as (error: unknown, response?: unknown) => void
        return client.makeUnaryRequest(
          definition.path,
          serialize,
          deserialize,
          request,
          metadata,
          options,
          answer,
        )
      })
    return [method, send] as const
  })
  // Every method of the definition is there, which a list of entries cannot tell its reader.
  return Object.fromEntries(calls) as unknown as Operations<AccountServiceServer>
}

/** How many of the service's statements wait for a row that a test holds. */
export async function countWaiting(database: TestDatabase): Promise<number> {
  const { rowCount } = await database.pool.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  )
  return rowCount ?? 0
}
