import { readJsonBody } from '@malipo/interface/json-body'
import { Fault } from '@malipo/kernel/errors'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import { operatorIdOf } from '@malipo/runtime/operator-signature'
import { readRawBody } from '@malipo/runtime/read-bytes'
import type { Log } from '@malipo/runtime/log'
import { z } from 'zod'
import type { EnrolledOperators } from '../operators/enrolled-operators'
import { base64 } from '../web/read-fields'
import { type Challenges, isChallengeSignedBy } from './challenges'
import { type LimitTriesDeps, openLimitTries } from './limit-tries'
import { refuseForeign } from './refuse-foreign'
import { placeOf } from './records'
import { sessionCookie, sessionTokenOf } from './session-cookie'
import { newPersonOf, type Sessions } from './sessions'
import { isTheirs } from './signed-in'

export interface SignInDeps extends LimitTriesDeps {
  readonly sessions: Sessions
  readonly operators: EnrolledOperators
  readonly challenges: Challenges
  readonly origin: string
  readonly needsSubject: boolean
  readonly log: Log
}

const bodySchema = z.strictObject({
  public_key: base64(32),
  challenge: z.string().max(64),
  signature: base64(64),
})

/** `POST /sign-in`: the browser proves that it has the key of an enrolled operator. */
export function signIn(deps: SignInDeps): Operation {
  const { sessions, operators, challenges, origin, needsSubject, log } = deps
  const limitTries = openLimitTries(deps, 'sign-in')
  return async (request) => {
    refuseForeign(request, origin)
    limitTries(request)
    const body = readJsonBody(bodySchema, await readRawBody(request))
    const { public_key: publicKey, challenge, signature } = body
    const operatorId = operatorIdOf(publicKey)
    const isProven =
      (await challenges.use(challenge)) &&
      isChallengeSignedBy(publicKey, { origin, challenge, signature })
    if (!isProven) throw new Fault('sign_in_required', { why: 'signature' })
    const formerToken = sessionTokenOf(request)
    const subject = newPersonOf(await sessions.find(formerToken))
    if (needsSubject && subject === undefined) {
      throw new Fault('sign_in_required', { why: 'company' })
    }
    operators.forget()
    const operator = await operators.find(operatorId)
    if (operator === undefined) {
      return succeed(200, 'Not enrolled', { is_enrolled: false, operator_id: operatorId })
    }
    if (!isTheirs({ subject }, operator, needsSubject)) {
      log.warn({ operatorId }, 'sign-in refused: the key is enrolled for another person')
      throw new Fault('sign_in_required', { why: 'person' })
    }
    const token = await sessions.open({ subject, operatorId }, placeOf(formerToken))
    log.info({ operatorId, name: operator.name }, 'operator signed in')
    const data = { is_enrolled: true, operator_id: operatorId }
    return succeed(200, 'Signed in', data, { 'Set-Cookie': sessionCookie(token) })
  }
}
