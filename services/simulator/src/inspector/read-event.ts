import { controlRoute, refusal } from '../control-api/control-route'
import { eventParams, shownEventWhole } from '../control-api/shapes'
import { showEventWhole } from '../control-api/show'

export const readEvent = controlRoute({
  method: 'get',
  path: '/events/{id}',
  summary: 'One event with what went over the wire: bodies, answers, and the same as a command',
  params: eventParams,
  success: { status: 200, shape: shownEventWhole },
  answer(host, { params }) {
    const event = host.current().world.events.find(params.id)
    return event ? { status: 200, body: showEventWhole(event) } : refusal(404, 'event_not_found')
  },
})
