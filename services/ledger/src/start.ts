import {
  LedgerServiceService,
  type LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { firstCell } from '@malipo/kernel/cells'
import { asksByPage } from '@malipo/kernel/rail-abilities'
import { callClasses, eachClass } from '@malipo/runtime/call-classes'
import { systemClock } from '@malipo/runtime/clock'
import { oncePresent } from '@malipo/runtime/database'
import { serveGrpc } from '@malipo/runtime/grpc'
import { serveHealth } from '@malipo/runtime/health'
import type { Log } from '@malipo/runtime/log'
import { Opened, type Started } from '@malipo/runtime/process'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import { openCopyGuard } from './audit/guard-copy'
import { openFindCheckout } from './checkouts/store/checkouts'
import type { Config } from './config'
import {
  type Database,
  openAuditDatabase,
  openDatabases,
  openStandby,
  type SharedDatabase,
} from './database/database'
import { checkClock, checkRole, takeDeployment } from './database/deployment'
import { openNewIds } from './database/ids'
import { guardSchema, type SchemaGuard } from './database/schema-version'
import { denyAfterSeconds } from './intents/rules/decide-claiming'
import { classOfMethod, ledgerCallers } from './methods'
import type { Ledger } from './operation'
import { openOperations } from './operations'
import { openActs } from './operators/signed'
import { openPayBillNumbers, openPayBillSignature } from './pay-bill/store/pay-bill-numbers'
import { startJobs } from './start-jobs'

export async function start(config: Config, log: Log): Promise<Started> {
  const opened = new Opened(log)

  const databases = openDatabases(config.databaseUrl)
  for (const callClass of callClasses) {
    opened.add(`${callClass} database`, () => databases[callClass].close())
  }
  const { db } = databases.settle
  const schema = guardSchema(databases.settle.pool, log)
  const guard = openCopyGuard(databases.settle, config, log)
  let isOpen = false
  const health = await serveHealth({
    host: config.host,
    port: config.adminPort,
    checks: {
      database: () => db.$queryRaw`SELECT 1`,
      schema: () => schema.check(),
      copy: () => guard.check(),
      open: () => (isOpen ? Promise.resolve() : Promise.reject(new Error('not open yet'))),
    },
  })
  opened.add('health', health.stop)
  await takeDatabase(db, config, schema).catch(async (error: unknown) => {
    await opened.closeAll()
    throw error
  })
  opened.add('schema', schema.start().stop)
  await guard.untilCurrent()
  opened.add('copy mark', guard.start().stop)

  const beside = openAuditDatabase(config.databaseUrl)
  opened.add('audit database', () => beside.$disconnect())
  // The connection to the standby is made by its first query, not here.
  const { databaseUrl, standbyAddress } = config
  const standby =
    standbyAddress === undefined ? undefined : openStandby(databaseUrl, standbyAddress)
  opened.add('standby', () => standby?.$disconnect())
  const { promptWatch } = await startJobs({ databases, beside, config, log }, opened)

  const newIds = openNewIds(config.country, systemClock, config.cell)
  const shared = { beside, standby, newIds, promptWatch, log }
  const grpc = await serveGrpc<LedgerServiceServer>({
    definition: LedgerServiceService,
    operations: openOperations(
      eachClass((callClass) => openLedger(databases[callClass], shared, config)),
    ),
    classOfMethod,
    callers: ledgerCallers(config.country.country),
    identity: openTlsIdentity(config.tlsDir, log),
    host: config.host,
    port: config.port,
    log,
  })
  opened.add('grpc', grpc.stop)

  isOpen = true
  return { ports: { grpc: grpc.port, admin: health.port }, stop: () => opened.closeAll() }
}

/** Money moves only in a database of this code's version, this country and this cell, by a role that cannot change the journal. */
async function takeDatabase(db: Database, config: Config, schema: SchemaGuard): Promise<void> {
  await schema.untilFitting()
  await oncePresent(async () => {
    await checkRole(db)
    if (!config.isClockOfTest) await checkClock(db)
    await takeDeployment(db, config.country, config.cell ?? firstCell)
  })
}

type Shared = Pick<Ledger, 'beside' | 'standby' | 'newIds' | 'promptWatch' | 'log'>

/** What the operations of a call class are made with. */
function openLedger({ db, pool }: SharedDatabase, shared: Shared, config: Config): Ledger {
  const { country, rails, promptTimes, payBillNumberKey: key } = config
  const { queryEverySeconds, cardQueryAfterSeconds, reportHoldSeconds } = config
  const firstQueries = Object.values(promptTimes).map((times) => times.queryAfterSeconds)
  const wholeMajorsOnly = config.mpesaWholeShillings
  const unconfirmedMaxMinor = config.callbackUnconfirmedMaxMinor
  return {
    ...shared,
    ...{ db, pool, country, rails, wholeMajorsOnly, unconfirmedMaxMinor },
    ...{ promptTimes, queryEverySeconds, cardQueryAfterSeconds, reportHoldSeconds },
    acts: openActs({ db, pool }, country.country),
    findCheckout: openFindCheckout(pool),
    lifeSeconds: config.checkoutLifeSeconds,
    startSeconds: config.intentStartSeconds,
    sessionSeconds: config.cardSessionSeconds,
    denyAfterSeconds: denyAfterSeconds(Math.min(...firstQueries)),
    cardFeeBps: rails.some(asksByPage) ? config.cardFeeBps : undefined,
    payBill: {
      ...{ country, wholeMajorsOnly },
      signature: key && openPayBillSignature(key),
      unsignedMaxMinor: config.payBillUnconfirmedMaxMinor,
      callbackMaxMinor: unconfirmedMaxMinor,
      holdSeconds: config.payBillHoldSeconds,
    },
    payBillNumbers: key && openPayBillNumbers(db, key),
  }
}
