import { type LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import { actOf } from '@malipo/runtime/operator-calls'
import { operatorIdOf } from '@malipo/runtime/operator-signature'
import { readOperatorName, readOperatorSubject } from './rules/operator'
import type { SharedDatabase } from '../database/database'
import { enrollOperator as enroll } from './store/enrollments'
import type { Acts } from './signed'

export interface EnrollOperatorDeps extends Pick<SharedDatabase, 'pool'> {
  readonly country: Country
  readonly acts: Acts
  readonly log: Log
}

/** Enrols one of the first two operators, who sign for themselves; or asks to enrol another, signed by one of them. */
export function enrollOperator(
  deps: EnrollOperatorDeps,
): Operations<LedgerServiceServer>['enrollOperator'] {
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
    else await deps.acts.accept(act, deps.country)
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
