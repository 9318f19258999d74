import { z } from 'zod'
import { controlRoute, refusal } from '../control-api/control-route'

export const endSession = controlRoute({
  method: 'delete',
  path: '/session',
  summary: 'Ends the session that `X-Sim-Session` names, and forgets it. The home session stays',
  success: { status: 200, shape: z.object({ ended: z.string() }) },
  answer(host) {
    return host.leave()
      ? { status: 200, body: { ended: host.session.name } }
      : refusal(409, 'home_stays')
  },
})
