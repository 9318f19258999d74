import { readJsonBody } from '@malipo/interface/json-body'
import { succeed } from '@malipo/runtime/answer'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { z } from 'zod'
import type { Hub } from '../operation'
import { handleSchema, linkTitleSchema, requestIdSchema } from '../accounts/account-fields'
import { makeLink } from './store/make-link'
import { showLink } from './show-link'
import type { VisitOperation } from '../sessions/signed-in'

const bodySchema = z.strictObject({
  request_id: requestIdSchema,
  /** A random handle is used when none is given. */
  handle: handleSchema.optional(),
  title: linkTitleSchema.optional(),
  amount: z
    .string()
    .regex(/^[1-9][0-9]{0,14}$/, 'must be whole minor units')
    .transform(BigInt)
    .optional(),
})

/** `POST /v1/hub/links`. Faults: invalid_request, handle_taken, amount_outside_limits. */
export function createLink({ db, paymentsUrls }: Hub): VisitOperation {
  return async (request, { account, caller }) => {
    const body = readJsonBody(bodySchema, await readRawBody(request))
    const { request_id: requestId, amount: amountMinor, ...input } = body
    const link = await makeLink(db, account, { requestId, amountMinor, ...input, caller })
    return succeed(201, 'Link created', showLink(link, paymentsUrls[account.homeCountry]))
  }
}
