import { succeed } from '@malipo/runtime/answer'
import type { Hub } from '../operation'
import { showSession } from './open-session'
import type { VisitOperation } from './signed-in'

/** `GET /v1/hub/session`: the signed-in account. */
export function readSession(deps: Hub): VisitOperation {
  return async (_request, visit) => succeed(200, 'Session', await showSession(deps, visit))
}
