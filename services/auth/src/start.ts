import {
  type AccountServiceServer,
  AccountServiceService,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import { openDoor } from '@malipo/runtime/door'
import { serveGrpc } from '@malipo/runtime/grpc'
import { serveHealth } from '@malipo/runtime/health'
import { serveHttp } from '@malipo/runtime/http'
import type { Log } from '@malipo/runtime/log'
import { openApp } from '@malipo/runtime/open-app'
import { presentFault } from '@malipo/runtime/present-fault'
import { Opened, type Started } from '@malipo/runtime/process'
import { refuseUnreadable } from '@malipo/runtime/refuse-unreadable'
import type { Config } from './config'
import { readProfile } from './http/read-profile'
import { startForgettingExpired } from './jobs/forget-expired'
import { accountOperations } from './rpc/account-operations'
import { openCredentialHasher } from './store/credential-hash'
import { openDatabase } from './store/database'

export async function start(config: Config, log: Log): Promise<Started> {
  const opened = new Opened(log)
  const { host, internalSecret } = config

  const db = openDatabase(config.databaseUrl)
  opened.add('database', () => db.$disconnect())

  const forgetting = startForgettingExpired(db, log)
  opened.add('forgetting', forgetting.stop)

  const hasher = openCredentialHasher(config.credentialPepper)

  const grpc = await serveGrpc<AccountServiceServer>({
    definition: AccountServiceService,
    operations: accountOperations({ db, hasher }),
    internalSecret,
    host,
    port: config.grpcPort,
    log,
  })
  opened.add('grpc', grpc.stop)

  const http = await serveHttp({
    handler: openApp(openDoor(log, presentFault), [
      {
        method: 'get',
        path: '/v1/auth/public/profile/:handle',
        operation: readProfile({ db }),
      },
    ]),
    onUnreadable: refuseUnreadable,
    host,
    port: config.port,
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
    stop: () => opened.closeAll(),
  }
}
