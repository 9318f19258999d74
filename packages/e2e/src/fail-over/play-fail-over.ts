import { execFile } from 'node:child_process'
import { readFileSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { repositoryDir } from '@malipo/stack/migrate'
import { receiptOf } from '../books'
import { enterFixture, type Fixture } from '../fixture'
import { type Checkout, type Merchant, openMerchant } from '../merchant'
import { operate } from '../operator'
import { type RunningStack, startStack } from '../running-stack'
import { seedMerchants } from '../seeded-merchants'

export interface FailOverOptions {
  readonly paymentsPerSecond: number
  /** How long payments begin before the server is lost, and again from then on, while the standby takes over. */
  readonly secondsEach: number
  readonly onProgress: (line: string) => void
}

export interface FailOverResult {
  /** The time from the loss to the answer to the first checkout that was requested after the loss. */
  readonly recoveryMs: number
  readonly paid: number
  /** Violations of what must always hold, in sentences. */
  readonly wrong: readonly string[]
}

/** One payment: what its merchant and its payer were told. */
interface Payment {
  readonly merchant: Merchant
  readonly msisdn: string
  readonly askedAtMs: number
  acknowledgedAtMs?: number
  checkoutId?: string
  intentStatus?: string
  /** The error of its merchant or payer, when one of them got no answer. */
  problem?: string
}

const amountMinor = 100_000
/** How long a payment may take through an outage, until a status query has found its end. */
const finalWithinMs = 300_000

/** Takes payments, loses the disk of the databases in the middle, promotes the standby, and compares all books. */
export async function playFailOver(options: FailOverOptions): Promise<FailOverResult> {
  const { paymentsPerSecond, secondsEach, onProgress } = options
  onProgress('Starting a stack with a standby')
  const stack = await startStack({}, ['--standby'])
  const fixture = enterFixture(stack, 'ke')
  try {
    const made = await seedMerchants(stack, 'ke', 2 * paymentsPerSecond)
    const merchants = made.map((one) => openMerchant({ ...stack.file, merchants: [one] }))
    const payments: Payment[] = []
    const working: Promise<void>[] = []
    const begin = async (merchant: Merchant) => {
      const msisdn = await fixture.simulator.addPhone('approve')
      const payment: Payment = { merchant, msisdn, askedAtMs: performance.now() }
      payments.push(payment)
      await takePayment(fixture, payment).catch((error: unknown) => {
        payment.problem = String(error)
      })
    }
    const takePayments = async (seconds: number) => {
      for (let begun = 0; begun < seconds * paymentsPerSecond; begun += 1) {
        const merchant = merchants[begun % merchants.length]
        if (merchant !== undefined) working.push(begin(merchant))
        await wait(1_000 / paymentsPerSecond)
      }
    }
    onProgress('Taking payments')
    await takePayments(secondsEach)
    const lostAtMs = performance.now()
    onProgress('Killing PostgreSQL, removing its data, promoting the standby')
    stack.signal('postgres', 'SIGKILL')
    // The folder is moved, because children of the killed server may write into it for a moment.
    renameSync(join(stack.dir, 'postgres'), join(stack.dir, 'gone'))
    await Promise.all([promote(stack), takePayments(secondsEach)])
    onProgress('Waiting until each payment is final')
    await Promise.all(working)
    const acknowledged = payments
      .filter(({ askedAtMs }) => askedAtMs > lostAtMs)
      .map(({ acknowledgedAtMs }) => acknowledgedAtMs ?? Infinity)
    const wrong = await wrongWith(fixture, payments)
    return { recoveryMs: Math.min(...acknowledged) - lostAtMs, paid: payments.length, wrong }
  } finally {
    await fixture.close()
    await stack.stop()
  }
}

/** Plays a merchant and a payer, who repeat a request with the same key until it is answered. */
async function takePayment(fixture: Fixture, payment: Payment): Promise<void> {
  const { id } = await payment.merchant.createCheckout({ amount: amountMinor })
  payment.acknowledgedAtMs = performance.now()
  payment.checkoutId = id
  const payer = fixture.newPayer()
  const intentId = await payer.payUntilAnswered(id, payment.msisdn)
  payment.intentStatus = await payer.untilFinal(intentId, finalWithinMs)
}

async function promote({ dir }: RunningStack): Promise<void> {
  const script = join(repositoryDir, 'packages/stack/bin/promote.mjs')
  await promisify(execFile)(process.execPath, [script, '--dir', dir])
}

/** Finds payments that were made twice or on which book, journal and answers differ; logged errors; audit findings. */
async function wrongWith(fixture: Fixture, payments: readonly Payment[]): Promise<string[]> {
  const [events, book, transfers] = await Promise.all([
    fixture.simulator.events(),
    fixture.simulator.book(),
    fixture.journal.transfers(),
  ])
  const requested = events.filter(({ kind }) => kind === 'push_accepted')
  const posted = transfers.map(({ event_key: key }) => receiptOf(key))
  const wrong: string[] = []
  for (const payment of payments) {
    const { merchant, msisdn, checkoutId = '' } = payment
    const checkout = await merchant.readCheckout(checkoutId).catch(() => undefined)
    const receipts = book.filter((row) => row.msisdn === msisdn).map(({ receipt }) => receipt)
    const mistakes = wrongAbout(payment, checkout, {
      prompts: requested.filter(({ facts }) => facts['msisdn'] === msisdn).length,
      paid: receipts.length,
      posted: posted.filter((receipt) => receipts.includes(receipt)).length,
    })
    wrong.push(...mistakes.map((sentence) => `the payer ***${msisdn.slice(-3)}: ${sentence}`))
  }
  wrong.push(...errorsIn(fixture.stack.dir))
  const audit = await operate(fixture.stack.dir, 'audit')
  return audit.isGood ? wrong : [...wrong, `the audit is not clean: ${audit.text}`]
}

interface Times {
  readonly prompts: number
  readonly paid: number
  readonly posted: number
}

function wrongAbout(
  { checkoutId, intentStatus = 'nothing', problem = '' }: Payment,
  checkout: Checkout | undefined,
  { prompts, paid, posted }: Times,
): string[] {
  const isPaid = paid === 1
  const complaints: readonly [boolean, string][] = [
    [problem !== '', problem],
    [prompts > 1, `was asked ${String(prompts)} times`],
    [paid > 1, `paid ${String(paid)} times`],
    [posted !== paid, `paid ${String(paid)} times, and was posted ${String(posted)} times`],
    [
      (intentStatus === 'completed') !== isPaid,
      `reads ${intentStatus}, paid ${String(paid)} times`,
    ],
    [
      checkoutId !== undefined && checkout === undefined,
      'their checkout was acknowledged, and is not there',
    ],
    [
      (checkout?.status === 'completed') !== isPaid,
      `the merchant reads ${checkout?.status ?? 'nothing'}, and they paid ${String(paid)} times`,
    ],
  ]
  return complaints.filter(([isWrong]) => isWrong).map(([, sentence]) => sentence)
}

/** Lists log lines of the level `error`. Each is a defect, as a database that is away is no error of a service. */
function errorsIn(dir: string): string[] {
  const logs = join(dir, 'logs')
  return readdirSync(logs).flatMap((name) =>
    readFileSync(join(logs, name), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"level":"error"'))
      .map((line) => `${name}: ${line.slice(0, 600)}`),
  )
}
