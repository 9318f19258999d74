import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveSettings } from '@malipo/stack/backup/archive'
import { claimDir } from '@malipo/stack/claim'
import { smallMachine } from '@malipo/stack/databases'
import { freePort } from '@malipo/stack/free-port'
import { migrate } from '@malipo/stack/migrate'
import {
  createDatabase,
  initialisePostgres,
  postgresCommand,
  postgresUrl,
  untilPostgresAnswers,
} from '@malipo/stack/postgres'
import { urlOfRole } from '@malipo/stack/service-role'
import { startStandby } from '@malipo/stack/standby/standby'
import { openSupervisor, type Supervisor } from '@malipo/stack/supervisor'
import { eventually } from '@malipo/testing/eventually'
import { Pool } from 'pg'
import { payments } from '../payments.harness'
import { type RunningLedger, startLedger } from '../start.harness'
import { past } from '../time.harness'

const dir = mkdtempSync(join(tmpdir(), 'malipo-audit-standby-'))
const startMs = 60_000

let supervisor: Supervisor
let pool: Pool
let database: Parameters<typeof startLedger>[0]
let standbyAddress: string

/** Starts a server with the ledger's database, and a standby that replays it. */
beforeAll(async () => {
  mkdirSync(join(dir, 'backups'), { recursive: true })
  supervisor = openSupervisor({ dir, claim: await claimDir(dir), began: () => undefined })
  const primary = {
    ...{ dataDir: join(dir, 'postgres'), password: 'secret', port: await freePort() },
    settings: { ...smallMachine, ...archiveSettings(dir) },
  }
  initialisePostgres(primary)
  const [command, args] = postgresCommand(primary)
  const started = { name: 'postgres', command, args, env: {}, stopSignals: ['SIGINT'] as const }
  const server = supervisor.keep('databases', started)
  await untilPostgresAnswers(postgresUrl(primary, 'postgres'), startMs)
  await createDatabase(postgresUrl(primary, 'postgres'), 'ledger')
  const ownerUrl = postgresUrl(primary, 'ledger')
  const url = urlOfRole(ownerUrl, 'ledger_service', 'secret')
  await migrate('ledger', { owner: ownerUrl, service: url }, AbortSignal.timeout(startMs))
  const given = { dir, primary, server, port: await freePort(), supervisor, environment: {} }
  await startStandby({ ...given, onProgress: () => undefined })
  pool = new Pool({ connectionString: ownerUrl })
  // The stopping server ends connections that the pool is still closing; no query runs on them any more.
  pool.on('error', () => undefined)
  database = { url, ownerUrl, pool, drop: () => Promise.resolve() }
  standbyAddress = `127.0.0.1:${String(given.port)}`
})
afterAll(async () => {
  await pool.end()
  await supervisor.stopAll(() => undefined)
  rmSync(dir, { recursive: true, force: true })
})

const opened: RunningLedger[] = []
afterEach(() => Promise.all(opened.splice(0).map((ledger) => ledger.stop())))

async function openLedger(changes: Parameters<typeof startLedger>[1]): Promise<RunningLedger> {
  const ledger = await startLedger(database, changes)
  opened.push(ledger)
  return ledger
}

const brokenOnStandby = async (ledger: RunningLedger) => {
  const { findings } = await ledger.audit({ onStandby: true })
  return findings.filter(({ rows }) => rows !== 0)
}

test('an audit of the standby finds nothing at first, says until when it has replayed, and finds what the primary breaks', async () => {
  const ledger = await openLedger({ standbyAddress })
  const pay = payments(ledger)
  const { checkoutId } = await pay.checkout()
  await pay.paid(await pay.pending(checkoutId))
  expect(await brokenOnStandby(ledger)).toEqual([])
  const { standby } = await ledger.audit({ onStandby: true })
  expect(standby).toEqual({ replayedUntil: expect.any(Date) as Date })
  await past(database, async (query) => {
    await query('UPDATE intents SET settled_minor = settled_minor - 1 WHERE receipt IS NOT NULL')
  })
  await eventually('the standby shows it', async () =>
    (await brokenOnStandby(ledger)).some(({ number }) => number === 8),
  )
})

test.each([
  ['the ledger has none', () => undefined],
  ['its address is not that of one', () => new URL(database.url).host],
])('an audit of a standby is refused where %s', async (_, addressOf) => {
  const ledger = await openLedger({ standbyAddress: addressOf() })
  await expect(ledger.audit({ onStandby: true })).rejects.toMatchObject({
    reason: 'invalid_request',
    facts: { field: 'on_standby' },
  })
})
