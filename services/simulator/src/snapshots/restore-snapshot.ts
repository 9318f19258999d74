import { z } from 'zod'
import { restoreSnapshot } from './rules/snapshot'
import { controlRoute, refusal } from '../control-api/control-route'
import { shownSnapshot } from '../control-api/shapes'
import { showSnapshot } from '../control-api/show'

export const restoreSnapshotRoute = controlRoute({
  method: 'post',
  path: '/snapshots/{id}/restore',
  summary:
    'Puts a scene back. The book, the ids and the events go on, because a ledger has received those payments; prompts that ring go on ringing',
  params: z.strictObject({ id: z.string().max(40) }),
  success: { status: 200, shape: shownSnapshot },
  answer(host, { params }) {
    const snapshot = host.snapshots.find(({ id }) => id === params.id)
    if (snapshot === undefined) return refusal(404, 'snapshot_not_found')
    const { world } = host.current()
    restoreSnapshot(world, snapshot)
    world.events.append('snapshot_restored', { snapshot: snapshot.id, name: snapshot.name })
    return { status: 200, body: showSnapshot(snapshot) }
  },
})
