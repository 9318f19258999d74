import { digestKey } from '@malipo/contracts/key'
import {
  type CreateKeyResponse,
  type Key,
  type KeyServiceServer,
  KeyServiceService,
} from '@malipo/contracts/proto/keys/v1/key_service'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import type { Calls } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'
import type { TestDatabase } from '@malipo/testing/database'
import { testIdentityDir } from '@malipo/testing/identities'
import type { Config } from './config'
import { keyCallers } from './rpc/callers'
import { start } from './start'

export const checkSecret = Buffer.alloc(32, 2)
export const pepper = Buffer.alloc(32, 3)

/** The service as it runs, on port 0 and a database of its own, and its methods as a neighbour calls them. */
export interface RunningKeys {
  readonly adminUrl: string
  create(accountId: string, country?: string): Promise<CreateKeyResponse>
  revoke(accountId: string): Promise<boolean>
  /** The account of the key. */
  verify(secretKey: string, country?: string): Promise<string | undefined>
  verifyDigest(keySha256: Buffer, country?: string): Promise<string | undefined>
  list(accountId: string): Promise<Key[]>
  stop(): Promise<void>
}

export async function startKeys(
  database: TestDatabase,
  changes: Partial<Config> = {},
): Promise<RunningKeys> {
  const config: Config = {
    host: '127.0.0.1',
    port: 0,
    adminPort: 0,
    logLevel: 'silent',
    databaseUrl: database.url,
    tlsDir: testIdentityDir('keys'),
    keyMode: 'test',
    keyPeppers: [pepper],
    keyCheckSecret: checkSecret,
    ...changes,
  }
  const started = await start(config, openLog('keys', config.logLevel))
  const address = `127.0.0.1:${String(started.ports['grpc'])}`
  const { calls, close } = openCallsOf<KeyServiceServer>({
    server: 'keys',
    definition: KeyServiceService,
    callers: keyCallers,
    address,
    whenUnavailable: 'keys_unavailable',
  })
  return {
    adminUrl: `http://127.0.0.1:${String(started.ports['admin'])}`,
    ...callsOf(calls),
    async stop() {
      close()
      await started.stop()
    },
  }
}

function callsOf(calls: Calls<KeyServiceServer>): Omit<RunningKeys, 'adminUrl' | 'stop'> {
  const verifyDigest = async (keySha256: Buffer, country = 'ke') =>
    (await calls.verifyKey({ keySha256, country })).accountId
  return {
    create: (accountId, country = 'ke') => calls.createKey({ accountId, country }),
    revoke: async (accountId) => (await calls.revokeKey({ accountId })).revoked,
    verify: (secretKey, country) => verifyDigest(digestKey(secretKey), country),
    verifyDigest,
    list: async (accountId) => (await calls.listKeys({ accountId })).keys,
  }
}
