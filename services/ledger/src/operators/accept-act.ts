import type { Ledger, Operation } from '../operation'

/** Verifies and keeps an act of the auth service, which knows no operators. */
export function acceptAct(deps: Ledger): Operation<'acceptAct'> {
  return async (request) => deps.acts.accept(request, 'auth')
}
