import {
  type LedgerServiceServer,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { promptTimes } from '@malipo/kernel/prompts'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import type { Calls } from '@malipo/runtime/grpc'
import { signCalls } from '@malipo/runtime/operator-calls'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { openLog } from '@malipo/runtime/log'
import type { TestDatabase } from '@malipo/testing/database'
import { testIdentityDir } from '@malipo/testing/identities'
import type { Config } from './config'
import { ledgerCallers } from './methods'
import { start } from './start'

/** A client of a running ledger, with every method of the service. */
export interface RunningLedger extends Calls<LedgerServiceServer> {
  readonly adminUrl: string
  /** Where it listens for internal callers. */
  readonly address: string
  /** The same methods, with every call signed by an operator. */
  as(operator: OperatorIdentity): Calls<LedgerServiceServer>
  stop(): Promise<void>
}

/** The service as it runs, with the times of production unless `changes` says otherwise. */
export async function startLedger(
  database: TestDatabase,
  changes: Partial<Config> = {},
  logged?: Parameters<typeof openLog>[2],
): Promise<RunningLedger> {
  const config: Config = {
    host: '127.0.0.1',
    port: 0,
    adminPort: 0,
    logLevel: 'silent',
    databaseUrl: database.url,
    standbyAddress: undefined,
    tlsDir: testIdentityDir(`ledger-${(changes.country ?? countries.ke).country}`),
    country: countries.ke,
    cell: undefined,
    isClockOfTest: false,
    rails: ['mpesa', 'card'],
    checkoutLifeSeconds: 1_800,
    intentStartSeconds: 60,
    // No worker runs in these tests, so prompts may wait for long, and no payment may be refused for that.
    promptWaitMaxSeconds: 1_000_000,
    promptTimes,
    queryEverySeconds: 15,
    reportHoldSeconds: 600,
    auditEverySeconds: 30,
    copyMarkFile: undefined,
    measureEverySeconds: 10,
    reconcileEverySeconds: 300,
    cardFeeBps: 350n,
    cardSessionSeconds: 900,
    cardQueryAfterSeconds: 30,
    mpesaWholeShillings: false,
    payBillNumberKey: undefined,
    payBillUnconfirmedMaxMinor: 0n,
    payBillHoldSeconds: 600,
    // Callbacks settle any amount that these tests pay. Tests of callbacks that wait for a confirmation lower the limit.
    callbackUnconfirmedMaxMinor: 1_000_000_000n,
    ...changes,
  }
  const started = await start(config, openLog('ledger', config.logLevel, logged))
  const address = `127.0.0.1:${String(started.ports['grpc'])}`
  const { country } = config.country
  const served = {
    server: `ledger-${country}`,
    definition: LedgerServiceService,
    callers: ledgerCallers(country),
    address,
    whenUnavailable: 'ledger_unavailable',
  } as const
  const own = openCallsOf<LedgerServiceServer>(served)
  const opened = [own]
  return {
    ...own.calls,
    as(operator) {
      const interceptors = [signCalls(operator, country)]
      const signing = openCallsOf<LedgerServiceServer>({ ...served, interceptors })
      opened.push(signing)
      return signing.calls
    },
    address,
    adminUrl: `http://127.0.0.1:${String(started.ports['admin'])}`,
    async stop() {
      for (const each of opened) each.close()
      await started.stop()
    },
  }
}
