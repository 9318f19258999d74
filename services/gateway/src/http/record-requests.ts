import type { IncomingMessage } from 'node:http'
import { errors } from '@malipo/kernel/errors'
import type { Clock } from '@malipo/runtime/clock'
import type { Operation } from '@malipo/runtime/door'
import { faultOf } from '@malipo/runtime/present-fault'
import type { Request, Response } from 'express'
import type { MerchantRequest } from '../clients/accounts'
import type { Authenticate } from './authenticate'

export interface RecordRequests {
  /** Remembers whose key a request carried: without a key there is nobody to show it to. */
  readonly authenticate: Authenticate
  /** Notes how an operation answered, when it has answered. */
  readonly recorded: (operation: Operation) => Operation
}

export interface RecordRequestsOptions {
  readonly authenticate: Authenticate
  /** Takes it in and returns at once. */
  readonly note: (request: MerchantRequest) => void
  readonly clock: Clock
}

/** Keeps what merchants' servers ask for their request log. The answer waits for none of it. */
export function openRecordRequests(options: RecordRequestsOptions): RecordRequests {
  const { authenticate, note, clock } = options
  const accounts = new WeakMap<IncomingMessage, string>()
  const noteAnswer = (request: Request, response: Response, answered: Answered) => {
    const accountId = accounts.get(request)
    if (accountId === undefined) return
    const requestId = String(response.getHeader('X-Request-Id'))
    const { method, path } = request
    note({ requestId, accountId, method, path, ...answered })
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
