import { z } from 'zod'
import { eventKinds, eventMatches, type SimEvent } from './rules/event-log'
import { controlRoute } from '../control-api/control-route'
import { factsShape, shownEvent } from '../control-api/shapes'
import { showEvent } from '../control-api/show'
import { nextEvent } from './wait-for-event'

/** How many past events an expectation reads, and how many it shows when it fails. */
const lookMax = 10_000
const nearMissesMax = 10

export const expectEvent = controlRoute({
  method: 'post',
  path: '/expect',
  summary:
    'Waits for `count` events of a `kind` with these `facts` after event `since`, at most `within_ms` of real time. Not met: the nearest misses, of the same kind',
  body: z.strictObject({
    kind: z.enum(eventKinds),
    facts: factsShape.default({}),
    since: z.int().min(0).default(0),
    count: z.int().min(1).max(1_000).default(1),
    within_ms: z.int().min(0).max(30_000).default(10_000),
  }),
  success: {
    status: 200,
    shape: z.object({ met: z.boolean(), events: z.array(shownEvent), near: z.array(shownEvent) }),
  },
  async answer(host, { body }) {
    const found: SimEvent[] = []
    const near: SimEvent[] = []
    const completes = (event: SimEvent) => {
      if (eventMatches(event, body.kind, body.facts)) found.push(event)
      else if (event.kind === body.kind) near.push(event)
      if (near.length > nearMissesMax) near.shift()
      return found.length >= body.count
    }
    const past = host.current().world.events.since(body.since, lookMax)
    const met =
      past.some(completes) || (await nextEvent(host, body.within_ms, completes)) !== undefined
    return {
      status: 200,
      body: {
        met,
        events: found.map(showEvent),
        near: met ? [] : near.map(showEvent),
      },
    }
  },
})
