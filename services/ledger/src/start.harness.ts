import {
  LedgerServiceClient,
  type LedgerServiceServer,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { promptTimes } from '@malipo/kernel/prompts'
import { clientCredentials, clientOptions, openCall, type Operations } from '@malipo/runtime/grpc'
import { signCalls } from '@malipo/runtime/operator-calls'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { openLog } from '@malipo/runtime/log'
import type { TestDatabase } from '@malipo/testing/database'
import type { Config } from './config'
import { start } from './start'

const internalSecret = Buffer.alloc(32, 1)

/** Everything that the service offers, asked over the wire. */
export interface RunningLedger extends Operations<LedgerServiceServer> {
  readonly adminUrl: string
  /** The same, with every call signed. */
  as(operator: OperatorIdentity): Operations<LedgerServiceServer>
  stop(): Promise<void>
}

/** The service as it runs, with the times of production unless `changes` says otherwise. */
export async function startLedger(
  database: TestDatabase,
  changes: Partial<Config> = {},
): Promise<RunningLedger> {
  const config: Config = {
    host: '127.0.0.1',
    port: 0,
    adminPort: 0,
    logLevel: 'silent',
    databaseUrl: database.url,
    internalSecret,
    country: countries.ke,
    rails: ['mpesa', 'card'],
    checkoutLifeSeconds: 1_800,
    intentStartSeconds: 60,
    promptTimes,
    queryEverySeconds: 15,
    reportHoldSeconds: 600,
    auditEverySeconds: 30,
    reconcileEverySeconds: 300,
    cardFeeBps: 350n,
    cardSessionSeconds: 900,
    cardQueryAfterSeconds: 30,
    mpesaWholeShillings: false,
    payBillNumberKey: undefined,
    payBillValidated: false,
    ...changes,
  }
  const started = await start(config, openLog('ledger', config.logLevel))
  const address = `127.0.0.1:${String(started.ports['grpc'])}`
  const client = new LedgerServiceClient(address, clientCredentials, clientOptions)
  const clients = [client]
  return {
    ...askOverTheWire(client),
    as(operator) {
      const interceptors = [signCalls(operator, config.country.country)]
      const signing = new LedgerServiceClient(address, clientCredentials, {
        ...clientOptions,
        interceptors,
      })
      clients.push(signing)
      return askOverTheWire(signing)
    },
    adminUrl: `http://127.0.0.1:${String(started.ports['admin'])}`,
    async stop() {
      for (const each of clients) each.close()
      await started.stop()
    },
  }
}

function askOverTheWire(client: LedgerServiceClient): Operations<LedgerServiceServer> {
  const call = openCall(internalSecret, 'ledger_unavailable')
  const methods = Object.keys(LedgerServiceService) as (keyof typeof LedgerServiceService)[]
  const asks = methods.map((method) => {
    const send = client[method].bind(client) as (...input: unknown[]) => never
    const ask = (request: unknown) =>
      call(10_000, (metadata, options, done) => send(request, metadata, options, done))
    return [method, ask] as const
  })
  return Object.fromEntries(asks) as unknown as Operations<LedgerServiceServer>
}
