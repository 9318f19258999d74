import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { StackFile } from '@malipo/stack/stack-file'
import { openSimulatorControl } from '@malipo/testing/simulator-control'
import type { SimEvent } from '@malipo/testing/simulator-shapes'
import { type Ended, wrongBetween } from '../books'
import { ask, type Answer } from '../http'
import { openJournal } from '../journal'
import type { Checkout } from '../merchant'

/** Payments at a steady pace: merchants make checkouts, and phones of the simulator pay them. */
export interface SteadyPayments {
  begun(): number
  /** Begins no more payments, waits until those under way have ended, and returns the report. */
  stop(): Promise<SteadyReport>
}

export interface SteadyReport {
  readonly payments: number
  readonly requests: number
  /** How many requests were sent again because their kept connection ended before a byte of the answer. */
  readonly resent: number
  /** Requests and callbacks without an answer or with an unexpected status. */
  readonly failed: readonly string[]
  /** What is wrong about a payment, by the provider's book, the journal and the merchant. */
  readonly wrong: readonly string[]
  readonly slowestMs: number
}

export interface SteadyOptions {
  readonly stack: StackFile
  /** The keys of merchants, in turn: an account may send 120 requests a minute. */
  readonly secretKeys: readonly string[]
  readonly perSecond: number
}

const firstPhone = 254_712_000_000n
const phonesMax = 5_000
const amount = 12_300
const pollEveryMs = 300
/** How long a payment may take. When its callback is lost, a status query finds its end half a minute later. */
const finalWithinMs = 240_000
const inFlight = ['created', 'reserved', 'submitted', 'pending']

export async function startPayments({
  stack,
  secretKeys,
  perSecond,
}: SteadyOptions): Promise<SteadyPayments> {
  const simulator = openSimulatorControl(stack.simulator.url)
  const policy = { answer: 'approve', after_ms: 0 } as const
  await simulator.addPhone({ msisdn: String(firstPhone), count: phonesMax, policy })
  const { send, counts, failed } = openRequests(`${stack.hosts.ke.base_url}/v1/payments`)
  const stopping = new AbortController()
  const underWay: Promise<Ended | undefined>[] = []
  let slowestMs = 0

  const payOne = async (index: number): Promise<Ended | undefined> => {
    const beganMs = performance.now()
    const key = secretKeys[index % secretKeys.length] ?? ''
    const ended = await payOnce(send, key, String(firstPhone + BigInt(index)))
    slowestMs = Math.max(slowestMs, performance.now() - beganMs)
    return ended
  }
  const beginInTurn = async () => {
    const beganMs = performance.now()
    while (!stopping.signal.aborted) {
      underWay.push(payOne(underWay.length))
      const nextMs = beganMs + (underWay.length * 1_000) / perSecond
      await wait(Math.max(0, nextMs - performance.now()))
    }
  }
  const beginning = beginInTurn()
  return {
    begun: () => underWay.length,
    async stop() {
      stopping.abort()
      await beginning
      const ended = (await Promise.all(underWay)).filter((one) => one !== undefined)
      const events = await simulator.events()
      const wrong = await wrongAmong(stack, ended, events)
      const callbacks = events.flatMap(failureOf)
      const payments = underWay.length
      const counted = { payments, ...counts, slowestMs: Math.round(slowestMs) }
      return { ...counted, failed: [...failed, ...callbacks], wrong }
    },
  }
}

interface RequestOptions {
  readonly expected: number
  readonly key?: string
  readonly body?: object
  readonly from?: string
}

type Send = <Body>(path: string, request: RequestOptions) => Promise<Answer<Body> | undefined>

/**
 * Sends each request once and writes down each that fails. A server may end a kept connection just as the next request
 * is sent, so that request is sent again, once and with the same Idempotency-Key (RFC 9110, section 9.2.2).
 */
function openRequests(base: string) {
  const failed: string[] = []
  const counts = { requests: 0, resent: 0 }
  const send: Send = async <Body>(path: string, { expected, key, body, from }: RequestOptions) => {
    counts.requests += 1
    const request = {
      ...(body !== undefined && { method: 'POST', body }),
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'idempotency-key': randomUUID() }),
        ...(from !== undefined && { 'x-forwarded-for': from }),
      },
    }
    const answer = await ask<Body>(base + path, request)
      .catch((error: unknown) => {
        if (!hasConnectionEnded(error)) throw error
        counts.resent += 1
        return ask<Body>(base + path, request)
      })
      .catch((error: unknown) => {
        failed.push(`${path}: ${String(causeOf(error))}`)
        return undefined
      })
    if (answer === undefined || answer.status === expected) return answer
    failed.push(`${path}: ${String(answer.status)} ${JSON.stringify(answer.body)}`)
    return undefined
  }
  return { send, failed, counts }
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error
}

/** Whether the connection ended, unbroken, before an answer began: of one that ends later fetch says "terminated". */
function hasConnectionEnded(error: unknown): boolean {
  const cause = causeOf(error)
  const isEnd = cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_SOCKET'
  return isEnd && error instanceof Error && error.message === 'fetch failed'
}

/**
 * Makes one payment, up to the merchant's read. Returns undefined when a request failed; failed polls are only
 * recorded.
 */
async function payOnce(send: Send, key: string, msisdn: string): Promise<Ended | undefined> {
  const from = `10.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}`
  const made = await send<Data<Checkout>>('/merchant/checkouts', {
    ...{ expected: 201, key, body: { amount } },
  })
  const id = made?.body.data.id
  if (id === undefined) return undefined
  const body = { phone: msisdn }
  const path = `/public/checkouts/${id}/pay`
  const paying = await send<Data<{ intent_id: string }>>(path, { expected: 202, body, from })
  if (paying === undefined) return undefined
  const intentStatus = await untilFinal(send, paying.body.data.intent_id)
  const read = await send<Data<Checkout>>(`/merchant/checkouts/${id}`, { expected: 200, key })
  return read && { checkout: read.body.data, intentStatus, msisdn }
}

interface Data<Body> {
  readonly data: Body
}

async function untilFinal(send: Send, intentId: string): Promise<string> {
  const deadline = performance.now() + finalWithinMs
  for (;;) {
    const read = await send<Data<{ status: string }>>(`/public/intents/${intentId}`, {
      expected: 200,
    })
    const status = read?.body.data.status ?? 'unknown'
    if (![...inFlight, 'unknown'].includes(status) || performance.now() > deadline) return status
    await wait(pollEveryMs)
  }
}

/** Returns a line when the event is a callback that was not answered 200. */
function failureOf({ kind, facts }: SimEvent): string[] {
  const isTaken = kind === 'callback_delivered' && facts['status'] === 200
  return kind.startsWith('callback_') && !isTaken ? [`${kind} ${JSON.stringify(facts)}`] : []
}

/** Reads the books once for all payments. */
async function wrongAmong(
  stack: StackFile,
  ended: readonly Ended[],
  events: readonly SimEvent[],
): Promise<string[]> {
  const journal = openJournal(stack.databases.ledger_ke)
  const book = await openSimulatorControl(stack.simulator.url).book()
  const transfers = await journal.transfers()
  await journal.close()
  const promptsOf = (msisdn: string) =>
    events.filter(({ kind, facts }) => kind === 'push_accepted' && facts['msisdn'] === msisdn)
      .length
  return ended.flatMap((one) =>
    wrongBetween(one, { prompts: promptsOf(one.msisdn), book, transfers })
      .concat(one.checkout.status === 'completed' ? [] : [`it is ${one.checkout.status}`])
      .map((sentence) => `${one.checkout.id}: ${sentence}`),
  )
}
