import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import { actOf } from '@malipo/runtime/operator-calls'
import { operatorIdOf } from '@malipo/runtime/operator-signature'
import type { Ledger, Operation } from '../operation'
import { readOperatorName, readOperatorSubject } from './rules/operator'
import { enrollOperator as enroll } from './store/enrollments'

/** Enrols one of the first two operators, who sign for themselves; or, signed by an operator, asks to enrol another. */
export function enrollOperator(deps: Ledger): Operation<'enrollOperator'> {
  return async (request) => {
    const { publicKey } = request
    const name = readOperatorName(request.name)
    if (name === undefined) throw new Fault('invalid_request', { field: 'name' })
    const subject = readOperatorSubject(request.subject ?? name)
    if (subject === undefined) throw new Fault('invalid_request', { field: 'subject' })
    if (publicKey.length !== 32) throw new Fault('invalid_request', { field: 'public_key' })
    const operatorId = operatorIdOf(publicKey)
    const act = actOf(request)
    if (act.operatorId === operatorId) await deps.acts.acceptOwn(act, publicKey)
    else await deps.acts.accept(act, deps.country.country)
    const outcome = await enroll(deps.pool, {
      operatorId,
      name,
      subject,
      publicKey,
      by: act.operatorId,
    })
    deps.log.warn({ operatorId, name, subject, by: act.operatorId, outcome }, 'enrollment')
    return { outcome: wireOf('ENROLLMENT_OUTCOME', outcome), operatorId }
  }
}
