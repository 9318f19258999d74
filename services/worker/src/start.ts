import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { openAccounts } from '@malipo/accounts-client/accounts'
import { drawQrJob, qrWaitMs } from '@malipo/contracts/payment-qr'
import { countries } from '@malipo/kernel/countries'
import { openLedger } from '@malipo/ledger-client/ledger'
import type { CardRail, PayBill, RailWiring } from '@malipo/rails/rail'
import { openCardRail, openRails } from '@malipo/rails/registry'
import { type Announce, openAnnounce } from '@malipo/runtime/changes'
import { steadyClock, systemClock } from '@malipo/runtime/clock'
import { serveHealth } from '@malipo/runtime/health'
import type { Log } from '@malipo/runtime/log'
import { expectEvents, notableEvents } from '@malipo/runtime/metrics'
import { Opened, type Started } from '@malipo/runtime/process'
import { openWorker } from '@malipo/runtime/queue'
import { openRedis } from '@malipo/runtime/redis'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import { waitOf } from '@malipo/runtime/waits'
import { openPostWebhook } from './webhooks/post-webhook'
import type { Config } from './config'
import { drawQr, type DrawQrDeps } from './pay-bill/draw-qr'
import { openFindPayee } from './pay-bill/find-payee'
import type { CardDeps, JobDeps } from './sweep/job-deps'
import { openQueryPlaces } from './queries/query-places'
import { type Jobs, openJobs } from './sweep/open-jobs'
import { startPreparingRails } from './rails/prepare-rails'
import { refundRailsOf } from './refunds/query-refund'
import { readStatementRows, type ReadStatementRowsDeps } from './pay-bill/read-statement-rows'
import { startRegisteringPayBill } from './pay-bill/register-pay-bill'
import { startSweep } from './sweep/sweep'
import { openLease } from './pay-bill/statement-lease'
import { startWatchingPayBill } from './pay-bill/watch-pay-bill'
import { openSharedTurns } from './rails/shared-turns'
import { measureCardRail, measureRail } from './rails/measured-rail'

/** The most jobs at one time, for each queue and for the sweep: they mostly wait for a provider. */
const concurrency = 32

/** The most QR codes that a provider draws for this process at one time. */
const qrsAtOnce = 4

/** The most event deliveries at one time, of which the ledger gives half at most to endpoints that are not quick. */
const deliveriesMax = 64

/** How long the ledger has to answer when readiness is checked: less than the second or so that the checker waits. */
const readyMs = 800

/** How long running jobs may take to end at shutdown. An interrupted job is repeated, or waits for its callback. */
const stopMs = 3_000

/** MTN's tokens and Airtel's key are renewed in their last ten minutes: so often that a few failures delay no payer. */
const prepareEveryMs = 30_000

/** Alerting counters of a worker, exported as 0 before the first event. */
const countedEvents = [
  'callback_signature_wrong',
  'provider_code_unknown',
  'provider_misconfigured',
  'provider_throttled',
  'provider_token_refused',
  'statement_clock',
  'statement_row_no_payment',
] as const

export async function start(config: Config, log: Log): Promise<Started> {
  const opened = new Opened(log)
  const { country } = config
  const identity = openTlsIdentity(config.tlsDir, log)
  const ledgerAt = { country, address: config.ledgerAddress, identity }
  const ledger = openLedger({ ...ledgerAt, readMs: 1_500, writeMs: 3_000 })
  opened.add('ledger', ledger.close)
  // Only background jobs wait for this service, so the timeout may be longer than a payer would wait.
  const accounts = openAccounts({ address: config.accountsAddress, identity, readMs: 3_000 })
  opened.add('accounts', accounts.close)
  const findPayee = openFindPayee(accounts, config)
  const redis = openRedis(config.redisUrl, log)
  opened.add('redis', () => {
    redis.disconnect()
  })
  const stopping = new AbortController()
  const wiring = wiringOf(redis, config, stopping.signal)
  expectEvents(countedEvents)
  const rails = new Map(
    [...openRails(config.rails, countries[country], wiring)].map(([name, rail]) => [
      name,
      measureRail(rail),
    ]),
  )
  const stopPreparing = await startPreparingRails({ rails, log, everyMs: prepareEveryMs })
  opened.add('tokens', stopPreparing)
  const card = cardDepsOf(config, openCardRail(config.rails, wiring))
  const { callbackBaseUrl } = config
  const announce = openAnnounce(redis, config.queuePrefix)
  const jobs = addJobs(opened, config, {
    ...{ ledger, accounts, findPayee, rails, card, callbackBaseUrl, announce, log },
  })

  for (const job of ['submit-prompt', 'read-provider-message'] as const) {
    const queue = { redisUrl: config.redisUrl, prefix: config.queuePrefix, name: job, log }
    const worker = openWorker({ ...queue, concurrency }, (id) => jobs.run({ job, id }))
    opened.add(job, () => worker.close())
  }
  addQrCodes(opened, config, { ledger, accounts, rails, announce, log, redis })
  const everyMs = config.sweepSeconds * 1_000
  const sweep = startSweep({
    ...{ jobs, log, everyMs, concurrency },
    ledger: { claimDue: (limit) => ledger.claimDue(limit, refundRailsOf({ rails, card })) },
  })
  opened.add('sweep', sweep.stop)

  const payBill = [...rails.values()].find((rail) => rail.payBill)?.payBill
  addPayBill(opened, config, { payBill, ledger, findPayee, announce, jobs, log })

  // Readiness does not include Redis: without it the sweep does everything, a second later.
  const health = await serveHealth({
    host: config.host,
    port: config.adminPort,
    checks: { ledger: () => ledger.ready(readyMs) },
  })
  opened.add('health', health.stop)
  // Closed first, so that the jobs of prompts in line can record them as not sent before the ledger's client closes.
  opened.add('line', () => {
    stopping.abort()
  })
  const isCardOn = card !== undefined
  log.info({ rails: [...rails.keys()], isCardOn }, 'rails')
  return { ports: { admin: health.port }, stop: () => opened.closeAll() }
}

