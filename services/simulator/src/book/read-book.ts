import { z } from 'zod'
import { controlRoute } from '../control-api/control-route'
import { shownBookRow } from '../control-api/shapes'
import { showBookRow } from '../control-api/show'

/** An answer of this many rows is about 25 MB of JSON. */
const limitMax = 100_000

export const readBook = controlRoute({
  method: 'get',
  path: '/book',
  summary:
    'Every movement of money after row `since`, the oldest first. When there is more, `X-Sim-Next` is the `since` of the next page',
  query: z.strictObject({
    since: z.coerce.number().int().min(0).default(0),
    limit: z.coerce.number().int().min(1).max(limitMax).default(10_000),
  }),
  success: { status: 200, shape: z.array(shownBookRow) },
  answer(host, { query }) {
    const { book } = host.current().world
    const rows = book.since(query.since, query.limit)
    const last = rows.at(-1)?.id ?? query.since
    return {
      status: 200,
      body: rows.map(showBookRow),
      ...(last < book.size() && { headers: { 'x-sim-next': String(last) } }),
    }
  },
})
