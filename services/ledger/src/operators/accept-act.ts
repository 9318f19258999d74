import type { Ledger, Operation } from '../operation'
import { findOperator } from './store/operators'

/** Verifies and keeps, for the auth service, an act of an operator, and says whether the operator who asked is enrolled. */
export function acceptAct({ acts, db }: Ledger): Operation<'acceptAct'> {
  return async (request) => {
    const operator = await acts.accept(request, 'auth')
    const { askedBy } = request
    if (askedBy === undefined) return operator
    return { ...operator, askerIsEnrolled: (await findOperator(db, askedBy)) !== undefined }
  }
}
