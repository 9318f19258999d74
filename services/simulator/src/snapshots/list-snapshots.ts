import { z } from 'zod'
import { controlRoute } from '../control-api/control-route'
import { shownSnapshot } from '../control-api/shapes'
import { showSnapshot } from '../control-api/show'

export const listSnapshots = controlRoute({
  method: 'get',
  path: '/snapshots',
  summary: 'The scenes that were kept, the oldest first',
  success: { status: 200, shape: z.array(shownSnapshot) },
  answer: (host) => ({ status: 200, body: host.snapshots.map(showSnapshot) }),
})
