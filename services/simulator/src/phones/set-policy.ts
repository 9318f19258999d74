import { controlRoute, refusal } from '../control-api/control-route'
import { msisdnParams, policyShape, shownPhone } from '../control-api/shapes'
import { showPhone } from '../control-api/show'

export const setPolicy = controlRoute({
  method: 'put',
  path: '/phones/{msisdn}/policy',
  summary: 'What the phone answers by itself from the next prompt on; `ask` waits for a person',
  params: msisdnParams,
  body: policyShape,
  success: { status: 200, shape: shownPhone },
  answer(host, { params, body }) {
    const { world } = host.current()
    const phone = world.phones.find(params.msisdn)
    if (phone === undefined) return refusal(404, 'phone_not_found')
    phone.policy = body
    world.events.append('phone_changed', { msisdn: phone.msisdn })
    return { status: 200, body: showPhone(phone, world.time.now()) }
  },
})
