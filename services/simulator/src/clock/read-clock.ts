import { controlRoute } from '../control-api/control-route'
import { shownClock } from '../control-api/shapes'
import { showClock } from '../control-api/show'

export const readClock = controlRoute({
  method: 'get',
  path: '/clock',
  summary: 'The virtual time, and when the next timer falls due',
  success: { status: 200, shape: shownClock },
  answer: (host) => ({ status: 200, body: showClock(host.current()) }),
})
