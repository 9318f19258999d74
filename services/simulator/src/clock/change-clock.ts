import { z } from 'zod'
import { controlRoute } from '../control-api/control-route'
import { shownClock, waitMsShape } from '../control-api/shapes'
import { showClock } from '../control-api/show'

export const changeClock = controlRoute({
  method: 'post',
  path: '/clock',
  summary:
    'Jumps, changes the pace, pauses or goes on. What falls due in a jump happens at once, in order',
  body: z.strictObject({
    jump_ms: waitMsShape.optional(),
    speed: z.number().min(0.1).max(1_000).optional(),
    paused: z.boolean().optional(),
  }),
  success: { status: 200, shape: shownClock },
  answer(host, { body }) {
    const simulation = host.current()
    simulation.clock.change({ jumpMs: body.jump_ms, speed: body.speed, paused: body.paused })
    const { paused, speed } = simulation.clock.read()
    simulation.world.events.append('clock_changed', { paused, speed, jump_ms: body.jump_ms ?? 0 })
    return { status: 200, body: showClock(simulation) }
  },
})
