import { controlRoute, refusal } from '../control-api/control-route'
import { msisdnParams, shownPhone } from '../control-api/shapes'
import { showPhone } from '../control-api/show'

export const readPhone = controlRoute({
  method: 'get',
  path: '/phones/{msisdn}',
  summary: 'One phone, with the prompt it shows and its messages',
  params: msisdnParams,
  success: { status: 200, shape: shownPhone },
  answer(host, { params }) {
    const { world } = host.current()
    const phone = world.phones.find(params.msisdn)
    if (phone === undefined) return refusal(404, 'phone_not_found')
    return { status: 200, body: showPhone(phone, world.time.now()) }
  },
})
