import { freePort } from '@malipo/stack/free-port'
import { testIdentityDir } from '@malipo/testing/identities'
import { openLog } from '@malipo/runtime/log'
import type { Config } from './config'
import { startLedger, type TestLedger } from './ledgers.harness'
import { start } from './start'

/** The console as it runs, with the real ledgers of both countries. */
export interface RunningConsole {
  readonly url: string
  readonly port: number
  readonly adminUrl: string
  readonly ke: TestLedger
  readonly ug: TestLedger
  /** Another process of the same console, at a separate address. */
  startAnother(): Promise<{ readonly url: string; stop(): Promise<void> }>
  /** Does what the process does at SIGTERM, before `stop`. */
  drain(): Promise<unknown>
  stop(): Promise<void>
}

export async function startConsole(changes: Partial<Config> = {}): Promise<RunningConsole> {
  const [ke, ug] = await Promise.all([startLedger('ke'), startLedger('ug')])
  const port = changes.port ?? (await freePort())
  const url = `http://127.0.0.1:${String(port)}`
  const config: Config = {
    ...{ host: '127.0.0.1', port, adminPort: 0, logLevel: 'silent' },
    tlsDir: testIdentityDir('console'),
    consoleUrl: url,
    trustedProxies: [],
    connections: { max: 2_000, perAddressMax: 400, idleSeconds: 15 },
    ledgerAddresses: { ke: ke.address, ug: ug.address },
    oidc: undefined,
    ...changes,
  }
  const started = await start(config, openLog('console', config.logLevel))
  return {
    url,
    port,
    adminUrl: `http://127.0.0.1:${String(started.ports['admin'])}`,
    ke,
    ug,
    async startAnother() {
      const other = await start({ ...config, port: 0 }, openLog('console', config.logLevel))
      return { url: `http://127.0.0.1:${String(other.ports['http'])}`, stop: () => other.stop() }
    },
    drain: () => Promise.resolve(started.drain?.()),
    async stop() {
      await started.stop()
      await Promise.all([ke.stop(), ug.stop()])
    },
  }
}
