import { setTimeout as wait } from 'node:timers/promises'
import { openProgress, readCommand } from '@malipo/testing/command'
import { eventually } from '@malipo/testing/eventually'
import { openSimulatorControl } from '@malipo/testing/simulator-control'
import { Pool } from 'pg'
import { openPayer } from '../payer'
import { type RunningStack, startStack } from '../running-stack'
import { openShops, type Shop } from './shops'
import { isGood, type Report, Deliveries } from './deliveries'

const help = `Usage: npm run prove-webhooks -- [OPTIONS]

Starts a stack, makes merchants whose servers receive webhooks, pays their checkouts from the phones of the simulator, and kills
-9 the worker, the ledger, Redis and PostgreSQL in turn meanwhile. Every request is verified by the public library standardwebhooks.
Then compares the provider's book with the received events. Exits with 1 if a payment has no event, an event has no payment,
an event came under two ids, or the library did not verify a request.

  --payments N    10500 unless given, of which kills leave some unpaid
  --kills N       12 unless given, spread over the payments
  --merchants N   32 unless given; the interface allows each 120 requests a minute
  --at-once N     payments at a time, 16 unless given
  --help          this text
`

const numbers = { payments: 10_500, kills: 12, merchants: 32, 'at-once': 16 }

const victims = ['worker-ke', 'ledger-ke', 'redis', 'postgres'] as const

/**
 * How many checkouts a merchant creates in a minute: fewer than the 120 requests that an account has, because a create
 * that met a killed service is sent again.
 */
const createsPerMinute = 80

/** A killed worker's last lease ends after half a minute, and an unanswered prompt is given up after a minute. */
const calmWithinMs = 300_000

const firstPhone = 254_712_000_000

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers })
  if (options === undefined) return 0
  const stack = await startStack({
    ...{ QUERY_AFTER_SECONDS: '2', QUERY_EVERY_SECONDS: '2', INTENT_DEADLINE_SECONDS: '60' },
  })
  const deliveries = new Deliveries()
  let shops: Shop[] = []
  try {
    shops = await openShops(stack, options.merchants, deliveries)
    const paying = { stack, shops, payments: options.payments, atOnce: options['at-once'] }
    const { phoneOf, killed, notBegun } = await payUnderKills(paying, options.kills)
    const isCalm = await untilCalm(stack)
    const { paid, unpaid } = await compareWithBook(stack, phoneOf)
    const report = deliveries.report(paid, unpaid)
    process.stdout.write(textOf(report, { killed, notBegun, isCalm }))
    return isGood(report) && isCalm && paid.length > 0 ? 0 : 1
  } finally {
    await Promise.all(shops.map(({ receiver }) => receiver.stop()))
    await stack.stop()
  }
}

interface Paying {
  readonly stack: RunningStack
  readonly shops: readonly Shop[]
  readonly payments: number
  readonly atOnce: number
}

interface Paid {
  /** The phone that pays each checkout. */
  readonly phoneOf: ReadonlyMap<string, string>
  readonly killed: readonly string[]
  /** How many presses got no answer in the time that a payer waits. Such a payment may still have begun. */
  readonly notBegun: number
}

async function payUnderKills(paying: Paying, kills: number): Promise<Paid> {
  const { stack, shops, payments, atOnce } = paying
  const simulator = openSimulatorControl(stack.file.simulator.url)
  const policy = { answer: 'approve', after_ms: 0 } as const
  await simulator.addPhone({ msisdn: String(firstPhone), count: payments, policy })
  const show = openProgress('payments begun', payments)
  const phoneOf = new Map<string, string>()
  const killed: string[] = []
  const gapMs = 60_000 / (createsPerMinute * shops.length)
  let next = 0
  let begun = 0
  let notBegun = 0
  let freeAtMs = 0
  const payOne = async (index: number) => {
    freeAtMs = Math.max(freeAtMs, performance.now()) + gapMs
    await wait(Math.max(0, freeAtMs - performance.now()))
    const phone = String(firstPhone + index)
    const merchant = shops[index % shops.length]?.merchant
    if (merchant === undefined) throw new Error('there is no merchant')
    const { id } = await merchant.createCheckout({ amount: 10_000 })
    phoneOf.set(id, phone)
    await openPayer(stack.file)
      .payUntilAnswered(id, phone)
      .catch(() => (notBegun += 1))
    show((begun += 1))
    if (begun >= ((killed.length + 1) * payments) / (kills + 1) && killed.length < kills) {
      killed.push(kill(stack, killed.length))
    }
  }
  const payInTurn = async () => {
    while (next < payments) await payOne(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, payInTurn))
  return { phoneOf, killed, notBegun }
}

function kill(stack: RunningStack, turn: number): string {
  const name = victims[turn % victims.length] ?? victims[0]
  stack.signal(name, 'SIGKILL')
  process.stderr.write(`killed ${name}\n`)
  return name
}

/** Waits until no payment is in flight and no delivery is pending; returns false when the time was not enough. */
async function untilCalm({ file }: RunningStack): Promise<boolean> {
  const pool = new Pool({ connectionString: file.databases.ledger_ke, max: 1 })
  pool.on('error', () => undefined)
  const open = async () => {
    const { rows } = await pool.query<{ open: number }>(
      `SELECT ((SELECT count(*) FROM intents WHERE ended_at IS NULL)
        + (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending'))::int AS open`,
    )
    process.stderr.write(`${String(rows[0]?.open)} payments and deliveries under way\n`)
    return rows[0]?.open
  }
  try {
    return await eventually('all is calm', async () => (await open()) === 0, calmWithinMs, 5_000)
  } catch {
    return false
  } finally {
    await pool.end()
  }
}

/** Divides checkouts into paid and unpaid by the provider's book. Each payer pays once, so the phone tells which. */
async function compareWithBook({ file }: RunningStack, phoneOf: Paid['phoneOf']) {
  const book = await openSimulatorControl(file.simulator.url).book()
  const payers = new Set(book.map(({ msisdn }) => msisdn))
  const checkouts = [...phoneOf]
  const idsOf = (isPaid: boolean) =>
    checkouts.filter(([, phone]) => payers.has(phone) === isPaid).map(([id]) => id)
  return { paid: idsOf(true), unpaid: idsOf(false) }
}

function textOf(
  report: Report,
  run: { killed: readonly string[]; notBegun: number; isCalm: boolean },
): string {
  const { deliveryMs } = report
  const firstOf = (ids: readonly string[]) => [String(ids.length), ...ids.slice(0, 5)].join(' ')
  const rows: readonly (readonly [string, string])[] = [
    ['killed', run.killed.join(', ')],
    ['presses without an answer', String(run.notBegun)],
    ['paid, by the provider', String(report.paid)],
    ['not paid', String(report.unpaid)],
    ['requests received', String(report.requests)],
    ['events', String(report.events)],
    ['duplicates, same id', String(report.duplicates)],
    ['lost', firstOf(report.lost)],
    ['reported and not paid', firstOf(report.wronglyCompleted)],
    ['one event, two ids', firstOf(report.twoIds)],
    ['signature failures', String(report.signatureFailures)],
    [
      'delivered after, ms',
      `p50 ${String(deliveryMs.p50)}, p99 ${String(deliveryMs.p99)}, max ${String(deliveryMs.max)}`,
    ],
    ['calm at the end', run.isCalm ? 'yes' : 'NO'],
  ]
  return rows.map(([name, value]) => `${name.padEnd(28)}${value}\n`).join('')
}
