import { z } from 'zod'
import { phonesMax } from '../../domain/shelf'
import { controlRoute } from '../control-route'
import { shownPhone } from '../shapes'
import { showPhone } from '../show'

export const listPhones = controlRoute({
  method: 'get',
  path: '/phones',
  summary: 'The phones on the shelf, in the order they came',
  query: z.strictObject({ limit: z.coerce.number().int().min(1).max(phonesMax).default(1_000) }),
  success: { status: 200, shape: z.array(shownPhone) },
  answer(stage, { query }) {
    const { world } = stage.current()
    const phones = [...world.shelf.all()].slice(0, query.limit)
    return { status: 200, body: phones.map((phone) => showPhone(phone, world.time.now())) }
  },
})
