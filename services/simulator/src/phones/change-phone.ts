import { z } from 'zod'
import { controlRoute, refusal } from '../control-api/control-route'
import {
  minorShape,
  msisdnParams,
  networkShape,
  pinShape,
  shownPhone,
  simStateShape,
} from '../control-api/shapes'
import { showPhone } from '../control-api/show'

export const changePhone = controlRoute({
  method: 'patch',
  path: '/phones/{msisdn}',
  summary: 'Changes what is given and leaves the rest',
  params: msisdnParams,
  body: z.strictObject({
    name: z.string().min(1).max(60).optional(),
    balance: minorShape.optional(),
    pin: pinShape.optional(),
    network: networkShape.optional(),
    sim_state: simStateShape.optional(),
  }),
  success: { status: 200, shape: shownPhone },
  answer(host, { params, body }) {
    const { world } = host.current()
    const phone = world.phones.find(params.msisdn)
    if (phone === undefined) return refusal(404, 'phone_not_found')
    phone.name = body.name ?? phone.name
    phone.balanceMinor = body.balance ?? phone.balanceMinor
    phone.pin = body.pin ?? phone.pin
    phone.network = body.network ?? phone.network
    phone.simState = body.sim_state ?? phone.simState
    world.events.append('phone_changed', { msisdn: phone.msisdn })
    return { status: 200, body: showPhone(phone, world.time.now()) }
  },
})
