import { createHash } from 'node:crypto'
import type { Cell } from '@malipo/kernel/cells'
import type { Callback } from '@malipo/ledger-client/messages'
import { type Answer, jsonAnswer } from '@malipo/runtime/answer'
import type { JobQueue } from '@malipo/runtime/queue'
import type { Request, Response } from 'express'
import { addressGroup, type ClientAddress } from '@malipo/runtime/client-address'
import type { CountryLedger } from '../cells/country-ledger'
import { openLimitCallers } from '../limits/limit-callers'
import type { LimitRate } from '../limits/limit-rate'
import type { Networks } from '@malipo/runtime/networks'
import { noteSubject } from '@malipo/runtime/telemetry'
import { readBytes, readStart } from '@malipo/runtime/read-bytes'

export interface StoreCallbackOptions {
  readonly clientAddress: ClientAddress
  /** The addresses that providers publish: evidence of where a message comes from, and exempt from the rate limit. */
  readonly sources: Networks
  readonly limitRate: LimitRate
  readonly ledger: Pick<CountryLedger, 'storeCallback'>
  readonly readJobs: Pick<JobQueue, 'enqueue'>
}

/** The subject of a callback, and the part of its body to store; by default all of it. */
export interface Kept {
  readonly subject: Callback['subject']
  readonly body?: Buffer
  /** The cell in the callback's path. It is needed for money without a prompt, which has no id. */
  readonly cell?: Cell
}

/** Finds the subject, or throws `route_not_found` if there is none. The body is read only on demand. */
export type SubjectOf = (readBody: ReadBody) => Promise<Kept>
export type ReadBody = (bytesMax?: number) => Promise<Buffer>

export type StoreCallback = (
  request: Request,
  response: Response,
  subjectOf: SubjectOf,
) => Promise<Answer>

export const bodyBytesMax = 8_192
/**
 * The acknowledgement that Daraja expects. It only means that the message is stored, so it is sent before the message
 * is processed.
 */
const accepted: Answer = jsonAnswer(200, { ResultCode: 0, ResultDesc: 'Accepted' })

/**
 * Stores a callback unchanged (for cards without data about the payer) and enqueues a job that processes it. Only a
 * failure to store it is a 503, which makes the provider send it again.
 */
export function openStoreCallback(options: StoreCallbackOptions): StoreCallback {
  const { clientAddress, sources, limitRate, ledger, readJobs } = options
  const limitCallers = openLimitCallers(limitRate)
  return async (request, response, subjectOf) => {
    const sourceAddress = clientAddress(request)
    const isSourceKnown = sources.has(sourceAddress)
    // The address is logged, also for a refused call, so that an operator can find a forger.
    noteSubject({ source: sourceAddress })
    const caller = { response, address: addressGroup(sourceAddress), isListed: isSourceKnown }
    let reading: Promise<Buffer> | undefined
    // A provider would repeat a refused message forever, so the beginning of an oversized one is stored, and parked as
    // unreadable.
    const readBody: ReadBody = (bytesMax) =>
      (reading ??= bytesMax ? readBytes(request, bytesMax) : readStart(request, bodyBytesMax))
    const messageId = await limitCallers(caller, async (limitSubject) => {
      const { subject, body = await readBody(), cell } = await subjectOf(readBody)
      const name = nameOf(subject)
      if (name !== undefined) await limitSubject(name)
      return ledger.storeCallback({ subject, body, sourceAddress, isSourceKnown }, cell)
    })
    noteSubject({ messageId })
    void readJobs.enqueue(messageId)
    return accepted
  }
}

/**
 * The rate-limit key of calls about one payment: never the token, which is a secret. Undefined for Pay Bill money,
 * which has no intent yet.
 */
function nameOf(subject: Callback['subject']): string | undefined {
  switch (subject.kind) {
    case 'token':
      return createHash('sha256').update(subject.token).digest('base64url')
    case 'intent':
      return subject.intentId
    case 'pay_bill':
      return undefined
  }
}
