import { succeed } from '@malipo/runtime/answer'
import { z } from 'zod'
import type { Hub } from '../operation'
import type { MerchantRequest } from './rules/merchant-request'
import { listRequests as listStoredRequests } from './store/merchant-requests'
import type { RequestPage, RequestView } from '@malipo/interface/hub'
import { readQuery } from '../hub-server/read-query'
import type { VisitOperation } from '../sessions/signed-in'

const requestIdSchema = z.string().trim().max(64)
const querySchema = z.strictObject({
  /** The complete id, as in `X-Request-Id` of an answer. */
  request_id: requestIdSchema.optional(),
  before: requestIdSchema.optional(),
})

/**
 * `GET /v1/hub/requests`: the request log of the merchant's servers, newest first, a page at a time. Fault:
 * invalid_request.
 */
export function listRequests(deps: Hub): VisitOperation {
  return async (request, { account: { accountId } }) => {
    const { request_id: requestId, before } = readQuery(querySchema, request)
    const question = { requestId, beforeRequestId: before }
    const { requests, hasMore } = await listStoredRequests(deps.db, accountId, question)
    const view: RequestPage = { requests: requests.map(showRequest), has_more: hasMore }
    return succeed(200, 'Requests', view)
  }
}

function showRequest({ requestId, accountId: _, at, code, ...row }: MerchantRequest): RequestView {
  return { request_id: requestId, ...row, code: code === 0 ? null : code, at: at.toISOString() }
}
