import { digestKey } from '@malipo/contracts/key'
import { provenRequest, testPinProofKeys } from '@malipo/contracts/pin-proof.harness'
import {
  type CreateKeyRequest,
  type CreateKeyResponse,
  type Key,
  KeyServiceClient,
  type KeyServiceServer,
  KeyServiceService,
  type VerifyKeyRequest,
  type VerifyKeyResponse,
} from '@malipo/contracts/proto/keys/v1/key_service'
import { openCallsOf, openTestClient } from '@malipo/runtime/calls.harness'
import type { Caller } from '@malipo/runtime/caller-identity'
import { systemClock } from '@malipo/runtime/clock'
import { type Calls, openCall } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { testIdentityDir } from '@malipo/testing/identities'
import { lazily } from '@malipo/testing/lazily'
import type { Config } from './config'
import { keyCallers } from './callers'
import { start } from './start'

export const checkSecret = Buffer.alloc(32, 2)
export const pepper = Buffer.alloc(32, 3)

/** Starts the service on port 0 with its own database, and calls its methods as other services do. */
export interface RunningKeys {
  readonly adminUrl: string
  /** Makes a key with a proof that the owner entered the PIN. */
  create(accountId: string, country?: string): Promise<CreateKeyResponse>
  createBy(request: CreateKeyRequest): Promise<CreateKeyResponse>
  revoke(accountId: string): Promise<boolean>
  /** The account that owns the key. */
  verify(secretKey: string, country?: string): Promise<string | undefined>
  verifyDigest(keySha256: Buffer, country?: string): Promise<string | undefined>
  /** Calls with the certificate of any service. */
  verifyAs(caller: Caller, request: VerifyKeyRequest): Promise<VerifyKeyResponse>
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
    pinProofPublicKey: testPinProofKeys.publicKey,
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
    async verifyAs(caller, request) {
      const client = openTestClient(KeyServiceClient, { server: 'keys', address }, caller)
      const call = openCall('keys_unavailable')
      return call<VerifyKeyResponse>(20_000, (metadata, options, done) =>
        client.verifyKey(request, metadata, options, done),
      ).finally(() => {
        client.close()
      })
    },
    async stop() {
      close()
      await started.stop()
    },
  }
}

/**
 * The keys service and its database, opened before the tests of a file and closed after them. A test file may refer to
 * both before they are opened.
 */
export function keysOfFile(): { readonly keys: RunningKeys; readonly database: TestDatabase } {
  let database: TestDatabase
  let keys: RunningKeys
  beforeAll(async () => {
    database = await cloneDatabase('keys')
    keys = await startKeys(database)
  })
  afterAll(async () => {
    await keys.stop()
    await database.drop()
  })
  return { keys: lazily(() => keys), database: lazily(() => database) }
}

function callsOf(
  calls: Calls<KeyServiceServer>,
): Omit<RunningKeys, 'adminUrl' | 'verifyAs' | 'stop'> {
  const verifyDigest = async (keySha256: Buffer, country = 'ke') =>
    (await calls.verifyKey({ keySha256, country })).accountId
  return {
    create: (accountId, country = 'ke') =>
      calls.createKey(provenRequest({ accountId, country, provenAt: new Date(systemClock.now()) })),
    createBy: (request) => calls.createKey(request),
    revoke: async (accountId) => (await calls.revokeKey({ accountId })).revoked,
    verify: (secretKey, country) => verifyDigest(digestKey(secretKey), country),
    verifyDigest,
    list: async (accountId) => (await calls.listKeys({ accountId })).keys,
  }
}
