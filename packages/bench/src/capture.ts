import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type LedgerServiceServer,
  LedgerServiceService,
  ProviderMessageKind,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import type { Calls } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'
import { testIdentityDir } from '@malipo/testing/identities'
import { readConfig } from '../../../services/ledger/src/config'
import { ledgerCallers } from '../../../services/ledger/src/methods'
import { start as startService } from '../../../services/ledger/src/start'
import type { BenchDatabase } from './server'

/** A statement as the ledger sent it, and the value of each of its parameters. */
export interface Statement {
  readonly sql: string
  readonly values: readonly (string | null)[]
}

export interface Settling {
  readonly lock: Statement
  readonly load: Statement
  readonly save: Statement
}

/** The statements of one payment, and the ids of the attempt that was left unsettled. */
export interface Captured {
  /** The one statement that creates a batch of checkouts, of whatever size. */
  readonly create: Statement
  /** The statements of the transaction that settles one payment, in their order. */
  readonly settle: Settling
  /** The statements that settle a batch of payments in one transaction: they skip locked rows and never wait. */
  readonly settleTogether: Settling
  readonly read: Statement
  readonly paidIntentId: string
  readonly intentId: string
  readonly checkoutId: string
  readonly messageId: string
}

const secretHex = '11'.repeat(32)
export const merchant = 'bench_hot'

/**
 * Takes a few payments through a real ledger and reads its statements in the server's log, so that the bench measures
 * the code that runs. One payment stays unsettled, as the pattern of the payments that pgbench will settle.
 */
export async function capture(
  logDir: string,
  { name, url, pool }: BenchDatabase,
): Promise<Captured> {
  await pool.query(`ALTER DATABASE ${name} SET log_statement = 'all'`)
  const ledger = await startLedger(url)
  const paid = await ledger.pay(true)
  const left = await ledger.pay(false)
  await ledger.payAtOnce(16)
  await ledger.stop()
  await pool.query(`ALTER DATABASE ${name} RESET log_statement`)
  await pool.query(planLikeTheLedger(name))
  const statements = readStatements(logDir)
  return {
    create: last(statements, 'INSERT INTO checkouts'),
    settle: settling(statements, (sql) => !sql.includes('SKIP LOCKED')),
    settleTogether: settling(statements, (sql) => sql.includes('SKIP LOCKED')),
    read: last(statements, '"payBillReports"'),
    ...left,
    paidIntentId: paid.intentId,
  }
}

/**
 * Returns SQL that gives a database the planner settings of the connections on which the ledger settles (`settlePlans`
 * in the ledger).
 */
function planLikeTheLedger(name: string): string {
  const settings = ['enable_seqscan = off', 'enable_hashjoin = off', 'enable_mergejoin = off']
  return [...settings, 'plan_cache_mode = force_generic_plan']
    .map((setting) => `ALTER DATABASE ${name} SET ${setting}`)
    .join('; ')
}

