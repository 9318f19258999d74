import type { PayBillPaid } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { type CountryRules, isWithinLimits } from '@malipo/kernel/countries'
import { readAccountNumber } from '../domain/pay-bill-number'
import type { PaidFact } from '../store/pay-bill'
import type { PayBillSeal } from '../store/pay-bill-numbers'

export interface PayBillTrust {
  readonly country: CountryRules
  readonly seal: PayBillSeal | undefined
  /** M-Pesa asks before it takes the money, so what does not bring our answer back was not asked about. */
  readonly isValidated: boolean
  /** A checkout asks its payer for whole shillings. */
  readonly wholeMajorsOnly: boolean
}

export function readPayBillPaid(said: PayBillPaid, trust: PayBillTrust): PaidFact {
  const { receipt, amountMinor, paidAt, payee, payeeUnknown, phone } = said
  const account = readAccountNumber(said.accountNumber)
  const payment = { receipt, amountMinor, account }
  return {
    kind: 'receipt',
    ...payment,
    payee,
    isPayeeUnknown: payeeUnknown,
    paidAt,
    phone,
    isWithinLimits: isWithinLimits(trust.country, amountMinor),
    isSealed: isSealed(payment, said, trust),
    wholeMajorsOnly: trust.wholeMajorsOnly,
  }
}

/** A wrong seal is never right; a missing one is, where nobody was asked for one. */
function isSealed(
  payment: { readonly receipt: string; readonly amountMinor: bigint; readonly account: string },
  { thirdPartyId }: PayBillPaid,
  { seal, isValidated }: PayBillTrust,
): boolean {
  if (thirdPartyId === undefined) return !isValidated
  return seal?.matches(payment, thirdPartyId) ?? false
}
