import { generateKeyPairSync } from 'node:crypto'
import { testPinProofKeys } from '@malipo/contracts/pin-proof.harness'
import {
  type LedgerServiceServer,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Country } from '@malipo/kernel/countries'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import type { Calls } from '@malipo/runtime/grpc'
import { signCalls } from '@malipo/runtime/operator-calls'
import { type OperatorIdentity, openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { openLog } from '@malipo/runtime/log'
import type { Started } from '@malipo/runtime/process'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { testIdentityDir } from '@malipo/testing/identities'
import { lazily } from '@malipo/testing/lazily'
import { readConfig as readKeysConfig } from '../../keys/src/config'
import { start as startKeys } from '../../keys/src/start'
import { readConfig as readLedgerConfig } from '../../ledger/src/config'
import { ledgerCallers } from '../../ledger/src/methods'
import { start as startLedger } from '../../ledger/src/start'
import type { Config } from './config'

const log = openLog('test', 'silent')
const variables = {
  PORT: '0',
  ADMIN_PORT: '0',
  LOG_LEVEL: 'silent',
  KEY_MODE: 'test',
  KEY_CHECK_SECRET: Buffer.alloc(32, 2).toString('hex'),
  KEY_PEPPERS: Buffer.alloc(32, 3).toString('hex'),
  PIN_PROOF_PUBLIC_KEY: testPinProofKeys.publicKey.toString('hex'),
}

/** The real key service and the real ledger of Kenya as the hub's upstreams. */
export interface Upstreams {
  /** Their addresses, as a part of the hub's configuration. */
  readonly config: Partial<Config>
  readonly ledger: Calls<LedgerServiceServer>
  /** The calls of `ledger`, each signed by an operator. */
  ledgerAs(operator: OperatorIdentity): Calls<LedgerServiceServer>
  /** One of two operators enrolled in the ledger. */
  enrolled(name: string): Promise<OperatorIdentity>
  rows<Row>(of: 'keys' | 'ledger', sql: string): Promise<Row[]>
  /** Stops an upstream; `bringBack` starts it again at the same address. */
  lose(upstream: 'keys' | 'ledger'): Promise<void>
  bringBack(upstream: 'keys' | 'ledger'): Promise<void>
  stop(): Promise<void>
}

export async function startUpstreams(): Promise<Upstreams> {
  const databases = { keys: await cloneDatabase('keys'), ledger: await cloneDatabase('ledger') }
  const start = {
    keys: (port: string) =>
      startKeys(
        readKeysConfig({
          ...variables,
          TLS_DIR: testIdentityDir('keys'),
          PORT: port,
          DATABASE_URL: databases.keys.url,
        }),
        log,
      ),
    ledger: (port: string) => startLedger(ledgerConfig(databases.ledger, port), log),
  }
  const running: Record<'keys' | 'ledger', Started> = {
    keys: await start.keys('0'),
    ledger: await start.ledger('0'),
  }
  const ports = { keys: portOf(running.keys), ledger: portOf(running.ledger) }
  const away = new Set<'keys' | 'ledger'>()
  const at = (upstream: 'keys' | 'ledger') => `127.0.0.1:${ports[upstream]}`
  const served = {
    server: 'ledger-ke',
    definition: LedgerServiceService,
    callers: ledgerCallers('ke'),
    address: at('ledger'),
    whenUnavailable: 'ledger_unavailable',
  } as const
  const own = openCallsOf<LedgerServiceServer>(served)
  const opened = [own]
  const ledgerAs = (operator: OperatorIdentity) => {
    const interceptors = [signCalls(operator, 'ke')]
    const signing = openCallsOf<LedgerServiceServer>({ ...served, interceptors })
    opened.push(signing)
    return signing.calls
  }
  const lose = async (upstream: 'keys' | 'ledger') => {
    if (!away.has(upstream)) await running[upstream].stop()
    away.add(upstream)
  }
  return {
    config: {
      keysAddress: at('keys'),
      ledgerAddresses: { ke: [at('ledger')], ug: ['127.0.0.1:1'] } satisfies Record<
        Country,
        string[]
      >,
    },
    ledger: own.calls,
    ledgerAs,
    async enrolled(name) {
      const identity = openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)
      await ledgerAs(identity).enrollOperator({ name, publicKey: identity.publicKey })
      return identity
    },
    rows: async <Row>(of: 'keys' | 'ledger', sql: string) =>
      (await databases[of].pool.query(sql)).rows as Row[],
    lose,
    async bringBack(upstream) {
      running[upstream] = await start[upstream](ports[upstream])
      away.delete(upstream)
    },
    async stop() {
      for (const each of opened) each.close()
      for (const upstream of ['keys', 'ledger'] as const) await lose(upstream)
      for (const database of Object.values(databases)) await database.drop()
    },
  }
}

/** The upstreams of a test file, started before its tests and stopped after them. */
export function upstreamsOfFile(): Upstreams {
  let upstreams: Upstreams
  beforeAll(async () => {
    upstreams = await startUpstreams()
  })
  afterAll(() => upstreams.stop())
  return lazily(() => upstreams)
}

function ledgerConfig(database: TestDatabase, port: string) {
  return readLedgerConfig({
    ...variables,
    TLS_DIR: testIdentityDir('ledger-ke'),
    PORT: port,
    DATABASE_URL: database.url,
    COUNTRY: 'ke',
    PAY_BILL_NUMBER_KEY: Buffer.alloc(32, 5).toString('hex'),
    CALLBACK_UNCONFIRMED_MAX_MINOR: '15000000',
    PROMPT_WAIT_MAX_SECONDS: '3600',
  })
}

function portOf(started: Started): string {
  return String(started.ports['grpc'])
}
