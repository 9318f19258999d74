import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { eventually } from '@malipo/testing/eventually'
import { signed } from '@malipo/testing/webhook-receiver'
import type { Merchant } from '../merchants.harness'
import { anyPhone, type RunningHost } from '../start.harness'

const keyOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`

/** The secret with which the shops of the READMEs check webhooks. */
export const webhookSecret = keyOf(9)

/** A request that the public library of Standard Webhooks signed. */
export function webhookOf(checkoutId: string, secret = webhookSecret) {
  const timestamp = '2026-11-22T09:00:00.000Z'
  const body = JSON.stringify({ type: 'checkout.completed', timestamp, data: { id: checkoutId } })
  return { secret, ...signed(secret, body) }
}

/** The programs of a README in the order in which they stand there: a paid checkout, and a shop. */
export function programsOf(readme: string, language: string): readonly [string, string] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')
  const programs = Array.from(
    readFileSync(readme, 'utf8').matchAll(fence),
    ([, program = '']) => program,
  )
  const [first = '', shop = ''] = programs
  if (programs.length !== 2) throw new Error(`${readme} has ${String(programs.length)} programs`)
  return [first, shop]
}

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** Runs a program while `use` looks at what it has printed. */
export async function running(
  { command, args, cwd, env }: Program,
  use: (printed: () => string) => Promise<void>,
): Promise<void> {
  const child = spawn(command, args, { cwd, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'close')
  await use(() => output).finally(() => child.kill())
  await ended
}

/** The first group of the line that fits, once it is printed. */
export function lineOf(printed: () => string, pattern: RegExp): Promise<string> {
  return eventually(`a line fits ${String(pattern)}`, () => pattern.exec(printed())?.[1])
}

/** Pays what the first program asks for. Returns what it delivers. */
export async function payFirst(printed: () => string, host: RunningHost): Promise<string> {
  const checkoutId = await lineOf(printed, /^Pay at \S+\/c\/(cs_ke_\w+)/m)
  await host.startPayment(checkoutId, anyPhone())
  return lineOf(printed, /^Deliver (.*)$/m)
}

/** Pays a checkout, and gives its money back before its shop receives an event of it. */
export async function payAndRefund(checkoutId: string, host: RunningHost): Promise<void> {
  const { intentId } = await host.startPayment(checkoutId, anyPhone())
  const sql = `SELECT receipt FROM intents WHERE id = '${intentId}' AND status = 'completed'`
  const receipt = await eventually('it is paid', async () => {
    const [row] = (await host.rows(sql)) as readonly { readonly receipt: string }[]
    return row?.receipt
  })
  await host.ledger.giveBack(receipt)
}

/** A shop that runs, and the host at which its merchant has the order paid. */
export interface RunningShop {
  readonly url: string
  readonly printed: () => string
  readonly host: RunningHost
  readonly merchant: Merchant
}

/**
 * Buys, and sends the shop the event of the checkout before there is a payment. Makes another checkout of the same
 * order, pays both, and sends the event with another secret and then twice. Buys again, and sends the event once the
 * money has gone back. Expects that the shop delivers each order once, and only a paid one.
 */
export async function buyFromShop({ url, printed, host, merchant }: RunningShop) {
  const buy = async () => {
    const bought = await fetch(`${url}/buy`, { method: 'POST', redirect: 'manual' })
    expect(bought.status).toBe(303)
    return (bought.headers.get('location') ?? '').split('/').at(-1) ?? ''
  }
  const sendEvent = async (id: string, secret = webhookSecret) => {
    const { body, headers } = webhookOf(id, secret)
    const sent = { 'content-type': 'application/json', ...(headers as Record<string, string>) }
    return (await fetch(`${url}/webhooks`, { method: 'POST', body, headers: sent })).status
  }
  const pay = async (id: string) => {
    await host.startPayment(id, anyPhone())
    await eventually('it is paid', async () => {
      const answer = await fetch(`${url}/thanks?checkout=${id}`)
      return (await answer.text()) === 'Thank you!'
    })
  }
  const id = await buy()
  expect(await sendEvent(id)).toBe(204)
  expect(printed()).not.toContain('Deliver')
  const [order] = (await host.rows(
    `SELECT reference FROM checkouts WHERE id = '${id}'`,
  )) as readonly [{ readonly reference: string }]
  const other = await host.checkout(merchant, { amount: 150_000, ...order })
  for (const paid of [other.id, id]) await pay(paid)
  const statuses = [await sendEvent(id, keyOf(8)), await sendEvent(id), await sendEvent(other.id)]
  expect(statuses).toEqual([400, 204, 204])
  const refunded = await buy()
  await payAndRefund(refunded, host)
  expect(await sendEvent(refunded)).toBe(204)
  expect(printed().match(/Deliver the order .*/g)).toEqual([`Deliver the order ${order.reference}`])
}
