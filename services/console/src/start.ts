import { openLedgers } from '@malipo/ledger-client/ledger'
import { openClientAddress } from '@malipo/runtime/client-address'
import { systemClock } from '@malipo/runtime/clock'
import { openHandlerFactory } from '@malipo/runtime/handler-factory'
import { serveHealth } from '@malipo/runtime/health'
import type { Log } from '@malipo/runtime/log'
import { openNetworks } from '@malipo/runtime/networks'
import { openApp } from '@malipo/runtime/open-app'
import { Opened, type Started } from '@malipo/runtime/process'
import { servePublicHttp } from '@malipo/runtime/public-http'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import type { Config } from './config'
import { openEnrolledOperators } from './operators/enrolled-operators'
import { consoleRoutes } from './web/routes'
import { openChallenges } from './sign-in/challenges'
import { openOidc } from './sign-in/oidc'
import { openRecords } from './sign-in/records'
import { openSessions } from './sign-in/sessions'
import { presentConsoleFault } from './web/fault-page'
import { protectPages } from './web/protect-pages'

const readyMs = 2_000

export async function start(config: Config, log: Log): Promise<Started> {
  const opened = new Opened(log)
  const { host, consoleUrl, ledgerAddresses } = config
  const identity = openTlsIdentity(config.tlsDir, log)
  const clock = systemClock

  // An operator waits for the page. The ledger ends each statement after two seconds, so before these deadlines.
  const ledgers = openLedgers(ledgerAddresses, { identity, readMs: 5_000, writeMs: 10_000 })
  opened.add('ledger ke', ledgers.ke.close)
  opened.add('ledger ug', ledgers.ug.close)

  const records = openRecords(ledgers)
  const proxies = openNetworks(config.trustedProxies)
  const deps = {
    ...{ ledgers, consoleUrl, clock, log },
    operators: openEnrolledOperators(ledgers, clock),
    sessions: openSessions(records),
    challenges: openChallenges(records),
    oidc: config.oidc && openOidc(config.oidc, `${consoleUrl}/sign-in/callback`, records),
    needsSubject: config.oidc !== undefined,
    origin: new URL(consoleUrl).origin,
    clientAddress: openClientAddress(proxies),
  }
  const toHandler = protectPages(openHandlerFactory(log, presentConsoleFault), consoleUrl)
  const http = await servePublicHttp({
    handler: openApp(toHandler, consoleRoutes(deps)),
    host,
    port: config.port,
    isEncrypted: consoleUrl.startsWith('https:'),
    connections: config.connections,
    proxies,
  })
  opened.add('http', http.stop)

  const health = await serveHealth({
    host,
    port: config.adminPort,
    // One ledger is enough to work with: the pages say which one is missing.
    checks: { ledgers: () => Promise.any([ledgers.ke.ready(readyMs), ledgers.ug.ready(readyMs)]) },
  })
  opened.add('health', health.stop)

  return {
    ports: { http: http.port, admin: health.port },
    drain: http.drain,
    stop: () => opened.closeAll(),
  }
}
