import { setTimeout as wait } from 'node:timers/promises'
import { openProgress } from '@malipo/testing/command'
import { create } from '../chain/units'
import { addressOf, Connection, requestOf, statusOf } from '../connection'
import { readMetrics } from '../overload/usage'

export interface WaitersOptions {
  readonly port: number
  readonly metricsUrl: string
  readonly secretKeys: readonly string[]
  readonly count: number
}

export interface Waiters {
  /** How many requests had no answer yet, two seconds after the last was sent. */
  readonly waiting: number
  /** How many responses there were, by status. */
  readonly answers: Readonly<Record<string, number>>
  /**
   * How much more memory, in MB, the gateway uses while requests wait: the least of several readings, which leaves out
   * other work.
   */
  readonly heapMb: number
  readonly residentMb: number
}

const waitSeconds = 60
const samples = 10
const together = 20

interface Memory {
  readonly heapMb: number
  readonly residentMb: number
}

/** Sends requests that wait for payments which never come, a few at a time, each over a separate connection. */
export async function measureWaiters(options: WaitersOptions): Promise<Waiters> {
  const ids = await createFor(options)
  const before = await leastMemory(options.metricsUrl)
  const show = openProgress('requests wait', options.count)
  const answers: Record<string, number> = {}
  const underWay: Promise<void>[] = []
  for (const [index, { secretKey, id }] of ids.entries()) {
    underWay.push(
      ask(options.port, index, { secretKey, id }).then((status) => {
        answers[status] = (answers[status] ?? 0) + 1
      }),
    )
    if (index % together === together - 1) await wait(200)
    show(index + 1)
  }
  await wait(2_000)
  const waiting = underWay.length - Object.values(answers).reduce((sum, count) => sum + count, 0)
  const during = await leastMemory(options.metricsUrl)
  await Promise.all(underWay)
  return {
    waiting,
    answers,
    heapMb: during.heapMb - before.heapMb,
    residentMb: during.residentMb - before.residentMb,
  }
}

async function createFor({ port, secretKeys, count }: WaitersOptions) {
  const connection = new Connection(port)
  const made: { readonly secretKey: string; readonly id: string }[] = []
  const show = openProgress('checkouts made', count)
  while (made.length < count) {
    const secretKey = secretKeys[made.length % secretKeys.length] ?? ''
    made.push({ secretKey, id: (await create(connection, secretKey)).id })
    show(made.length)
  }
  connection.close()
  return made
}

async function ask(port: number, index: number, of: { secretKey: string; id: string }) {
  const connection = new Connection(port)
  const request = requestOf({
    method: 'GET',
    path: `/v1/payments/merchant/checkouts/${of.id}`,
    from: addressOf(index),
    headers: { Authorization: `Bearer ${of.secretKey}`, Prefer: `wait=${String(waitSeconds)}` },
  })
  const answer = await new Promise<Buffer | undefined>((resolve) => {
    connection.ask(request, resolve)
  })
  connection.close()
  return answer === undefined ? 'none' : String(statusOf(answer))
}

async function leastMemory(metricsUrl: string): Promise<Memory> {
  let least: Memory = { heapMb: Infinity, residentMb: Infinity }
  for (let sample = 0; sample < samples; sample += 1) {
    const metrics = await readMetrics(metricsUrl)
    const mb = (name: string) => (metrics.get(name) ?? NaN) / 1e6
    least = {
      heapMb: Math.min(least.heapMb, mb('nodejs_heap_size_used_bytes')),
      residentMb: Math.min(least.residentMb, mb('process_resident_memory_bytes')),
    }
    await wait(1_000)
  }
  return least
}
