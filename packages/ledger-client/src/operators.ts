import {
  type AcceptActResponse,
  EnrollOperatorRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import { NotSigned, whyNotSigned, writeAct } from '@malipo/runtime/operator-calls'
import type { SignedAct } from '@malipo/runtime/operator-signature'
import type { LedgerConnection } from './connection'

export type EnrolledOperator = Readonly<Pick<AcceptActResponse, 'operatorId' | 'name'>>

export interface AcceptedAct {
  readonly operator: EnrolledOperator
  /**
   * Whether the operator who asked for the act is still enrolled. Undefined when no such operator was given, and from a
   * ledger of an earlier release.
   */
  readonly isAskerEnrolled: boolean | undefined
}

/** The answer to an act: its outcome in the words of the ledger, and the id of the request that it made. */
export interface ActAnswer {
  readonly outcome: string
  readonly id: string | undefined
}

/** The key and the person that a signed enrolment names. Fault: invalid_request, for bytes that are no message. */
export function readEnrolment(
  request: Uint8Array,
): Readonly<Pick<EnrollOperatorRequest, 'publicKey' | 'subject'>> {
  try {
    return EnrollOperatorRequest.decode(request)
  } catch (error) {
    const fields = [{ path: 'request', message: 'must be a whole message' }]
    throw new Fault('invalid_request', {}, error, { fields })
  }
}

export function operatorCalls({ writes, send }: LedgerConnection) {
  return {
    /**
     * Verifies and stores the signed act of an operator for another service. Returns that operator, and whether
     * `askedBy`, the operator who requested what the act decides, is still enrolled. Throws NotSigned.
     */
    acceptAct: (act: SignedAct, askedBy: string | undefined): Promise<AcceptedAct> =>
      writes
        .acceptAct({ ...act, ...(askedBy !== undefined && { askedBy }) })
        .catch(throwIfNotSigned)
        .then(({ operatorId, name, askerIsEnrolled: isAskerEnrolled }) => ({
          operator: { operatorId, name },
          isAskerEnrolled,
        })),

    /** Passes on the bytes of a signed act unchanged, because its signature covers them. Throws NotSigned. */
    relay: (path: string, act: SignedAct): Promise<ActAnswer> =>
      send(path, act.request, (metadata) => {
        writeAct(metadata, act)
      })
        .catch(throwIfNotSigned)
        .then(answerOf),
  }
}

function throwIfNotSigned(error: unknown): never {
  const because = whyNotSigned(error)
  throw because === undefined ? error : new NotSigned(because)
}

/** Every answer to an act has an outcome, and at most one id: that of the request which the act made. */
function answerOf(answer: object): ActAnswer {
  const fields = Object.entries(answer).filter(([, value]) => typeof value === 'string')
  const outcome = fields.find(([name]) => name === 'outcome')?.[1] as string | undefined
  const id = fields.find(([name]) => name.endsWith('Id'))?.[1] as string | undefined
  return { outcome: (outcome ?? '').replace(/^.*_OUTCOME_/, '').toLowerCase(), id }
}
