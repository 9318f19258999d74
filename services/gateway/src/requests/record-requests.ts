import type { IncomingMessage } from 'node:http'
import type { MerchantRequest } from '@malipo/accounts-client/accounts'
import { errors } from '@malipo/kernel/errors'
import type { Clock } from '@malipo/runtime/clock'
import type { Operation } from '@malipo/runtime/handler-factory'
import { openLocalWindows } from '@malipo/runtime/local-windows'
import { notableEvents } from '@malipo/runtime/metrics'
import { faultOf } from '@malipo/runtime/present-fault'
import type { Request, Response } from 'express'
import type { Authenticate, IdentifyKey, KeyChecks } from '../merchant/authenticate'
import { ratePolicies } from '../limits/rate-policies'

export interface RecordRequests {
  /** Remembers the key's account: without one, no log can show the request. */
  readonly authenticate: Authenticate
  /** Records the result of an operation when it has answered. */
  readonly recorded: (operation: Operation) => Operation
}

export interface RecordRequestsOptions extends KeyChecks {
  /** Queues it and returns at once. */
  readonly note: (request: MerchantRequest) => void
  readonly clock: Clock
}

/** The longest path in the log; none of our routes is longer. */
const pathMax = 128

/** Stores merchants' requests in their request log. No answer waits for it. */
export function openRecordRequests(options: RecordRequestsOptions): RecordRequests {
  const { authenticate, note, clock } = options
  const accounts = new WeakMap<IncomingMessage, string>()
  const findSender = openFindSender(options)
  const noteAnswer = (request: Request, response: Response, answered: Answered) => {
    const requestId = String(response.getHeader('X-Request-Id'))
    const { method } = request
    const row = { requestId, method, path: request.path.slice(0, pathMax), ...answered }
    const accountId = accounts.get(request)
    if (accountId !== undefined) note({ ...row, accountId })
    // The request was refused before its key was checked. The key is checked after the answer, which therefore reveals
    // nothing about the key.
    else if (answered.status === 400) {
      response.once('close', () => {
        void findSender(request).then((sender) => {
          if (sender !== undefined) note({ ...row, accountId: sender.accountId })
        })
      })
    }
  }
  return {
    async authenticate(request) {
      const owner = await authenticate(request)
      accounts.set(request, owner.accountId)
      return owner
    },
    recorded: (operation) => async (request, response) => {
      const at = new Date(clock.now())
      const answered = (status: number, code: number) => ({
        at,
        status,
        code,
        milliseconds: Math.max(0, Math.round(clock.now() - at.getTime())),
      })
      const answer = await operation(request, response).catch((error: unknown) => {
        const { http, code } = errors[faultOf(error).reason]
        noteAnswer(request, response, answered(http, code))
        throw error
      })
      noteAnswer(request, response, answered(answer.status, 0))
      return answer
    },
  }
}

type Answered = Pick<MerchantRequest, 'at' | 'status' | 'code' | 'milliseconds'>

/**
 * The account of a request refused with 400; undefined without a valid key or the key service, and above the
 * account's requests a minute: no rate limit has counted these.
 */
function openFindSender({ identify, clock }: RecordRequestsOptions): IdentifyKey {
  const count = openLocalWindows(clock)
  return async (request) => {
    const owner = await identify(request).catch(() => undefined)
    if (owner === undefined || count(ratePolicies.merchant, owner.accountId).isAllowed) {
      return owner
    }
    notableEvents.inc({ name: 'request_log_dropped' })
    return undefined
  }
}
