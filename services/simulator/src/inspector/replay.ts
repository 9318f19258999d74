import { parseJson } from '../wire/parse-json'
import type { SimEvent } from './rules/event-log'
import type { Exchange } from './rules/exchange'
import { recordDelivery } from '../providers/call-back'
import type { Simulation } from '../sessions/simulation-host'
import { unmasked } from './mask'
import { playCall } from '../wire/play-call'

export interface ReplayHow {
  /** Replaces the body. */
  readonly body?: string | undefined
  readonly times: number
  readonly parallel: boolean
}

type Replayable = SimEvent & { readonly exchange: Exchange }

/** Replays an exchange, and returns the resulting events. */
export async function replay(
  simulation: Simulation,
  event: Replayable,
  { body, times, parallel }: ReplayHow,
): Promise<readonly number[]> {
  const was = event.exchange.body
  const exchange = { ...event.exchange, body: body === undefined ? was : unmasked(body, was) }
  const once = () =>
    exchange.direction === 'out'
      ? sendAgain(simulation, { ...event, exchange })
      : takeAgain(simulation, { ...event, exchange })
  if (parallel) return (await Promise.all(Array.from({ length: times }, once))).flat()
  const ids: number[] = []
  for (let time = 0; time < times; time += 1) ids.push(...(await once()))
  return ids
}

async function sendAgain(
  { world, deliver }: Simulation,
  { id, facts, exchange }: Replayable,
): Promise<readonly number[]> {
  const { target, body } = exchange
  const how = { method: exchange.method === 'PUT' ? 'PUT' : 'POST' } as const
  const delivery = await deliver(target, body, how)
  const { status: _status, reason: _reason, ...rest } = facts
  return [recordDelivery(world, target, { body, how, delivery }, { ...rest, replay_of: id })]
}

/** Repeats the merchant's call with its token of that time. */
async function takeAgain(
  simulation: Simulation,
  { id, exchange }: Replayable,
): Promise<readonly number[]> {
  const { method, target, headers, body } = exchange
  const url = new URL(target, 'http://simulator')
  const served = simulation.servedAt(url.pathname, method)
  if (served?.operation.method !== method) return []
  const { params } = served
  const query = Object.fromEntries(url.searchParams)
  const call = { headers, query, params, json: parseJson(body), body }
  const raw = { method, target, headers, body }
  const played = playCall(simulation, served, { call, raw }, { replay_of: id })
  const { status, body: answered } = played.answer
  return new Promise((resolve) => {
    played.whenDue(() => {
      resolve([played.record({ status, body: answered }, 0)])
    })
  })
}
