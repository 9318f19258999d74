import { z } from 'zod'
import { controlRoute, refusal } from '../control-api/control-route'
import { replay } from './replay'
import { eventParams, shownEventWhole } from '../control-api/shapes'
import { showEventWhole } from '../control-api/show'

/** About a second of callbacks. */
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
