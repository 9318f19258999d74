import { wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { noteRegistration, postponeRegistration } from './store/pay-bill-addresses'
import { readAddresses } from './begin-pay-bill-registration'

/** Records the provider's answer to a registration. */
export function recordPayBillRegistration(deps: Ledger): Operation<'recordPayBillRegistration'> {
  return async ({ addresses: given, registration }) => {
    const addresses = readAddresses(given)
    const answer = wordOf('PAY_BILL_REGISTRATION', registration)
    if (answer === undefined) throw new Fault('invalid_request', { field: 'registration' })
    if (answer === 'unanswered') await postponeRegistration(deps.db, addresses)
    else await noteRegistration(deps.db, addresses, answer)
    return {}
  }
}
