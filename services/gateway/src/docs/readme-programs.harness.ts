import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { eventually } from '@malipo/testing/eventually'
import { signed } from '@malipo/testing/webhook-receiver'
import { anyPhone, type RunningHost } from '../start.harness'

const keyOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`

/** What the shops of the READMEs check webhooks with. */
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

/**
 * Buys, sends the shop an event before there is a payment, pays, and sends it with another secret and then twice. Expects that the
 * shop delivers once, and only what is paid.
 */
export async function buyFromShop(url: string, printed: () => string, host: RunningHost) {
  const bought = await fetch(`${url}/buy`, { method: 'POST', redirect: 'manual' })
  const checkoutId = (bought.headers.get('location') ?? '').split('/').at(-1) ?? ''
  const sendEvent = async (secret = webhookSecret) => {
    const { body, headers } = webhookOf(checkoutId, secret)
    const sent = { 'content-type': 'application/json', ...(headers as Record<string, string>) }
    return (await fetch(`${url}/webhooks`, { method: 'POST', body, headers: sent })).status
  }
  expect([bought.status, await sendEvent()]).toEqual([303, 204])
  expect(printed()).not.toContain('Deliver')
  await host.startPayment(checkoutId, anyPhone())
  await eventually('it is paid', async () => {
    const answer = await fetch(`${url}/thanks?checkout=${checkoutId}`)
    return (await answer.text()) === 'Thank you!'
  })
  expect([await sendEvent(keyOf(8)), await sendEvent(), await sendEvent()]).toEqual([400, 204, 204])
  expect(printed().match(/Deliver the order of \w+/g)).toEqual([
    `Deliver the order of ${checkoutId}`,
  ])
}
