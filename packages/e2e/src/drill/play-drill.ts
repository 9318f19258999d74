import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { archiveOf } from '@malipo/stack/backup/about'
import { restore } from '@malipo/stack/backup/restore'
import { takeBackup } from '@malipo/stack/backup/take-backup'
import { acceptCopy } from '@malipo/stack/operations/restored'
import { eventually } from '@malipo/testing/eventually'
import { Client } from 'pg'
import { receiptOf } from '../books'
import { enterFixture, type Fixture } from '../fixture'
import { type RunningStack, startStack } from '../running-stack'
import {
  countryOf,
  type DrillRail,
  drillRails,
  type Fixtures,
  payBillOf,
  payBy,
} from './pay-by-rail'

export interface DrillOptions {
  /** Rounds of a payment by every rail: during the backup, after it, and after the last segment was archived. */
  readonly rounds: { readonly before: number; readonly archived: number; readonly lost: number }
  /** The pause between two rounds. */
  readonly paceMs: number
  /** Whether the drill waits until the server archives its log by itself, which takes up to 30 seconds. */
  readonly isLogArchivedInTime: boolean
  readonly environment: Readonly<Record<string, string>>
  readonly onProgress: (line: string) => void
}

/** The payments of one rail in the provider's book, and where they are after the restore. */
export interface RailResult {
  readonly inBook: number
  readonly lostByRestore: number
  readonly foundAgain: number
  /** Receipts that no database and no statement has: only the provider can tell. */
  readonly unknown: readonly string[]
}

export interface DrillResult {
  /** Recovery point: the time from the last restored commit to the loss. */
  readonly rpoMs: number
  /** Recovery time: the time from the loss until a new payment was completed in both countries. */
  readonly rtoMs: number
  readonly rails: Readonly<Record<DrillRail, RailResult>>
  /** Violations of what must always hold, in sentences. */
  readonly wrong: readonly string[]
}

/** Settings with short intervals, so that the stack closes the gap during the drill. */
const hurried = {
  PAY_BILL_SECONDS: '2',
  QUERY_AFTER_SECONDS: '2',
  QUERY_EVERY_SECONDS: '1',
}

const backMs = 90_000
const gapClosedMs = 60_000

/** Loses the databases of a stack while it is paid, restores them, and finds out what happened to every payment. */
export async function playDrill(options: DrillOptions): Promise<DrillResult> {
  const { onProgress, rounds } = options
  onProgress('Starting a stack')
  const stack = await startStack({ ...options.environment, ...hurried })
  const fixtures = { ke: enterFixture(stack, 'ke'), ug: enterFixture(stack, 'ug') }
  try {
    onProgress('Paying, and backing up meanwhile')
    const [backup] = await Promise.all([
      backUp(stack),
      payRounds(fixtures, rounds.before, options.paceMs),
    ])
    await payRounds(fixtures, rounds.archived, options.paceMs)
    await untilArchived(stack, backup, options)
    const numbers = await payRounds(fixtures, rounds.lost, options.paceMs)
    const lostAt = Date.now()
    onProgress('Killing PostgreSQL, and removing its data')
    loseDatabase(stack)
    const { lastCommitAt } = await bringBack(stack, backup, onProgress)
    onProgress('Paying again by every rail')
    const before = await missing(fixtures, lostAt)
    const again = await payRounds(fixtures, 1, 0)
    const rtoMs = Date.now() - lostAt
    onProgress('Waiting for what the providers still know')
    const { rails, late } = await closeGap(fixtures, before)
    const repeated = again.filter((number) => numbers.includes(number))
    const wrong = [
      ...late,
      ...repeated.map((number) => `the Pay Bill number ${number} was given out twice`),
      ...(await wrongWith(fixtures)),
    ]
    const rpoMs = lostAt - (lastCommitAt?.getTime() ?? 0)
    return { rpoMs, rtoMs, rails, wrong }
  } finally {
    await Promise.all([fixtures.ke.close(), fixtures.ug.close()])
    await stack.stop()
  }
}

const backUp = ({ dir, file }: RunningStack) =>
  takeBackup({ dir, databaseUrl: file.databases.ledger_ke, onProgress: () => undefined })

/** Pays by every rail in each round. Returns the account number of one more checkout a round, which stays unpaid. */
async function payRounds(fixtures: Fixtures, rounds: number, paceMs: number): Promise<string[]> {
  const numbers: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { id } = await fixtures.ke.merchant.createCheckout({ amount: 100_000 })
    numbers.push((await payBillOf(fixtures.ke, id)).account_number)
    await Promise.all(drillRails.map((rail) => payBy[rail](fixtures)))
    await wait(paceMs)
  }
  return numbers
}

/** Waits until the next segment of the write-ahead log is archived, which contains all payments so far. */
async function untilArchived(
  { file }: RunningStack,
  backup: string,
  { isLogArchivedInTime }: DrillOptions,
): Promise<void> {
  const newest = () => readdirSync(archiveOf(backup)).sort().at(-1)
  const before = newest()
  if (!isLogArchivedInTime) {
    const client = new Client({ connectionString: file.databases.ledger_ke })
    await client.connect()
    await client.query('SELECT pg_switch_wal()')
    await client.end()
  }
  await eventually('the log is archived', () => newest() !== before, 60_000, 100)
}

