import { z } from 'zod'
import { takeSnapshot } from './rules/snapshot'
import { controlRoute } from '../control-api/control-route'
import { shownSnapshot } from '../control-api/shapes'
import { showSnapshot } from '../control-api/show'

/** The oldest snapshot is dropped. */
const snapshotsMax = 20

export const takeSnapshotRoute = controlRoute({
  method: 'post',
  path: '/snapshots',
  summary: `Keeps the scene: phones, their money and messages, and the rules. The last ${String(snapshotsMax)} are kept, through every reset`,
  body: z.strictObject({ name: z.string().max(60).default('') }),
  success: { status: 201, shape: shownSnapshot },
  answer(host, { body }) {
    const { world } = host.current()
    const last = host.snapshots.at(-1)?.id ?? 'snap_0'
    const id = `snap_${String(BigInt(last.slice(5)) + 1n)}`
    const snapshot = takeSnapshot(world, id, body.name)
    host.snapshots.push(snapshot)
    if (host.snapshots.length > snapshotsMax) host.snapshots.shift()
    world.events.append('snapshot_taken', { snapshot: id, name: body.name })
    return { status: 201, body: showSnapshot(snapshot) }
  },
})
