import { readJsonBody } from '@malipo/interface/json-body'
import { refuseField } from '@malipo/interface/validate'
import { Fault } from '@malipo/kernel/errors'
import type { Ledgers } from '@malipo/ledger-client/ledger'
import { readEnrolment } from '@malipo/ledger-client/operators'
import { type Answer, succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import { openLocalWindows } from '@malipo/runtime/local-windows'
import type { Log } from '@malipo/runtime/log'
import { NotSigned } from '@malipo/runtime/operator-calls'
import { operatorIdOf } from '@malipo/runtime/operator-signature'
import { readRawBody } from '@malipo/runtime/read-bytes'
import type { Request } from 'express'
import { z } from 'zod'
import type { EnrolledOperators } from '../operators/enrolled-operators'
import { personOf } from '../operators/person'
import { refuseForeign } from '../sign-in/refuse-foreign'
import { sessionTokenOf } from '../sign-in/session-cookie'
import type { SignedInDeps, VisitOperation } from '../sign-in/signed-in'
import { base64 } from '../web/read-fields'
import { outcomeText } from './outcome-texts'
import { methodOf, signedActs } from './signed-acts'

const requestBytesMax = 4_096

const bodySchema = z.strictObject({
  country: z.enum(['ke', 'ug']),
  act: z.enum(signedActs),
  request: base64(requestBytesMax, { isExact: false }),
  operator_id: z.string().max(32),
  signed_at: z.string().max(32),
  nonce: z.string().max(64),
  signature: base64(64),
})

export interface RelayDeps {
  readonly ledgers: Ledgers
  readonly operators: EnrolledOperators
  readonly log: Log
}

/**
 * `POST /acts`: passes on an act that the operator of this session has signed. The ledger alone decides whether the
 * signature is valid, recent and used for the first time, and of an enrolled operator other than the one who asked.
 */
export function relayAct(deps: RelayDeps): VisitOperation {
  return async (request, { operator }) => {
    const body = await readAct(request)
    // A session passes on its own operator's acts only, so that a stolen signature needs a stolen session too.
    if (body.operator_id !== operator.operatorId) {
      refuseField('operator_id', 'must be that of the operator who is signed in')
    }
    return relay(deps, body)
  }
}

/**
 * `POST /enrolments`: passes on a key that signs for itself. The ledger enrols the first two of an installation so, and
 * refuses every later one. Where there is an identity provider, the key is enrolled for the person who signed in there.
 */
export function relayEnrolment(
  deps: RelayDeps & Pick<SignedInDeps, 'sessions' | 'origin' | 'needsSubject' | 'clock'>,
): Operation {
  const count = openLocalWindows(deps.clock)
  const tries = { name: 'enrolment', limit: 20, windowSeconds: 60 }
  return async (request) => {
    refuseForeign(request, deps.origin)
    if (!count(tries, 'all').isAllowed) throw new Fault('rate_limited', { retry_after_seconds: 60 })
    const body = await readAct(request)
    if (body.act !== 'EnrollOperator') refuseField('act', 'must be EnrollOperator')
    const { publicKey, subject } = readEnrolment(body.request)
    if (operatorIdOf(publicKey) !== body.operator_id) {
      refuseField('operator_id', 'must be that of the key')
    }
    if (deps.needsSubject) {
      const person = (await deps.sessions.find(sessionTokenOf(request)))?.subject
      if (person === undefined) throw new Fault('sign_in_required')
      if (subject === undefined || personOf(subject) !== personOf(person)) {
        refuseField('subject', 'must be that of the person who is signed in')
      }
    }
    return relay(deps, body)
  }
}

async function readAct(request: Request): Promise<z.output<typeof bodySchema>> {
  return readJsonBody(bodySchema, await readRawBody(request))
}

async function relay(deps: RelayDeps, body: z.output<typeof bodySchema>): Promise<Answer> {
  const { country, act, operator_id: operatorId, signed_at: signedAt, ...rest } = body
  const method = methodOf(act)
  const { outcome, id } = await deps.ledgers[country]
    .relay(method, { method, operatorId, signedAt, ...rest })
    .catch((error: unknown) => {
      if (error instanceof NotSigned) refuseField('signature', `is refused: ${error.message}`)
      throw faultOfRelay(error)
    })
  deps.operators.forget()
  deps.log.warn({ country, act, operatorId, outcome, id }, 'act passed on')
  const { text, isDone } = outcomeText(act, outcome)
  return succeed(200, 'The ledger answered', { outcome, id: id ?? null, text, is_done: isDone })
}

/** Adds to the ledger's refusal the field that it names, so that the operator can correct it. */
function faultOfRelay(error: unknown): unknown {
  if (!(error instanceof Fault) || error.reason !== 'invalid_request') return error
  const field = String(error.facts['field'] ?? 'request')
  return new Fault('invalid_request', {}, error, {
    fields: [{ path: field, message: 'is not what the ledger takes here' }],
  })
}
