import type { Operation, Understood, WireAnswer, WireCall } from '../rules/rail'
import { shownFacets } from '../../sessions/rules/world'
import { errorAnswer, refuse } from './errors'
import { understandAuthorised } from './gate'
import { isReason } from './reasons'
import type { ApiUser, MtnMomo, PayRequest, PayState } from './state'
import { transactionBody } from './transaction-body'

/** `GET /collection/v1_0/requesttopay/{referenceId}`: returns the status of a request to pay (providers.md 3.4). */
export function readStatusOperation(mtn: MtnMomo): Operation {
  return {
    moment: 'query',
    method: 'GET',
    path: '/collection/v1_0/requesttopay/{referenceId}',
    takesLies: true,
    understand: (call) =>
      understandAuthorised(mtn, call, 'collection', (user) =>
        understandStatus(mtn, user, mtn.requests.get(referenceIn(call))),
      ),
  }
}

export function referenceIn(call: WireCall): string {
  return (call.params['referenceId'] ?? '').toLowerCase()
}

export function understandStatus(
  mtn: MtnMomo,
  user: ApiUser,
  request: PayRequest | undefined,
): Understood {
  if (isOverCap(mtn)) return refuse('spike_arrest')
  // A reference of another client is unknown.
  if (request?.user !== user) return refuse('not_found')
  return {
    kind: 'understood',
    facets: { ...request, reference: request.referenceId },
    perform: (lie) => ({ answer: answerOf(mtn, request, lie) }),
  }
}

/** MTN caps status calls at ten a second, refused ones not counted. */
const callsMax = 10
const windowMs = 1_000

function isOverCap({ statusCalls, world }: MtnMomo): boolean {
  const nowMs = world.time.now()
  while (statusCalls[0] !== undefined && nowMs - statusCalls[0] >= windowMs) statusCalls.shift()
  if (statusCalls.length >= callsMax) return true
  statusCalls.push(nowMs)
  return false
}

function answerOf(mtn: MtnMomo, request: PayRequest, lie: string | undefined): WireAnswer {
  const state = lie === undefined ? request.state : stateOf(lie)
  mtn.world.events.append('query_answered', {
    ...shownFacets(request),
    reference: request.referenceId,
    result: state?.status === 'FAILED' ? state.reason : (state?.status ?? 'RESOURCE_NOT_FOUND'),
  })
  if (state === undefined) return errorAnswer('not_found')
  const body = transactionBody(mtn.world.seed, request, state, 'status')
  return { status: 200, contentType: 'application/json', body }
}

/**
 * The state in a false answer, without a receipt: `lie` is a status or a reason; any other word answers "not found".
 */
function stateOf(lie: string): PayState | undefined {
  if (lie === 'CREATED' || lie === 'PENDING') return { status: lie }
  if (lie === 'SUCCESSFUL') return { status: lie, receipt: '' }
  return isReason(lie) ? { status: 'FAILED', reason: lie } : undefined
}
