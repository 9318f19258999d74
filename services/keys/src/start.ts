import {
  KeyServiceService,
  type KeyServiceServer,
} from '@malipo/contracts/proto/keys/v1/key_service'
import { serveGrpc } from '@malipo/runtime/grpc'
import { serveHealth } from '@malipo/runtime/health'
import type { Log } from '@malipo/runtime/log'
import { Opened, type Started } from '@malipo/runtime/process'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import type { Config } from './config'
import { openUseRecorder } from './keys/record-uses'
import { keyCallers } from './callers'
import { createKey } from './keys/create-key'
import { listKeys } from './keys/list-keys'
import { revokeKey } from './keys/revoke-key'
import { verifyKey } from './keys/verify-key'
import { openDatabase } from './database/database'
import { recordUses } from './keys/store/keys'

export async function start(config: Config, log: Log): Promise<Started> {
  const opened = new Opened(log)
  const { host, keyPeppers: peppers } = config

  const db = openDatabase(config.databaseUrl)
  opened.add('database', () => db.$disconnect())

  const uses = openUseRecorder((batch) => recordUses(db, batch), log)
  opened.add('use recorder', () => uses.close())

  const grpc = await serveGrpc<KeyServiceServer>({
    definition: KeyServiceService,
    operations: {
      createKey: createKey({
        db,
        mode: config.keyMode,
        pepper: peppers[0],
        checkSecret: config.keyCheckSecret,
        pinProofPublicKey: config.pinProofPublicKey,
      }),
      revokeKey: revokeKey({ db }),
      verifyKey: verifyKey({ db, peppers, uses }),
      listKeys: listKeys({ db }),
    },
    callers: keyCallers,
    identity: openTlsIdentity(config.tlsDir, log),
    host,
    port: config.port,
    log,
  })
  opened.add('grpc', grpc.stop)

  const health = await serveHealth({
    host,
    port: config.adminPort,
    checks: { database: () => db.$queryRaw`SELECT 1` },
  })
  opened.add('health', health.stop)

  return { ports: { grpc: grpc.port, admin: health.port }, stop: () => opened.closeAll() }
}