/** Starts a real ledger on a database. `pay` and `payAtOnce` take payments through it. */
export async function startLedger(databaseUrl: string) {
  const config = readConfig({
    ...{ COUNTRY: 'ke', PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent' },
    ...{ DATABASE_URL: databaseUrl, PAY_BILL_NUMBER_KEY: secretHex },
    CALLBACK_UNCONFIRMED_MAX_MINOR: '50000',
    TLS_DIR: testIdentityDir('ledger-ke'),
  })
  const started = await startService(config, openLog('bench', 'silent'))
  const address = `127.0.0.1:${String(started.ports['grpc'])}`
  const ledger = openCallsOf<LedgerServiceServer>({
    server: 'ledger-ke',
    definition: LedgerServiceService,
    callers: ledgerCallers('ke'),
    address,
    whenUnavailable: 'ledger_unavailable',
  })
  const ask = <Answer>(method: keyof typeof ledger.calls, request: object): Promise<Answer> => {
    const all = ledger.calls as unknown as Record<string, (request: object) => Promise<unknown>>
    return all[method]?.(request) as Promise<Answer>
  }
  return {
    ask,
    async pay(isSettled: boolean) {
      const started = await start(ask, isSettled ? 0 : 1)
      if (isSettled) await settle(ask, started, 0)
      await ask('readCheckout', { checkoutId: started.checkoutId })
      return started
    },
    /** Starts `count` payments, and settles all of them at the same moment. */
    async payAtOnce(count: number) {
      const all = await Promise.all(Array.from({ length: count }, (_, at) => start(ask, at + 2)))
      await Promise.all(all.map(async (started, at) => settle(ask, started, at + 2)))
    },
    async stop() {
      ledger.close()
      await started.stop()
    },
  }
}

type Ask = <Answer>(method: keyof Calls<LedgerServiceServer>, request: object) => Promise<Answer>

/** Plays a payment up to its stored callback, by the calls that the gateway and the worker make. */
async function start(ask: Ask, turn: number) {
  const fingerprint = Buffer.alloc(32, 7)
  const idempotencyKey = `bench ${String(turn)}`
  await ask('openWallet', { accountId: merchant, cardEnabled: false })
  const { checkout } = await ask<{ checkout: { checkoutId: string } }>('createCheckout', {
    ...{ accountId: merchant, idempotencyKey, fingerprint, amountMinor: 50_000n },
    ...{ reference: 'INV-2041', description: 'Shoes', returnUrl: 'https://shop.example/done' },
  })
  const { checkoutId } = checkout
  const phone = String(254_708_374_149 + turn)
  const { intent } = await ask<{ intent: { intentId: string } }>('startIntent', {
    ...{ checkoutId, idempotencyKey, fingerprint, rail: Rail.MPESA, phone },
  })
  const { intentId } = intent
  const { prompt } = await ask<{ prompt: { callbackToken: string } }>('beginSubmit', { intentId })
  const outcome = { $case: 'accepted', value: { providerRequestId: 'ws_CO_bench' } }
  await ask('recordSubmit', { intentId, outcome })
  const { messageId } = await ask<{ messageId: string }>('storeProviderMessage', {
    ...{ rail: Rail.UNSPECIFIED, kind: ProviderMessageKind.CALLBACK },
    subject: { $case: 'callbackToken', value: prompt.callbackToken },
    ...{ body: Buffer.alloc(600, 'x'), sourceAddress: '196.201.214.200', sourceKnown: true },
  })
  return { intentId, checkoutId, messageId }
}

async function settle(ask: Ask, { messageId }: { messageId: string }, turn: number) {
  const value = {
    ...{ receipt: `BENCH${String(turn).padStart(5, '0')}`, amountMinor: 50_000n },
    ...{ providerRequestId: 'ws_CO_bench', paidAt: undefined },
  }
  await ask('applyEvidence', { messageId, fact: { $case: 'confirmed', value } })
}

function readStatements(logDir: string): Statement[] {
  return readdirSync(logDir)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readFileSync(join(logDir, name), 'utf8').split('\n'))
    .flatMap((line) => {
      if (line === '') return []
      const { message = '', detail = '' } = JSON.parse(line) as {
        message?: string
        detail?: string
      }
      const sql = /^execute [^:]*: ([^]*)$/.exec(message)?.[1]
      return sql === undefined ? [] : [{ sql, values: readValues(detail) }]
    })
}

/** Reads the values of a log line such as `Parameters: $1 = 'x', $2 = NULL`. */
function readValues(detail: string): (string | null)[] {
  const found = detail.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g)
  return Array.from(found, ([, quoted]) => quoted?.replaceAll("''", "'") ?? null)
}

function settling(statements: readonly Statement[], isLock: (sql: string) => boolean): Settling {
  const locks = statements.filter(({ sql }) => sql.includes('WITH asked AS') && isLock(sql))
  return {
    lock: last(locks, 'FOR NO KEY UPDATE'),
    load: last(statements, '"declinedHint"'),
    save: last(statements, 'INSERT INTO transfers'),
  }
}

function last(statements: readonly Statement[], call: string): Statement {
  const found = statements.findLast(({ sql }) => sql.includes(call))
  if (found === undefined) throw new Error(`the ledger did not send ${call}`)
  return found
}
