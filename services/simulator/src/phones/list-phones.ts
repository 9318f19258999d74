import { z } from 'zod'
import { phonesMax } from './rules/phone-registry'
import { controlRoute } from '../control-api/control-route'
import { shownPhone } from '../control-api/shapes'
import { showPhone } from '../control-api/show'

export const listPhones = controlRoute({
  method: 'get',
  path: '/phones',
  summary: 'The phones registered, in the order they came',
  query: z.strictObject({ limit: z.coerce.number().int().min(1).max(phonesMax).default(1_000) }),
  success: { status: 200, shape: z.array(shownPhone) },
  answer(host, { query }) {
    const { world } = host.current()
    const phones = [...world.phones.all()].slice(0, query.limit)
    return { status: 200, body: phones.map((phone) => showPhone(phone, world.time.now())) }
  },
})
