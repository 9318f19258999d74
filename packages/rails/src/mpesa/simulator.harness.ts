import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fact, MessageKind } from '@malipo/kernel/provider-fact'
import { systemClock } from '@malipo/runtime/clock'
import { openLog } from '@malipo/runtime/log'
import { eventually } from '@malipo/testing/eventually'
import { openSimulatorControl, type SimulatorControl } from '@malipo/testing/simulator-control'
import type { Answer, NewRule } from '@malipo/testing/simulator-shapes'
import { readConfig } from '../../../../services/simulator/src/config'
import { start } from '../../../../services/simulator/src/start'
import type { Prompt, Rail } from '../rail'
import { openMpesa } from './client'
import { readMpesa } from './inbound'

/** Our rail, a simulated Daraja that shares no code with it, and a server that records the callbacks. */
export interface Played {
  readonly rail: Rail
  readonly received: readonly Received[]
  /** The events that the rail has counted. */
  readonly events: readonly string[]
  readonly prompt: Prompt
  openRail(wrong?: Partial<typeof credentials>): Rail
  readonly simulator: SimulatorControl
  addRule(rule: NewRule): Promise<void>
  /** Puts a prompt on Amina's phone, and returns the id of the request. */
  submit(changes?: Partial<Prompt>): Promise<string>
  answer(action: Answer): Promise<void>
  /** Waits for a callback, and reads the last one. */
  calledBack(): Promise<Fact>
  statusOf(providerRequestId: string): Promise<Fact>
  stopSimulator(): Promise<void>
  stop(): Promise<void>
}

export interface Received {
  readonly body: Buffer
  readonly headers: IncomingHttpHeaders
  readonly from: string | undefined
}

export const amina = '254708374149'
export const brian = '254712345678'
export const attemptReference = 'A1B2C3D4E5F6'
export const shortCode = '174379'

export const credentials = {
  MPESA_CONSUMER_KEY: 'key',
  MPESA_CONSUMER_SECRET: 'secret',
  MPESA_SHORTCODE: shortCode,
  MPESA_PASSKEY: 'passkey',
}

export async function playDaraja(): Promise<Played> {
  const played = await start(
    readConfig({ ...credentials, PORT: '0', ADMIN_PORT: '0' }),
    openLog('simulator', 'silent'),
  )
  const receiver = await openReceiver()
  const baseUrl = `http://127.0.0.1:${String(played.ports['http'])}`
  const events: string[] = []
  const openRail = (wrong: Partial<typeof credentials> = {}) =>
    railAt(baseUrl, { ...credentials, ...wrong }, (name) => events.push(name))
  const rail = openRail()
  const prompt = {
    intentId: 'pi_0f4c8a5d2b7e4f1c9a6d3e8b',
    phone: amina,
    amountMinor: 100n,
    attemptReference,
    payeeName: 'Mama Mboga Fresh',
    callbackUrl: receiver.url,
    sendByMs: Infinity,
  }
  const simulator = openSimulatorControl(baseUrl)
  let stopped: Promise<unknown> | undefined
  const stopSimulator = async () => {
    await (stopped ??= played.stop())
  }
  return {
    rail,
    events,
    prompt,
    openRail,
    simulator,
    received: receiver.received,
    async addRule(rule) {
      await simulator.addRule(rule)
    },
    async submit(changes = {}) {
      const outcome = await rail.submit({ ...prompt, ...changes })
      if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome))
      return outcome.providerRequestId
    },
    async answer(action) {
      await simulator.answer(amina, action)
      // The simulated time jumps past the delays of the network and of the callback.
      await simulator.jump(30_000)
    },
    async calledBack() {
      const last = await eventually('the callback comes', () => receiver.received.at(-1))
      return readMpesa('callback', last.body)
    },
    statusOf: async (providerRequestId) =>
      factOf('query_answer', await rail.askStatus(providerRequestId)),
    stopSimulator,
    async stop() {
      await stopSimulator()
      await receiver.stop()
    },
  }
}

function railAt(
  baseUrl: string,
  used: typeof credentials,
  countEvent: (name: string) => void,
): Rail {
  const { MPESA_CONSUMER_KEY: consumerKey, MPESA_CONSUMER_SECRET: consumerSecret } = used
  const { MPESA_SHORTCODE: shortcode, MPESA_PASSKEY: passkey } = used
  return openMpesa(
    { baseUrl, consumerKey, consumerSecret, shortcode, passkey },
    {
      now: () => systemClock.now(),
      wait: () => Promise.resolve(),
      takeTurn: () => Promise.resolve(0),
      countEvent,
    },
  )
}

export function factOf(kind: MessageKind, fetched: Awaited<ReturnType<Rail['askStatus']>>): Fact {
  if (fetched.kind !== 'answered') throw new Error(fetched.detail)
  const [body] = fetched.bodies
  if (body === undefined) throw new Error('no body')
  return readMpesa(kind, body)
}

async function openReceiver() {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { headers, socket } = request
      received.push({ body: Buffer.concat(chunks), headers, from: socket.remoteAddress })
      response.end('{"ResultCode":0,"ResultDesc":"Accepted"}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        resolve()
      })
      server.closeAllConnections()
    })
  return { received, url: `http://127.0.0.1:${String(port)}/callbacks/a`, stop }
}
