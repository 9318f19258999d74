import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { noteRegistration, postponeRegistration } from './store/pay-bill-addresses'
import { readAddresses } from './begin-pay-bill-registration'

/** Records the provider's answer to a registration. */
export function recordPayBillRegistration(deps: {
  readonly db: Database
}): Operations<LedgerServiceServer>['recordPayBillRegistration'] {
  return async ({ addresses: given, registration }) => {
    const addresses = readAddresses(given)
    const answer = wordOf('PAY_BILL_REGISTRATION', registration)
    if (answer === undefined) throw new Fault('invalid_request', { field: 'registration' })
    if (answer === 'unanswered') await postponeRegistration(deps.db, addresses)
    else await noteRegistration(deps.db, addresses, answer)
    return {}
  }
}
