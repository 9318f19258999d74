import { z } from 'zod'
import { controlRoute } from './control-route'

export const seedShape = z
  .string()
  .regex(/^[\w.-]{1,64}$/, 'up to 64 letters, digits, dots, dashes')

export const reset = controlRoute({
  method: 'post',
  path: '/reset',
  summary:
    'Throws everything away and begins again. One seed gives the same receipts and ids; a ledger that already holds them takes them for repeats, so leave the seed out unless the ledger is new too',
  body: z.strictObject({ seed: seedShape.optional() }),
  success: { status: 200, shape: z.object({ seed: z.string() }) },
  answer: (host, { body }) => ({ status: 200, body: { seed: host.reset(body.seed).world.seed } }),
})
