import type { IncomingMessage } from 'node:http'
import { errors } from '@malipo/kernel/errors'
import type { Clock } from '@malipo/runtime/clock'
import type { Operation } from '@malipo/runtime/handler'
import { openLocalWindows } from '@malipo/runtime/local-windows'
import { eventsTotal } from '@malipo/runtime/metrics'
import { faultOf } from '@malipo/runtime/present-fault'
import type { Request, Response } from 'express'
import type { MerchantRequest } from '../clients/accounts'
import type { Authenticate, IdentifyKey, KeyChecks } from './authenticate'
import { ratePolicies } from './rate-window'

export interface RecordRequests {
  /** Remembers whose key a request carried: without a key there is no log to show it in. */
  readonly authenticate: Authenticate
  /** Notes how an operation answered, when it has answered. */
  readonly recorded: (operation: Operation) => Operation
}

export interface RecordRequestsOptions extends KeyChecks {
  /** Takes it in and returns at once. */
  readonly note: (request: MerchantRequest) => void
  readonly clock: Clock
}

/** As long as a path may be in the log; longer ones are no path of ours. */
const pathMax = 128

/** Keeps what merchants' servers ask for their request log. The answer waits for none of it. */
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
    // Refused before its key was looked at. It is looked at when the answer is out, which therefore shows nothing of it.
    else if (answered.status === 400) {
      response.once('close', () => {
        void findSender(request).then((sender) => {
          if (sender !== undefined) note({ ...row, accountId: sender })
        })
      })
    }
  }
  return {
    async authenticate(request) {
      const accountId = await authenticate(request)
      accounts.set(request, accountId)
      return accountId
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
 * Whose request was refused with 400; undefined without a valid key, without the key service, and beyond as many in a
 * minute as an account may ask: no rate limit has counted them.
 */
function openFindSender({ identify, clock }: RecordRequestsOptions): IdentifyKey {
  const count = openLocalWindows(clock)
  return async (request) => {
    const accountId = await identify(request).catch(() => undefined)
    if (accountId === undefined || count(ratePolicies.merchant, accountId).isAllowed) {
      return accountId
    }
    eventsTotal.inc({ name: 'request_log_dropped' })
    return undefined
  }
}