/**
 * Moves the data of PostgreSQL away and kills the ledgers. They start again, and at each start a ledger checks whether
 * its database is an older copy.
 */
function loseDatabase(stack: RunningStack): void {
  stack.signal('postgres', 'SIGKILL')
  // The folder is moved, because children of the killed server may write into it for a moment.
  renameSync(join(stack.dir, 'postgres'), join(stack.dir, 'gone'))
  for (const name of ['ledger-ke', 'ledger-ug']) stack.signal(name, 'SIGKILL')
  // Workers get SIGTERM and not SIGKILL, because a killed worker would hold the lease of the statement for ten more
  // seconds.
  for (const name of ['worker-ke', 'worker-ug']) stack.signal(name, 'SIGTERM')
}

async function bringBack(
  stack: RunningStack,
  backup: string,
  onProgress: DrillOptions['onProgress'],
) {
  const into = `${stack.dir}-restored`
  try {
    const restored = await restore({ backup, into, to: undefined, stackDir: undefined, onProgress })
    const dataDir = join(stack.dir, 'postgres')
    if (existsSync(dataDir)) throw new Error(`${dataDir} is there again`)
    for (const country of ['ke', 'ug'] as const) acceptCopy(stack.dir, { country }, 'the drill')
    renameSync(join(into, 'postgres'), dataDir)
    await eventually('the stack is whole', () => stack.untilWhole().then(() => true), backMs)
    return restored
  } finally {
    rmSync(into, { recursive: true, force: true })
  }
}

type Receipts = Readonly<Record<DrillRail, { readonly all: string[]; readonly missing: string[] }>>

/**
 * Returns the receipts in the provider's book, and those of them that the journal lacks. With `atMs`, the moment of the
 * loss, a transfer that was posted later does not count: a worker reads the statement as soon as the ledger is back,
 * and may have posted lost payments again by now.
 */
async function missing(fixtures: Fixtures, atMs = Infinity): Promise<Receipts> {
  const entries = await Promise.all(
    drillRails.map(async (rail) => {
      const fixture = fixtures[countryOf[rail]]
      const all = (await receiptsOf(fixture)).filter((row) => row.rail === rail)
      const posted = new Set(
        (await fixture.journal.transfers())
          .filter(({ created_at: at }) => at.getTime() <= atMs)
          .map(({ event_key: key }) => receiptOf(key)),
      )
      const receipts = all.map(({ receipt }) => receipt)
      return [rail, { all: receipts, missing: receipts.filter((one) => !posted.has(one)) }] as const
    }),
  )
  return Object.fromEntries(entries) as Receipts
}

async function receiptsOf({ simulator }: Fixture) {
  const book = await simulator.book()
  return book.map(({ receipt, provider, kind }) => ({
    receipt,
    rail: kind === 'pay_bill' ? kind : provider,
  }))
}

/**
 * Waits until every lost payment of Kenya is posted from M-PESA's statement. Uganda's providers have no statement, so
 * there it waits until no attempt of the restored database is under way, because all have been queried. Returns the
 * result of each rail, and in `late` what did not happen in time.
 */
async function closeGap(fixtures: Fixtures, before: Receipts) {
  const isClosed = async () => {
    const now = await missing(fixtures)
    const isShown = [now.mpesa, now.pay_bill].every((receipts) => receipts.missing.length === 0)
    return isShown && (await fixtures.ug.journal.attemptsUnderWay()) === 0
  }
  const closing = eventually(
    'both countries have found what can be found',
    isClosed,
    gapClosedMs,
    500,
  )
  const late = await closing.then(
    () => [],
    (error: unknown) => [String(error)],
  )
  const after = await missing(fixtures)
  const entries = drillRails.map((rail) => {
    const unknown = after[rail].missing
    const lostByRestore = before[rail].missing.length
    const result: RailResult = {
      inBook: after[rail].all.length,
      lostByRestore,
      foundAgain: lostByRestore - unknown.length,
      unknown,
    }
    return [rail, result] as const
  })
  return { rails: Object.fromEntries(entries) as DrillResult['rails'], late }
}

/** Finds payers who were prompted twice and receipts that were posted twice. */
async function wrongWith(fixtures: Fixtures): Promise<string[]> {
  const found = await Promise.all(
    Object.values(fixtures).map(async ({ simulator, journal }) => {
      const events = await simulator.events()
      const requested = events
        .filter(({ kind }) => kind === 'push_accepted')
        .map(({ facts }) => String(facts['msisdn']))
      const posted = (await journal.transfers())
        .map(({ event_key: key }) => key)
        .filter((key) => key.startsWith('receipt:'))
      return [
        ...repeatedOf(requested).map(
          (msisdn) => `the payer ***${msisdn.slice(-3)} was asked twice`,
        ),
        ...repeatedOf(posted).map((key) => `${key} was posted twice`),
      ]
    }),
  )
  return found.flat()
}

function repeatedOf(words: readonly string[]): string[] {
  return [...new Set(words.filter((word, at) => words.indexOf(word) !== at))]
}
