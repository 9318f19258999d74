import { setTimeout as wait } from 'node:timers/promises'
import { openAccounts } from '@malipo/accounts-client/accounts'
import { countries } from '@malipo/kernel/countries'
import { type Clock, systemClock } from '@malipo/runtime/clock'
import { openHandlerFactory } from '@malipo/runtime/handler-factory'
import { serveHealth } from '@malipo/runtime/health'
import type { Log } from '@malipo/runtime/log'
import { expectEvents } from '@malipo/runtime/metrics'
import { openApp } from '@malipo/runtime/open-app'
import { openKeys } from '@malipo/keys-client/keys'
import { Opened, type Started } from '@malipo/runtime/process'
import { servePublicHttp } from '@malipo/runtime/public-http'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import { openCells } from './cells/open-cells'
import { openPromptSlots } from './cells/prompt-slots'
import type { Config } from './config'
import { openAllowOrigin, openCheckOrigin } from './payer/allow-origin'
import { openAuthenticate } from './merchant/authenticate'
import type { VerifyKey } from './merchant/key-cache'
import { openWaits } from './merchant/await-change'
import { callbackRoutes } from './callbacks/callback-routes'
import { openClientAddress } from '@malipo/runtime/client-address'
import { openLimits, presentLimited } from './limits/limit-rate'
import { openNetworks } from '@malipo/runtime/networks'
import { merchantRoutes, publicRoutes } from './payer/public-routes'
import { openFindPayee, openLoadPayee } from './payer/load-payee'
import { openRecordRequests } from './requests/record-requests'
import { openAwaitCardPage, openStartCardPayment } from './payer/start-card-payment'
import { openStartHandlePayment, openStartPayment } from './payer/start-payment'
import { shedLoad } from './limits/shed-load'
import { openPassOnRequests } from './requests/pass-on-requests'
import { openPresentFaultPage } from './pages/fault-page'
import type { Gateway } from './operation'
import { openStreams, type StreamsOptions } from './pages/intent-changes'
import { openLoadCheckout } from './pages/load-checkout'
import { openLoadHandle } from './pages/load-handle'
import { openPageHandlerFactory } from './pages/page-handler'
import { pageRoutes, qrRoutes } from './pages/page-routes'

/** Each merchant request waits for its key first, so the timeout is short; then the answer is 503 2782. */
const verifyMs = 800
const resolveMs = 1_500
const recordMs = 2_000

/** Alerting counters of a gateway, exported as 0 before the first event. */
const countedEvents = [
  'create_shed',
  'pay_shed',
  'read_shed',
  'connection_refused',
  'limit_counted_locally',
  'card_notification_forged',
  'client_address_hidden',
] as const

