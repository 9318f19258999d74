import type { Ledger, Operation } from '../operation'
import { findOperator } from './store/operators'

/** Verifies and keeps an act of the auth service, which knows no operators, and looks up who asked for it. */
export function acceptAct({ acts, db }: Ledger): Operation<'acceptAct'> {
  return async (request) => {
    const operator = await acts.accept(request, 'auth')
    const { askedBy } = request
    if (askedBy === undefined) return operator
    return { ...operator, askerIsEnrolled: (await findOperator(db, askedBy)) !== undefined }
  }
}
