import { validate } from '@malipo/interface/validate'
import { z } from 'zod'
import type { AccountOperation, Accounts } from '../operation'
import { saveRequests } from './store/merchant-requests'

const schema = z.object({
  requests: z
    .array(
      z.object({
        requestId: z.string().min(1).max(64),
        accountId: z.string().min(1).max(64),
        method: z.string().max(8),
        path: z.string().max(128),
        status: z.int().min(100).max(599),
        code: z.int().min(0),
        milliseconds: z.int().min(0),
        at: z.date(),
      }),
    )
    .max(200),
})

/** Stores a payments host's answers to merchants. Idempotent. Fault: invalid_request. */
export function recordRequests(deps: Accounts): AccountOperation<'recordRequests'> {
  return async (wire) => {
    await saveRequests(deps.db, validate(schema, wire).requests)
    return {}
  }
}
