import { z } from 'zod'
import { controlRoute, refusal } from '../control-api/control-route'
import { eventParams, shownEventWhole } from '../control-api/shapes'
import { showEventWhole } from '../control-api/show'
import { parseJson } from '../wire/parse-json'
import type { SimEvent, Exchange } from './rules/event-log'
import { recordDelivery } from '../providers/call-back'
import type { Simulation } from '../sessions/simulation-host'
import { unmasked } from './mask'
import { playCall } from '../wire/play-call'

/** The most repeats in one request: about a second of callbacks. */
const timesMax = 1_000

export const replayEvent = controlRoute({
  method: 'post',
  path: '/events/{id}/replay',
  summary:
    'Sends a callback again, or takes a call again: as it was or with another `body`, `times` times, one after the other or in `parallel`. Answers the new events',
  params: eventParams,
  body: z.strictObject({
    body: z.string().max(65_536).optional(),
    times: z.int().min(1).max(timesMax).default(1),
    parallel: z.boolean().default(false),
  }),
  success: { status: 200, shape: z.array(shownEventWhole) },
  async answer(host, { params, body }) {
    const simulation = host.current()
    const { events } = simulation.world
    const event = events.find(params.id)
    if (event === undefined) return refusal(404, 'event_not_found')
    if (event.exchange === undefined) return refusal(409, 'nothing_to_replay')
    const ids = await replay(simulation, { ...event, exchange: event.exchange }, body)
    const replayed = ids.flatMap((id) => events.find(id) ?? [])
    return { status: 200, body: replayed.map(showEventWhole) }
  },
})

interface ReplayHow {
  readonly body?: string | undefined
  readonly times: number
  readonly parallel: boolean
}

type Replayable = SimEvent & { readonly exchange: Exchange }

/** Replays an exchange, and returns the ids of the resulting events. */
async function replay(
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
  const { target, body, how = {} } = exchange
  const delivery = await deliver(target, body, how)
  const { status: _status, reason: _reason, ...rest } = facts
  return [recordDelivery(world, target, { body, how, delivery }, { ...rest, replay_of: id })]
}

/** Repeats the merchant's call with the token that the call had. */
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
