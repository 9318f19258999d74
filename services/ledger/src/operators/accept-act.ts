import { type LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Acts } from './signed'

/** Verifies and keeps an act of the auth service, which knows no operators. */
export function acceptAct(deps: {
  readonly acts: Acts
}): Operations<LedgerServiceServer>['acceptAct'] {
  return async (request) => deps.acts.accept(request, 'auth')
}
