import { digestKey } from '@malipo/contracts/key'
import {
  type CreateKeyResponse,
  type Key,
  KeyServiceClient,
  type ListKeysResponse,
  type RevokeKeyResponse,
  type VerifyKeyResponse,
} from '@malipo/contracts/proto/keys/v1/key_service'
import { clientCredentials, clientOptions, openCall } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'
import type { TestDatabase } from '@malipo/testing/database'
import type { Config } from './config'
import { start } from './start'

const internalSecret = Buffer.alloc(32, 1)
/** Parallel rounds on a busy machine take a while, and what is measured here is never the time. */
const deadlineMs = 20_000
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
    internalSecret,
    keyMode: 'test',
    keyPeppers: [pepper],
    keyCheckSecret: checkSecret,
    ...changes,
  }
  const started = await start(config, openLog('keys', config.logLevel))
  const address = `127.0.0.1:${String(started.ports['grpc'])}`
  const client = new KeyServiceClient(address, clientCredentials, clientOptions)
  return {
    adminUrl: `http://127.0.0.1:${String(started.ports['admin'])}`,
    ...callsOf(client),
    async stop() {
      client.close()
      await started.stop()
    },
  }
}

function callsOf(client: KeyServiceClient): Omit<RunningKeys, 'adminUrl' | 'stop'> {
  const call = openCall(internalSecret, 'keys_unavailable')
  const verifyDigest = async (keySha256: Buffer, country = 'ke') => {
    const { accountId } = await call<VerifyKeyResponse>(deadlineMs, (metadata, options, done) =>
      client.verifyKey({ keySha256, country }, metadata, options, done),
    )
    return accountId
  }
  return {
    create: (accountId, country = 'ke') =>
      call<CreateKeyResponse>(deadlineMs, (metadata, options, done) =>
        client.createKey({ accountId, country }, metadata, options, done),
      ),
    async revoke(accountId) {
      const { revoked } = await call<RevokeKeyResponse>(deadlineMs, (metadata, options, done) =>
        client.revokeKey({ accountId }, metadata, options, done),
      )
      return revoked
    },
    verify: (secretKey, country) => verifyDigest(digestKey(secretKey), country),
    verifyDigest,
    async list(accountId) {
      const { keys } = await call<ListKeysResponse>(deadlineMs, (metadata, options, done) =>
        client.listKeys({ accountId }, metadata, options, done),
      )
      return keys
    },
  }
}
