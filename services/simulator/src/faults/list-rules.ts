import { z } from 'zod'
import { controlRoute } from '../control-api/control-route'
import { shownRule } from '../control-api/shapes'
import { showRule } from '../control-api/show'

export const listRules = controlRoute({
  method: 'get',
  path: '/rules',
  summary: 'The rules, with how often each has matched and applied',
  success: { status: 200, shape: z.array(shownRule) },
  answer: (host) => ({ status: 200, body: host.current().world.rules.all().map(showRule) }),
})
