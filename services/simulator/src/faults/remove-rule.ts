import { z } from 'zod'
import { controlRoute, refusal } from '../control-api/control-route'

export const removeRule = controlRoute({
  method: 'delete',
  path: '/rules/{id}',
  summary: 'Takes a rule away',
  params: z.strictObject({ id: z.string().max(40) }),
  success: { status: 200, shape: z.object({ removed: z.string() }) },
  answer(host, { params }) {
    const { world } = host.current()
    if (!world.rules.remove(params.id)) return refusal(404, 'rule_not_found')
    world.events.append('rule_removed', { rule: params.id })
    return { status: 200, body: { removed: params.id } }
  },
})
