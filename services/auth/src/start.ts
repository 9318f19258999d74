import {
  type AccountServiceServer,
  AccountServiceService,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import { openKeys } from '@malipo/keys-client/keys'
import { openCellLedgers } from '@malipo/ledger-client/ledger'
import { openClientAddress } from '@malipo/runtime/client-address'
import { systemClock } from '@malipo/runtime/clock'
import { openHandlerFactory } from '@malipo/runtime/handler-factory'
import { serveGrpc } from '@malipo/runtime/grpc'
import { serveHealth } from '@malipo/runtime/health'
import type { Log } from '@malipo/runtime/log'
import { openNetworks } from '@malipo/runtime/networks'
import { openApp, type Route } from '@malipo/runtime/open-app'
import { presentFault } from '@malipo/runtime/present-fault'
import { Opened, type Started } from '@malipo/runtime/process'
import { servePublicHttp } from '@malipo/runtime/public-http'
import { openTlsIdentity, type TlsIdentity } from '@malipo/runtime/tls-identity'
import type { Request } from 'express'
import type { Config } from './config'
import { hubRoutes } from './hub-server/hub-routes'
import { openLimitVisits } from './hub-server/limit-visits'
import { presentHubFault, hubPageRoutes, protectPages } from './hub-server/hub-page-routes'
import { openProvePin } from './keys/prove-pin'
import { readProfile } from './profiles/read-profile'
import { startForgettingExpired } from './database/forget-expired'
import { openWalletOpener, startOpeningWallets } from './wallets/open-wallets'
import { accountOperations } from './accounts/account-operations'
import { accountCallers } from './callers'
import type { Accounts, Hub } from './operation'
import { readCaller } from './audit/read-caller'
import { openCredentialHasher } from './credentials/store/credential-hash'
import { openDatabase } from './database/database'
import { openWebhookSecrets } from './webhooks/store/webhook-secrets'

export async function start(config: Config, log: Log): Promise<Started> {
  const opened = new Opened(log)
  const { host } = config
  const identity = openTlsIdentity(config.tlsDir, log)

  const db = openDatabase(config.databaseUrl)
  opened.add('database', () => db.$disconnect())

  const forgetting = startForgettingExpired(db, log)
  opened.add('forgetting', forgetting.stop)

  const hasher = openCredentialHasher(config.credentialPepper)
  const webhookSecrets = openWebhookSecrets(config.credentialPepper)

  // A person waits for the page, so a call ends a second after the ledger's own statement timeout of two seconds.
  const ledgers = openCellLedgers(config.ledgerAddresses, {
    identity,
    readMs: 3_000,
    writeMs: 3_000,
  })
  opened.add('ledgers', ledgers.close)

  const grpc = await serveGrpc<AccountServiceServer>({
    definition: AccountServiceService,
    operations: accountOperations({ db, hasher, ledgers, webhookSecrets }),
    callers: accountCallers,
    identity,
    host,
    port: config.grpcPort,
    log,
  })
  opened.add('grpc', grpc.stop)

  const proxies = openNetworks(config.trustedProxies)
  const clientAddress = openClientAddress(proxies)
  const limitVisits = openLimitVisits(systemClock)
  const http = await servePublicHttp({
    handler: openApp(openHandlerFactory(log, presentFault), [
      {
        method: 'get',
        path: '/v1/auth/public/profile/:handle',
        operation: readProfile({ db, clientAddress, limitVisits }),
      },
      ...hub(
        { db, hasher, log, ledgers, webhookSecrets, clientAddress, limitVisits, identity },
        config,
        opened,
      ),
    ]),
    host,
    port: config.port,
    isEncrypted: config.authUrl.startsWith('https:'),
    connections: config.connections,
    proxies,
  })
  opened.add('http', http.stop)

  const health = await serveHealth({
    host,
    port: config.adminPort,
    checks: { database: () => db.$queryRaw`SELECT 1` },
  })
  opened.add('health', health.stop)

  return {
    ports: { http: http.port, grpc: grpc.port, admin: health.port },
    drain: http.drain,
    stop: () => opened.closeAll(),
  }
}

type Own = Pick<Hub, keyof Accounts | 'log' | 'clientAddress' | 'limitVisits'> & {
  readonly identity: TlsIdentity
}

/** The account hub: its pages, its API, and its upstream services. */
function hub(own: Own, config: Config, opened: Opened): Route[] {
  const { db, log, ledgers, clientAddress, identity } = own
  const { authUrl, paymentsUrls } = config
  const keysAt = { address: config.keysAddress, identity }
  const keys = openKeys({ ...keysAt, readMs: 1_500, writeMs: 3_000 })
  opened.add('keys', keys.close)
  const opening = startOpeningWallets({ db, ledgers, log })
  opened.add('opening wallets', opening.stop)

  const callerOf = (request: Request) =>
    readCaller({ address: clientAddress(request), userAgent: request.get('user-agent') ?? '' })
  const toHandler = openHandlerFactory(log, presentHubFault)
  const openWallet = openWalletOpener({ db, ledgers, log })
  const { origin } = new URL(authUrl)
  const deps = {
    ...own,
    clock: systemClock,
    keys,
    provePin: openProvePin(config.pinProofPrivateKey),
    openWallet,
    paymentsUrls,
    origin,
    callerOf,
    toHandler,
  }
  return [
    ...hubRoutes(deps),
    ...hubPageRoutes({ authUrl, toHandler: protectPages(toHandler, authUrl) }),
  ]
}
