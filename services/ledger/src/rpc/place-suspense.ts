import { type LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { Database } from '../store/database'
import type { NewIds } from '../store/new-ids'
import { placeSuspense as place } from '../store/suspense'
import { readAct, readSubject } from './read-request'

export interface PlaceSuspenseDeps {
  readonly db: Database
  readonly newIds: NewIds
  readonly log: Log
}

/** Gives what is held under a receipt to its owner. */
export function placeSuspense(
  deps: PlaceSuspenseDeps,
): Operations<LedgerServiceServer>['placeSuspense'] {
  return async (request) => {
    const { owner } = request
    if (owner === undefined) throw new Fault('invalid_request', { field: 'owner' })
    const act = readAct(request)
    const { outcome, intentId } = await place(deps.db, {
      subject: readSubject(request.subject),
      checkoutId: owner.$case === 'checkoutId' ? owner.value : undefined,
      accountId: owner.$case === 'accountId' ? owner.value : undefined,
      ...act,
      newIntentId: deps.newIds.intent(),
    })
    deps.log.warn({ subject: request.subject, operator: act.operator, outcome }, 'suspense')
    return { outcome: wireOf('PLACE_OUTCOME', outcome), intentId: intentId ?? undefined }
  }
}