/** What the rails need of this process. */
function wiringOf(
  redis: ReturnType<typeof openRedis>,
  { queuePrefix: prefix }: Pick<Config, 'queuePrefix'>,
  stopping: AbortSignal,
): RailWiring {
  const now = () => systemClock.now()
  // Each prompt in line adds a listener to this signal: without a limit of 0, Node would warn from the eleventh on.
  setMaxListeners(0, stopping)
  return {
    ...{ now, wait, stopping },
    takeTurn: openSharedTurns({ redis, prefix, now: () => steadyClock.now() }),
    countEvent: (name) => {
      notableEvents.inc({ name })
    },
  }
}

/**
 * Adds the jobs with their sweep, and a separate sweep for events: slow servers of merchants must not take the places
 * of payments. Each announcement makes the events' sweep claim at once, because the announced change may have made an
 * event; an announcement of mere progress does not.
 */
function addJobs(
  opened: Opened,
  config: Config,
  deps: Omit<JobDeps, 'announceProgress' | 'postWebhook' | 'runQuery' | 'clock'>,
): Jobs {
  const { ledger, log } = deps
  const announce: Announce = (ids) => {
    deps.announce(ids)
    deliveries.claimSoon()
  }
  const postWebhook = openPostWebhook({ mayUseLoopback: config.webhookLoopback })
  const announceProgress = deps.announce
  const made = { postWebhook, runQuery: openQueryPlaces(), clock: systemClock }
  const jobs = openJobs({ ...deps, announce, announceProgress, ...made })
  opened.add('jobs', () => Promise.race([jobs.idle(), wait(stopMs, undefined, { ref: false })]))
  const deliveries = startSweep({
    ...{ jobs, log, everyMs: config.sweepSeconds * 1_000, concurrency: deliveriesMax },
    ledger: { claimDue: (limit) => ledger.claimDeliveries(limit) },
  })
  opened.add('deliveries', deliveries.stop)
  return jobs
}

function addQrCodes(
  opened: Opened,
  { redisUrl, queuePrefix }: Config,
  deps: Omit<DrawQrDeps, 'queuePrefix'>,
): void {
  const queue = { redisUrl, prefix: queuePrefix, name: drawQrJob, log: deps.log }
  const oldestMs = waitOf(qrWaitMs)
  const worker = openWorker({ ...queue, concurrency: qrsAtOnce, oldestMs }, (checkoutId) =>
    drawQr({ ...deps, queuePrefix }, checkoutId),
  )
  opened.add('QR codes', () => worker.close())
}

/** Starts the registration and the statement reader for Pay Bill, where M-Pesa is on and has a callback path. */
function addPayBill(
  opened: Opened,
  config: Config,
  deps: ReadStatementRowsDeps & { readonly payBill?: PayBill | undefined },
): void {
  const { payBill, ledger, log } = deps
  if (payBill === undefined || config.c2bPathSecret === undefined) return
  const url = `${config.callbackBaseUrl}/callbacks/c2b/${config.c2bPathSecret}`
  const everyMs = config.payBillSeconds * 1_000
  const registering = startRegisteringPayBill({ payBill, ledger, log, url })
  opened.add('pay bill addresses', () => {
    registering.stop()
    return undefined
  })
  const lease = openLease({
    redisUrl: config.redisUrl,
    key: `${config.queuePrefix}:statement-reader`,
    log,
  })
  const watch = startWatchingPayBill({
    ...{ payBill, ledger, lease, everyMs, log },
    readRows: (bodies) => readStatementRows(deps, bodies),
    clock: systemClock,
  })
  opened.add('pay bill statement', watch.stop)
}

function cardDepsOf(config: Config, rail: CardRail | undefined): CardDeps | undefined {
  const { baseUrl, callbackBaseUrl, cardPayerKey } = config
  if (rail === undefined || baseUrl === undefined || cardPayerKey === undefined) return undefined
  return {
    rail: measureCardRail(rail),
    baseUrl,
    notificationUrl: `${callbackBaseUrl}/callbacks/card`,
    cardPayerKey,
  }
}
