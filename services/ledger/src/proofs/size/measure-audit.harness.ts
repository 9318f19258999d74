import { openProgress, readCommand } from '@malipo/testing/command'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import startDatabases from '@malipo/testing/start-databases'
import stopDatabases from '@malipo/testing/stop-databases'
import { openAuditDatabase } from '../../database/database'
import { audit, ever, sealJournal } from '../../audit/store/audit'
import { copyPayments } from './copy-payments.harness'
import { openPayers } from './measure-size.harness'

const help = `Usage: npm run measure-audit [-- --payments N --made N]

Audits the database of many payments as a ledger does that \`npm run audit\` asks, with the same limits, and prints how long
that takes. Some payments are made through a real ledger, and the others are copies of them.

  --payments N   1000000 unless given; they take about 5 KB of the disk each
  --made N       how many of them are made: 1000 unless given
  --help         this text
`

/** Returns the exit code: 1 when an invariant does not hold, or its query took too long. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers: { payments: 1_000_000, made: 1_000 } })
  if (options === undefined) return 0
  await startDatabases()
  const database = await cloneDatabase('ledger')
  const onProgress = (text: string) => process.stdout.write(`${text}\n`)
  const { bad, seconds, payments } = await measureAudit(database, { ...options, onProgress })
  for (const line of bad) onProgress(line)
  onProgress(`${String(payments)} payments audited in ${seconds.toFixed(1)} s`)
  await database.drop()
  await stopDatabases()
  return bad.length === 0 ? 0 : 1
}

interface Many {
  readonly payments: number
  readonly made: number
  readonly onProgress: (text: string) => void
}

export async function measureAudit(database: TestDatabase, { payments, made, onProgress }: Many) {
  const progress = openProgress('payments made', made)
  const payers = await openPayers(database, { payments: made, callers: 8, progress })
  await payers.pay()
  await payers.stop()
  await copyPayments(database, Math.max(1, Math.round(payments / made) - 1), (table) => {
    onProgress(`copying the rows of ${table}`)
  })
  const db = openAuditDatabase(database.url)
  await sealJournal(db)
  const beganAt = performance.now()
  const answeredAt: number[] = []
  const findings = await audit(
    db,
    () => ever,
    () => {
      answeredAt.push(performance.now())
      return Promise.resolve(true)
    },
  )
  const seconds = (performance.now() - beganAt) / 1_000
  await db.$disconnect()
  const { rows } = await database.pool.query<{ count: number }>('SELECT count(*)::int FROM intents')
  const bad = findings
    .filter(({ rows: broken }) => broken !== 0)
    .map(
      ({ number, statement, rows: broken, examples }) =>
        `${String(number)}, ${statement}: ${broken === undefined ? 'no answer' : `broken by ${String(broken)}`} ${examples.join(' ')}`,
    )
  for (const [at, { number, statement }] of findings.entries()) {
    const tookMs = (answeredAt[at] ?? 0) - (answeredAt[at - 1] ?? beganAt)
    if (tookMs >= 1_000)
      onProgress(`${(tookMs / 1_000).toFixed(1)} s  ${String(number)}, ${statement}`)
  }
  return { bad, seconds, payments: rows[0]?.count ?? 0 }
}
