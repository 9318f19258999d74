import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StackFile } from '@malipo/stack/stack-file'
import { type CommandOptions, readCommand } from '@malipo/testing/command'
import { measureHalfPace } from '../chain/half-pace'
import { makeMerchants } from '../chain/merchants'
import { withStack } from '../chain/own-stack'
import { openPayers } from '../chain/payers'
import { load } from '../table'
import { keepOrdersOpen } from './open-orders'
import { measureWaiters } from './waiters'

const help = `Usage: npm run bench -- waiting [OPTIONS]

Starts a stack by the code of npm start, and looks at merchants who wait by \`Prefer: wait=60\`: how long after the provider's callback
they are told, whether the limit of an account is enough for its open orders, and what waiting requests take of a gateway's memory.

  --pace N       payments a second whose merchants are told, 20 unless given
  --seconds N    of those payments, 20 unless given
  --orders N     open orders of one account, 70 unless given
  --minutes N    for which they are open, while one in six seconds is paid and another comes, 3 unless given
  --waiters N    waiting requests, 1000 unless given
  --json PATH    writes the figures there too
  --help         this text
`

const numbers = { pace: 20, seconds: 20, orders: 70, minutes: 3, waiters: 1_000 }
const texts = ['json'] as const

type WaitingOptions = CommandOptions<keyof typeof numbers, (typeof texts)[number]>

/** A payment costs its account five requests, and the bench sends at most 100 a minute by one account. */
const paymentsOfMerchant = 20
/** Each waiting request costs its account two: one creates the checkout, and one waits. */
const waitersOfMerchant = 40

export async function benchWaiting(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers, texts })
  if (options === undefined) return 0
  const before = load()
  const dir = mkdtempSync(join(tmpdir(), 'malipo-bench-'))
  process.stderr.write('starting a stack\n')
  const result = await withStack(dir, {}, ({ file }) => measure(options, file, dir)).finally(() => {
    rmSync(dir, { recursive: true, force: true })
  })
  process.stdout.write(
    `${textOf(options, result)}\nload average before ${before}, after ${load()}\n`,
  )
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ options, before, ...result }, null, 2)}\n`)
  return 0
}

type Result = Awaited<ReturnType<typeof measure>>

async function measure(options: WaitingOptions, file: StackFile, dir: string) {
  const { pace: paymentsPerSecond, seconds, orders, minutes, waiters } = options
  const baseUrl = file.hosts.ke.base_url
  const port = Number(new URL(baseUrl).port)
  const nextPayer = await openPayers(file.simulator.url)
  const count = Math.ceil(
    Math.max((paymentsPerSecond * seconds) / paymentsOfMerchant, waiters / waitersOfMerchant),
  )
  const merchants = await makeMerchants({ file, dir, port, count, nextPayer })
  const simulatorUrl = file.simulator.url
  const polled = await measureHalfPace({
    ...{ port, simulatorUrl, merchants, nextPayer, paymentsPerSecond, seconds },
  })
  const secretKeys = await merchants.withBudget(count * 100, (accountOf) =>
    Promise.resolve(Array.from({ length: count }, (_, at) => accountOf(at * 100).secretKey)),
  )
  const metricsUrl = file.processes['gateway-ke']?.metrics_url ?? ''
  const waited = await measureWaiters({ port, metricsUrl, secretKeys, count: waiters })
  const secretKey = file.merchants.find(({ country }) => country === 'ke')?.secret_key ?? ''
  const phoneOf = () => nextPayer().phone
  const open = await keepOrdersOpen({
    ...{ baseUrl, secretKey, orders, seconds: minutes * 60, phoneOf },
  })
  return { polled, waited, open }
}

function textOf({ orders, waiters }: WaitingOptions, { polled, waited, open }: Result): string {
  const ms = (value: number) => `${value.toFixed(0)} ms`
  const counts = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .map(([status, count]) => `${status}: ${String(count)}`)
      .join(', ')
  return `
told at ${String(polled.paymentsPerSecond)} payments a second, from the callback: p50 ${ms(polled.completedP50Ms)}, p99 ${ms(polled.completedP99Ms)} (goal 1000 ms)
${String(waiters)} waiting requests: ${String(waited.waiting)} at once, answers ${counts(waited.answers)}; heap ${waited.heapMb.toFixed(1)} MB, resident ${waited.residentMb.toFixed(1)} MB (goal 30 MB)
${String(orders)} open orders of one account: ${String(open.created)} created, ${String(open.completed)} paid, answers ${counts(open.answers)}; ${String(open.perMinuteMax)} requests in a minute at most
`
}
