import {
  type LedgerServiceServer,
  PlaceOutcome as WireOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { Database } from '../store/database'
import type { NewIds } from '../store/new-ids'
import { placeSuspense as place, type PlaceOutcome } from '../store/suspense'
import { readAct, readSubject } from './read-request'

export interface PlaceSuspenseDeps {
  readonly db: Database
  readonly newIds: NewIds
  readonly log: Log
}

const wireOutcomeOf = {
  placed: WireOutcome.PLACED,
  not_in_suspense: WireOutcome.NOT_IN_SUSPENSE,
  refund_underway: WireOutcome.REFUND_UNDERWAY,
  checkout_not_found: WireOutcome.CHECKOUT_NOT_FOUND,
  wallet_not_open: WireOutcome.WALLET_NOT_OPEN,
  checkout_paid: WireOutcome.CHECKOUT_PAID,
  amount_differs: WireOutcome.AMOUNT_DIFFERS,
  still_unconfirmed: WireOutcome.STILL_UNCONFIRMED,
} as const satisfies Record<PlaceOutcome, WireOutcome>

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
    return { outcome: wireOutcomeOf[outcome], intentId: intentId ?? undefined }
  }
}
