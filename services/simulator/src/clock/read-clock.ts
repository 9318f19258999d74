import { controlRoute } from '../control-route'
import { shownClock } from '../shapes'
import { showClock } from '../show'

export const readClock = controlRoute({
  method: 'get',
  path: '/clock',
  summary: 'The virtual time, and when the next timer falls due',
  success: { status: 200, shape: shownClock },
  answer: (host) => ({ status: 200, body: showClock(host.current()) }),
})
