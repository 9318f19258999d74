import {
  type Account,
  AccountServiceClient,
  type CreateAccountRequest,
  type CreateAccountResponse,
  type GetAccountResponse,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import { clientCredentials, clientOptions, openCall } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'
import type { TestDatabase } from '@malipo/testing/database'
import type { Config } from './config'
import { start } from './start'

const internalSecret = Buffer.alloc(32, 1)
/** Parallel rounds on a busy machine take a while, and what is measured here is never the time. */
const deadlineMs = 20_000
jest.setTimeout(30_000)

/** A request that nothing is wrong with; `name` keeps it apart from the others of a file. */
export function newAccount(
  name: string,
  changes: Partial<CreateAccountRequest> = {},
): CreateAccountRequest {
  return {
    requestId: `request-${name}`,
    username: name,
    displayName: 'Mama Mboga Fresh',
    homeCountry: 'ke',
    password: 'correct horse battery',
    pin: '2580',
    bio: 'Vegetables from Limuru, every morning.',
    theme: 'sunset',
    socialLinks: [{ platform: 'instagram', url: 'https://instagram.example/mama' }],
    ...changes,
  }
}

/** The service as it runs, on port 0 and a database of its own, and its methods as a neighbour calls them. */
export interface RunningAuth {
  readonly url: string
  readonly httpPort: number
  readonly adminUrl: string
  createAccount(request: CreateAccountRequest): Promise<Account>
  getAccount(accountId: string): Promise<Account | undefined>
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
    ...changes,
  }
  const started = await start(config, openLog('auth', config.logLevel))
  const at = (port: string) => `127.0.0.1:${String(started.ports[port])}`
  const client = new AccountServiceClient(at('grpc'), clientCredentials, clientOptions)
  const call = openCall(internalSecret, 'unavailable')
  return {
    url: `http://${at('http')}`,
    httpPort: started.ports['http'] ?? 0,
    adminUrl: `http://${at('admin')}`,
    async createAccount(request) {
      const { account } = await call<CreateAccountResponse>(deadlineMs, (metadata, options, done) =>
        client.createAccount(request, metadata, options, done),
      )
      if (account === undefined) throw new Error('an account was made and not answered')
      return account
    },
    async getAccount(accountId) {
      const { account } = await call<GetAccountResponse>(deadlineMs, (metadata, options, done) =>
        client.getAccount({ accountId }, metadata, options, done),
      )
      return account
    },
    async stop() {
      client.close()
      await started.stop()
    },
  }
}
