import {
  type LedgerServiceServer,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { firstCell } from '@malipo/kernel/cells'
import { asksByPage } from '@malipo/kernel/rail-abilities'
import { type CallClass, callClasses, eachClass } from '@malipo/runtime/call-classes'
import { systemClock } from '@malipo/runtime/clock'
import { oncePresent } from '@malipo/runtime/database'
import { type Operations, serveGrpc } from '@malipo/runtime/grpc'
import { serveHealth } from '@malipo/runtime/health'
import type { Log } from '@malipo/runtime/log'
import { Opened, type Started } from '@malipo/runtime/process'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import type { Config } from './config'
import { consoleOperations } from './console/console-operations'
import { denyAfterSeconds } from './intents/rules/decide-claiming'
import { openCopyGuard } from './audit/guard-copy'
import { guardSchema, type SchemaGuard } from './database/schema-version'
import { startJobs } from './start-jobs'
import { acceptAct } from './operators/accept-act'
import { applyEvidence } from './evidence/apply-evidence'
import { askFreezing } from './freezes/ask-freezing'
import { askPlacement } from './suspense/ask-placement'
import { askRefund } from './refunds/ask-refund'
import { askRefundClosing } from './refunds/ask-refund-closing'
import { askReportClosing } from './reports/ask-report-closing'
import { askRetirement } from './operators/ask-retirement'
import { audit } from './audit/audit'
import { beginQuery } from './intents/begin-query'
import { beginRefund } from './refunds/begin-refund'
import { beginRefundQuery } from './refunds/begin-refund-query'
import { beginSubmit } from './intents/begin-submit'
import { ledgerCallers } from './callers'
import { checkPayBill } from './pay-bill/check-pay-bill'
import { checkWallet } from './wallets/check-wallet'
import { claimDue } from './intents/claim-due'
import { classOfMethod } from './class-of-method'
import { countPayments } from './checkouts/count-payments'
import { createCheckout } from './checkouts/create-checkout'
import { decideEnrollment } from './operators/decide-enrollment'
import { decideFreezing } from './freezes/decide-freezing'
import { decidePlacement } from './suspense/decide-placement'
import { decideRefund } from './refunds/decide-refund'
import { decideRefundClosing } from './refunds/decide-refund-closing'
import { decideReportClosing } from './reports/decide-report-closing'
import { decideRetirement } from './operators/decide-retirement'
import { enrollOperator } from './operators/enroll-operator'
import { listCheckouts } from './checkouts/list-checkouts'
import { listOperators } from './operators/list-operators'
import { listReports } from './reports/list-reports'
import { listSuspense } from './suspense/list-suspense'
import { listWalletEntries } from './wallets/list-wallet-entries'
import { openWallet } from './wallets/open-wallet'
import { readCardSession } from './cards/read-card-session'
import { readCheckout } from './checkouts/read-checkout'
import { readHandlePayment } from './handles/read-handle-payment'
import { readIntent } from './intents/read-intent'
import { readProviderMessage } from './evidence/read-provider-message'
import { readTimeline } from './checkouts/read-timeline'
import { readWallet } from './wallets/read-wallet'
import { readReceipt } from './journal/read-receipt'
import { reconcileDay } from './statements/reconcile-day'
import { recordRefund } from './refunds/record-refund'
import { recordSubmit } from './intents/record-submit'
import { retrieveCheckout } from './checkouts/retrieve-checkout'
import { openActs } from './operators/signed'
import { startCardIntent } from './cards/start-card-intent'
import { startHandleIntent } from './handles/start-handle-intent'
import { startIntent, type Starting } from './intents/start-intent'
import { statementOperations } from './statements/statement-operations'
import { storeProviderMessage } from './evidence/store-provider-message'
import { webhookOperations } from './webhooks/webhook-operations'
import {
  type Database,
  openAuditDatabase,
  openDatabases,
  openStandby,
  type SharedDatabase,
} from './database/database'
import { openFindCheckout } from './checkouts/store/checkouts'
import { checkClock, checkRole, takeDeployment } from './database/deployment'
import { type NewIds, openNewIds } from './database/ids'
import { openPayBillNumbers, openPayBillSignature } from './pay-bill/store/pay-bill-numbers'

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
  // Connects when it is asked for the first time.
  const { databaseUrl, standbyAddress } = config
  const standby =
    standbyAddress === undefined ? undefined : openStandby(databaseUrl, standbyAddress)
  opened.add('standby', () => standby?.$disconnect())
  const { promptWatch } = await startJobs({ databases, beside, config, log }, opened)

  const newIds = openNewIds(config.country, systemClock, config.cell)
  const shared = { config, newIds, promptWatch, log }
  const grpc = await serveGrpc<LedgerServiceServer>({
    definition: LedgerServiceService,
    operations: {
      ...operationsByClass((callClass) => operations(databases[callClass], shared)),
      audit: audit({ db: beside, standby }),
      reconcileDay: reconcileDay({ db: beside }),
    },
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

/** The operations that the database of a class carries out. */
type OwnOperations = Omit<Operations<LedgerServiceServer>, 'audit' | 'reconcileDay'>

/** The operations of each call class, each on the database pool of its class. */
function operationsByClass(open: (callClass: CallClass) => OwnOperations): OwnOperations {
  const byClass = eachClass(open)
  const methods = Object.keys(byClass.settle) as (keyof OwnOperations)[]
  const own = methods.map((method) => [method, byClass[classOfMethod[method]][method]])
  return Object.fromEntries(own) as OwnOperations
}

type Shared = Pick<Starting, 'newIds' | 'promptWatch' | 'log'> & { readonly config: Config }

function operations(own: SharedDatabase, shared: Shared): OwnOperations {
  const { config, newIds, promptWatch, log } = shared
  const { db, pool } = own
  const { country, queryEverySeconds, cardQueryAfterSeconds, payBillNumberKey: key } = config
  const firstQueries = Object.values(config.promptTimes).map((times) => times.queryAfterSeconds)
  const cardFeeBps = config.rails.some(asksByPage) ? config.cardFeeBps : undefined
  const signature = key && openPayBillSignature(key)
  const wholeMajorsOnly = config.mpesaWholeShillings
  const payBill = { ...payBillTrust(config), signature }
  const findCheckout = openFindCheckout(pool)
  const starting = {
    ...{ pool, log, country, newIds, promptWatch },
    rails: config.rails,
    mpesaWholeShillings: wholeMajorsOnly,
    startSeconds: config.intentStartSeconds,
  }
  return {
    openWallet: openWallet({ db, country }),
    createCheckout: createCheckout({
      ...own,
      country,
      newIds,
      lifeSeconds: config.checkoutLifeSeconds,
      payBillNumbers: key && openPayBillNumbers(db, key),
      log,
    }),
    retrieveCheckout: retrieveCheckout({ findCheckout, country }),
    readCheckout: readCheckout({ findCheckout, country, cardFeeBps, wholeMajorsOnly }),
    startIntent: startIntent(starting),
    startHandleIntent: startHandleIntent(starting),
    startCardIntent: startCardIntent({
      ...starting,
      cardFeeBps,
      sessionSeconds: config.cardSessionSeconds,
    }),
    readCardSession: readCardSession({ db, country }),
    readHandlePayment: readHandlePayment({ pool, country }),
    readIntent: readIntent({ pool, country }),
    beginSubmit: beginSubmit({
      ...{ pool, log },
      country,
      promptTimes: config.promptTimes,
      cardQueryAfterSeconds,
    }),
    recordSubmit: recordSubmit({ pool, log }),
    beginQuery: beginQuery({ ...{ pool, log }, country, queryEverySeconds }),
    storeProviderMessage: storeProviderMessage({ ...own, newIds, log }),
    readProviderMessage: readProviderMessage({ pool }),
    applyEvidence: applyEvidence({
      ...{ db, pool },
      newIds,
      ...{ queryEverySeconds, reportHoldSeconds: config.reportHoldSeconds },
      unconfirmedMaxMinor: config.callbackUnconfirmedMaxMinor,
      denyAfterSeconds: denyAfterSeconds(Math.min(...firstQueries)),
      payBill,
      log,
    }),
    ...statementOperations({ db, pool, newIds, payBill, log }),
    checkPayBill: checkPayBill({ db, country, signature, wholeMajorsOnly }),
    checkWallet: checkWallet({ db, wholeMajorsOnly }),
    claimDue: claimDue({ pool, log }),
    ...handOperations({ db, pool, country, newIds, log }),
    ...webhookOperations({ db, pool, log }),
    readTimeline: readTimeline({ db, findCheckout, country }),
    ...hubOperations({ db, pool, country }),
    ...consoleOperations(db, config),
  }
}

/** What the account hub lists and counts. */
function hubOperations(
  deps: Pick<SharedDatabase, 'db' | 'pool'> & { readonly country: Config['country'] },
) {
  return {
    listCheckouts: listCheckouts(deps),
    readWallet: readWallet(deps),
    listWalletEntries: listWalletEntries(deps),
    countPayments: countPayments(deps),
  }
}

/** How far a Pay Bill confirmation is believed. */
function payBillTrust(config: Config) {
  return {
    country: config.country,
    unsignedMaxMinor: config.payBillUnconfirmedMaxMinor,
    callbackMaxMinor: config.callbackUnconfirmedMaxMinor,
    holdSeconds: config.payBillHoldSeconds,
    wholeMajorsOnly: config.mpesaWholeShillings,
  }
}

/** What people do by hand, and what happens to it. */
function handOperations({
  db,
  pool,
  country,
  newIds,
  log,
}: Pick<SharedDatabase, 'db' | 'pool'> & {
  readonly country: Config['country']
  readonly newIds: NewIds
  readonly log: Log
}) {
  const acts = openActs({ db, pool }, country.country)
  return {
    listSuspense: listSuspense({ db, country }),
    readReceipt: readReceipt({ db, country }),
    askPlacement: askPlacement({ pool, newIds, acts, log }),
    decidePlacement: decidePlacement({ pool, newIds, acts, log }),
    askRefund: askRefund({ pool, newIds, acts, log }),
    decideRefund: decideRefund({ pool, acts, log }),
    askRefundClosing: askRefundClosing({ pool, acts, log }),
    decideRefundClosing: decideRefundClosing({ pool, acts, log }),
    enrollOperator: enrollOperator({ pool, country: country.country, acts, log }),
    decideEnrollment: decideEnrollment({ pool, acts, log }),
    askRetirement: askRetirement({ pool, acts, log }),
    decideRetirement: decideRetirement({ pool, acts, log }),
    listOperators: listOperators({ db }),
    acceptAct: acceptAct({ acts }),
    askFreezing: askFreezing({ pool, newIds, acts, log }),
    decideFreezing: decideFreezing({ pool, acts, log }),
    listReports: listReports({ db, country }),
    askReportClosing: askReportClosing({ pool, newIds, acts, log }),
    decideReportClosing: decideReportClosing({ pool, acts, log }),
    beginRefund: beginRefund({ pool, country }),
    recordRefund: recordRefund({ pool, log }),
    beginRefundQuery: beginRefundQuery({ pool, country }),
  }
}
