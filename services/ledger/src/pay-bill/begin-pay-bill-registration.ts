import type { PayBillAddresses as WireAddresses } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { beginRegistration, type PayBillAddresses } from './store/pay-bill-addresses'

/** Decides whether to register the addresses of Pay Bill callbacks with the provider now. */
export function beginPayBillRegistration(deps: Ledger): Operation<'beginPayBillRegistration'> {
  return async ({ addresses }) => {
    const begun = await beginRegistration(deps.db, readAddresses(addresses))
    return begun === 'due' ? { due: true } : { due: false, ...begun }
  }
}

const digestBytes = 32

export function readAddresses(addresses: WireAddresses | undefined): PayBillAddresses {
  if (addresses === undefined || !/^\d{5,7}$/.test(addresses.shortCode)) {
    throw new Fault('invalid_request', { field: 'short_code' })
  }
  if (addresses.digest.length !== digestBytes) {
    throw new Fault('invalid_request', { field: 'digest' })
  }
  return addresses
}
