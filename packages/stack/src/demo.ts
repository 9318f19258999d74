import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { majorText } from '@malipo/kernel/money'
import { z } from 'zod'
import type { StackFile } from './stack-file'

/** One line of the timeline, with its time. */
export type Show = (what: string, detail: string) => void

const amountMinor = 150_000n
const requestDeadlineMs = 10_000
const settledDeadlineMs = 30_000
const pollEveryMs = 10

/** The events of the simulator that the demo waits for. */
type SimulatedEvent = 'prompt_opened' | 'callback_delivered'

const checkout = z.object({
  data: z.object({
    id: z.string(),
    url: z.url(),
    status: z.string(),
    payment: z.object({ provider_receipt: z.string().nullable() }).nullable(),
  }),
})
const intent = z.object({ data: z.object({ intent_id: z.string(), status: z.string() }) })
const expectation = z.object({ met: z.boolean() })

/**
 * Plays the main job as a merchant, a payer and a phone would, by the public routes and the simulator's control API
 * only. The payer has a new phone and a new address each time, so that no rate limit counts an earlier demo.
 */
export async function playMainJob(stack: StackFile, show: Show): Promise<void> {
  const base = stack.hosts.ke.base_url
  const merchant = stack.merchants.find(({ country }) => country === 'ke')
  const authorization = `Bearer ${merchant?.secret_key ?? ''}`
  const checkouts = `${base}/v1/payments/merchant/checkouts`
  const phones = `${stack.simulator.url}/sim/v1/phones`

  const msisdn = `25471${String(randomInt(1_000_000, 10_000_000))}`
  await send('POST', phones, { msisdn, name: 'The payer of the demo', pin: '2468' })

  const order = { amount: Number(amountMinor), description: 'Two crates of mangoes' }
  const made = checkout.parse(await send('POST', checkouts, order, { authorization })).data
  show('created', `${made.id}, KES ${majorText(amountMinor)}`)

  await read(made.url)
  show('page opened', made.url)

  const pay = `${base}/v1/payments/public/checkouts/${made.id}/pay`
  const payer = { 'x-forwarded-for': `10.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}` }
  const key = { ...payer, 'idempotency-key': randomUUID() }
  const started = intent.parse(await send('POST', pay, { phone: msisdn }, key)).data
  show('payment started', started.intent_id)

  const happens = expecting(stack.simulator.url, msisdn)
  await happens('prompt_opened')
  show('prompt on the phone', `***${msisdn.slice(-3)} of the simulator`)

  await send('POST', `${phones}/${msisdn}/prompt`, { action: 'approve', pin: '2468' })
  show('PIN entered', '')

  await Promise.all([
    happens('callback_delivered').then(() => {
      show('callback delivered', 'and answered by the gateway')
    }),
    untilSettled(`${base}/v1/payments/public/intents/${started.intent_id}`, payer).then(() => {
      show('settled', 'the money is in the journal')
    }),
  ])

  const paid = checkout.parse(
    await send('GET', `${checkouts}/${made.id}`, undefined, { authorization }),
  ).data
  if (paid.status !== 'completed') throw new Error(`The checkout is ${paid.status}, not completed`)
  show('read by the merchant', `completed, receipt ${paid.payment?.provider_receipt ?? 'missing'}`)
}

/** Waits for the simulator's events about one phone. */
function expecting(simulator: string, msisdn: string) {
  return async (kind: SimulatedEvent): Promise<void> => {
    const { met } = expectation.parse(
      await send('POST', `${simulator}/sim/v1/expect`, {
        kind,
        facts: { msisdn },
        within_ms: 9_000,
      }),
    )
    if (!met) throw new Error(`The simulator has seen no ${kind} for this phone`)
  }
}

async function untilSettled(url: string, payer: Readonly<Record<string, string>>): Promise<void> {
  const deadline = performance.now() + settledDeadlineMs
  for (;;) {
    const { status } = intent.parse(await send('GET', url, undefined, payer)).data
    if (status === 'completed') return
    if (performance.now() > deadline) throw new Error(`The payment is still ${status}`)
    await wait(pollEveryMs)
  }
}

async function send(
  method: string,
  url: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(requestDeadlineMs),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${url} answered ${String(answer.status)}: ${text}`)
  return JSON.parse(text)
}

/** Opens a page as a browser does. */
async function read(url: string): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(requestDeadlineMs) })
  if (!answer.ok) throw new Error(`${url} answered ${String(answer.status)}`)
  await answer.text()
}
