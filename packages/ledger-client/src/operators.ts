import {
  type AcceptActResponse,
  EnrollOperatorRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import { NotSigned, whyNotSigned, writeAct } from '@malipo/runtime/operator-calls'
import type { SignedAct } from '@malipo/runtime/operator-signature'
import type { LedgerConnection } from './connection'

/** An enrolled operator. */
export type EnrolledOperator = Readonly<Pick<AcceptActResponse, 'operatorId' | 'name'>>

/** An act that was accepted. */
export interface AcceptedAct {
  readonly operator: EnrolledOperator
  /** Undefined without an asker, and from a ledger of an earlier release, which does not look it up. */
  readonly isAskerEnrolled: boolean | undefined
}

/** An act's answer: its outcome, as the ledger writes it, and the id of what it made. */
export interface ActAnswer {
  readonly outcome: string
  readonly id: string | undefined
}

/** The key and the person that a signed enrolment names. Fault: invalid_request, for bytes that are no whole message. */
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
     * Verifies the signature of an act for another service, and stores it; returns the operator, and whether the one
     * who asked for it, `askedBy`, is still enrolled. Throws NotSigned.
     */
    acceptAct: (act: SignedAct, askedBy: string | undefined): Promise<AcceptedAct> =>
      writes
        .acceptAct({ ...act, ...(askedBy !== undefined && { askedBy }) })
        .catch(throwIfNotSigned)
        .then(({ operatorId, name, askerIsEnrolled: isAskerEnrolled }) => ({
          operator: { operatorId, name },
          isAskerEnrolled,
        })),

    /** Passes on an act as it was signed: the bytes stay what the signature covers. Throws NotSigned. */
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

/** Every answer to an act has an outcome, and at most one id of what was asked for. */
function answerOf(answer: object): ActAnswer {
  const fields = Object.entries(answer).filter(([, value]) => typeof value === 'string')
  const outcome = fields.find(([name]) => name === 'outcome')?.[1] as string | undefined
  const id = fields.find(([name]) => name.endsWith('Id'))?.[1] as string | undefined
  return { outcome: (outcome ?? '').replace(/^.*_OUTCOME_/, '').toLowerCase(), id }
}
