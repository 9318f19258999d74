import { z } from 'zod'
import { controlRoute } from '../control-api/control-route'
import { shownEvent } from '../control-api/shapes'
import { showEvent } from '../control-api/show'
import { nextEvent } from './wait-for-event'

const limitMax = 10_000
/** Real seconds that a long poll may hang. */
const waitMax = 30

export const readEvents = controlRoute({
  method: 'get',
  path: '/events',
  summary:
    'What happened after event `since`. With `wait`, hangs up to so many seconds until something does',
  query: z.strictObject({
    since: z.coerce.number().int().min(0).default(0),
    limit: z.coerce.number().int().min(1).max(limitMax).default(1_000),
    wait: z.coerce.number().min(0).max(waitMax).default(0),
  }),
  success: { status: 200, shape: z.array(shownEvent) },
  async answer(host, { query }) {
    const read = () => host.current().world.events.since(query.since, query.limit)
    if (read().length === 0 && query.wait > 0) {
      await nextEvent(host, query.wait * 1_000, (event) => event.id > query.since)
    }
    return { status: 200, body: read().map(showEvent) }
  },
})