/** Starts the payments host of one country. `clock` is for caches and pages; tests pass a fake one. */
export async function start(
  config: Config,
  log: Log,
  clock: Clock = systemClock,
): Promise<Started> {
  const opened = new Opened(log)
  const { country, host, baseUrl, authUrl, connections, paymentsUrls, till, isQrOn } = config
  const upstreams = openUpstreams(config, log, opened)
  const { verify, ledger, accounts, redis } = upstreams

  const rules = { ...countries[country], mobileRails: config.mobileRails }
  const { origin } = new URL(baseUrl)
  const proxies = openNetworks(config.trustedProxies)
  const clientAddress = openClientAddress(proxies)
  const listener = { host, connections, proxies, isEncrypted: baseUrl.startsWith('https:') }
  const limits = openLimits({ redis, prefix: config.queuePrefix, clock, clientAddress })
  const keyChecks = openAuthenticate({ ...config, verify, clock, clientAddress })
  const recordRequests = openRecordRequests({ ...keyChecks, ...upstreams.passOnRequests, clock })
  const pageOrigins = [origin, ...config.pageOrigins]
  const allowOrigin = openAllowOrigin(pageOrigins)
  const checkOrigin = openCheckOrigin(pageOrigins)
  const loadCheckout = openLoadCheckout({ ...upstreams, rules, till, isQrOn })
  const loadPayee = openLoadPayee({ rules, ledger, accounts })
  const findPayee = openFindPayee({ rules, accounts })
  const loadHandle = openLoadHandle({ ...upstreams, rules, loadPayee, paymentsUrls })
  const presentPage = openPresentFaultPage({ ...limits, loadCheckout, clock })
  const toPageHandler = openPageHandlerFactory(log, config, presentPage)
  const toHandler = openHandlerFactory(log, presentLimited)

  const watching = openWaiting({ ...config, ...upstreams, ...limits })
  const gateway: Gateway = {
    ...{ ...upstreams, ...limits, ...openPayments(config, upstreams), ...watching },
    ...{ rules, clock, baseUrl, origin, authenticate: recordRequests.authenticate },
    ...{ allowOrigin, checkOrigin, loadCheckout, loadHandle, loadPayee, findPayee },
  }
  const world = await servePublicHttp({
    ...listener,
    port: config.port,
    handler: shedLoad(
      openApp(toHandler, [
        ...merchantRoutes(gateway, recordRequests),
        ...publicRoutes(gateway),
        ...pageRoutes(gateway, { ...watching, toPageHandler, authUrl }),
        ...(isQrOn ? qrRoutes(gateway) : []),
      ]),
      { slots: upstreams.slots, allowOrigin, clientAddress },
    ),
  })
  opened.add('public listener', world.stop)
  opened.add('waiting requests', watching.endWaits)

  const sources = openNetworks(config.callbackSources)
  const callers = { ...gateway, accounts, sources, till }
  const callbacks = await servePublicHttp({
    ...listener,
    port: config.callbackPort,
    handler: openApp(toHandler, callbackRoutes(callers, config)),
  })
  opened.add('callback listener', callbacks.stop)

  // Readiness does not include upstream services: without them the host still answers 503, and out of rotation it
  // would answer nothing.
  const health = await serveHealth({ host, port: config.adminPort, checks: {} })
  opened.add('health', health.stop)
  return {
    ports: { public: world.port, callbacks: callbacks.port, admin: health.port },
    drain: () => Promise.all([world.drain(), callbacks.drain()]),
    stop: () => opened.closeAll(),
  }
}

/** The requests that wait for a change: merchant reads, and the streams of payer pages. */
function openWaiting(
  options: StreamsOptions & Pick<Config, 'waitsMax'> & Pick<Upstreams, 'changes'>,
) {
  const { awaitChange, close } = openWaits(options.changes, options.waitsMax)
  const streams = openStreams(options)
  return {
    awaitChange,
    intentChanges: streams.intentChanges,
    endWaits: () => {
      close()
      streams.close()
    },
  }
}

function openPayments(config: Config, { ledger, submitJobs, announce, redis }: Upstreams) {
  const { cardBaseUrl, cardPayerKey, queuePrefix: prefix, keyCheckSecret: secret } = config
  const hasCells = config.cells.length > 1
  const takePromptSlot = hasCells ? openPromptSlots({ redis, prefix, secret }) : undefined
  const starting = { ledger, submitJobs, announce, takePromptSlot }
  return {
    startPayment: openStartPayment(starting),
    startHandlePayment: openStartHandlePayment(starting),
    cardBaseUrl,
    startCardPayment: openStartCardPayment({ ledger, submitJobs, announce, cardPayerKey }),
    awaitCardPage: openAwaitCardPage(ledger, wait),
  }
}

type Upstreams = ReturnType<typeof openUpstreams>

function openUpstreams(config: Config, log: Log, opened: Opened) {
  expectEvents(countedEvents)
  const { country, queuePrefix, cells: configs } = config
  const identity = openTlsIdentity(config.tlsDir, log)
  const keys = openKeys({ address: config.keysAddress, identity, readMs: verifyMs })
  opened.add('keys', keys.close)
  const verify: VerifyKey = (keySha256) => keys.verify(keySha256, country)
  const isCardOn = config.cardBaseUrl !== undefined
  const cells = openCells({ country, identity, queuePrefix, isCardOn, cells: configs, log }, opened)
  const accountsAt = { address: config.accountsAddress, identity, log }
  const accounts = openAccounts({ ...accountsAt, readMs: resolveMs, writeMs: recordMs })
  opened.add('accounts', accounts.close)
  const passOnRequests = openPassOnRequests(accounts.recordRequests, log)
  opened.add('request log', passOnRequests.close)
  return { verify, accounts, passOnRequests, ...cells }
}
