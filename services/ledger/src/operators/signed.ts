import { isReceiptSubject } from '../refunds/rules/refund'
import { isIntentId } from '@malipo/kernel/ids'
import { Fault } from '@malipo/kernel/errors'
import type { Country } from '@malipo/kernel/countries'
import { actOf, NotSigned } from '@malipo/runtime/operator-calls'
import {
  type ActAudience,
  isSignedBy,
  isWellFormed,
  operatorIdOf,
  type SignedAct,
} from '@malipo/runtime/operator-signature'
import { recordAct } from './store/acts'
import type { SharedDatabase } from '../database/database'
import { type ActingOperator, findOperator } from './store/operators'

/** An operation that only an enrolled operator may call, with the operator who calls it. */
export type SignedOperation<Request, Response> = (
  request: Request,
  operator: ActingOperator,
) => Promise<Response>

/** How far the time of signing may be from our clock, because an operator's clock may be set by hand. */
const lifeSeconds = 300

const refusals = {
  stale: 'it was signed more than 5 minutes from now by our clock; set yours',
  repeated: 'it was used before; sign it again',
} as const

/** Verifies and keeps acts. No operation sees an act before that. */
export interface Acts {
  /**
   * Returns who signed the act. Throws NotSigned unless an enrolled operator did, just now, and this is its first use.
   */
  accept(act: SignedAct, audience: ActAudience): Promise<ActingOperator>
  /** Accepts, by the same rules, an act of a key that is not enrolled yet and signs for itself. */
  acceptOwn(act: SignedAct, publicKey: Buffer): Promise<void>
  signed<Request extends object, Response>(
    operation: SignedOperation<Request, Response>,
  ): (request: Request) => Promise<Response>
}

export function openActs(
  { db, pool }: Pick<SharedDatabase, 'db' | 'pool'>,
  country: Country,
): Acts {
  const accept: Acts['accept'] = async (act, audience) => {
    if (!isWellFormed(act)) throw new NotSigned('the signature is not well formed')
    const found = await findOperator(db, act.operatorId)
    if (found === undefined) throw new NotSigned(`${act.operatorId} is not an enrolled operator`)
    await keep(act, audience, found.publicKey)
    return { operatorId: act.operatorId, name: found.name }
  }

  const keep = async (act: SignedAct, audience: ActAudience, publicKey: Buffer) => {
    if (!isSignedBy(publicKey, audience, act)) {
      throw new NotSigned('the signature is of another request, ledger or key')
    }
    const outcome = await recordAct(pool, act, lifeSeconds)
    if (outcome !== 'accepted') throw new NotSigned(refusals[outcome])
  }

  return {
    accept,
    async acceptOwn(act, publicKey) {
      if (!isWellFormed(act) || operatorIdOf(publicKey) !== act.operatorId) {
        throw new NotSigned('the signature is not well formed')
      }
      await keep(act, country, publicKey)
    },
    signed: (operation) => async (request) =>
      operation(request, await accept(actOf(request), country)),
  }
}

/** `mpesa:QK…`: the name by which operators refer to received money. */
export function readSubject(subject: string): string {
  if (!isReceiptSubject(subject)) throw new Fault('invalid_request', { field: 'subject' })
  return subject
}

/** The name of a report of payment: its receipt, or its intent where it names none. */
export function readReportSubject(subject: string): string {
  return isIntentId(subject) ? subject : readSubject(subject)
}

const noteLengthMax = 500

/** Every operator action needs a reason. */
export function readNote({ note: given }: { readonly note: string }): string {
  const note = given.trim()
  if (note === '' || note.length > noteLengthMax) {
    throw new Fault('invalid_request', { field: 'note' })
  }
  return note
}
