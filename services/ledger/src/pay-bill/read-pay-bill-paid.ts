import type { PayBillPaid } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { type CountryRules, isWithinLimits } from '@malipo/kernel/countries'
import { readAccountNumber } from './rules/pay-bill'
import type { PaidFact } from './rules/state'
import type { PayBillSignature } from './store/pay-bill-numbers'

export interface PayBillTrust {
  readonly country: CountryRules
  readonly signature: PayBillSignature | undefined
  /** A confirmation without our validation answer waits for the statement if its amount is above this. */
  readonly unsignedMaxMinor: bigint
  /**
   * A confirmation with our validation answer waits for the statement if its amount is above this and above
   * `unsignedMaxMinor`. The answer alone is no proof, because every caller of the validation gets one.
   */
  readonly callbackMaxMinor: bigint
  /** How long a confirmation that waits keeps its checkout open. */
  readonly holdSeconds: number
  /** True where a checkout asks its payer for whole shillings only. */
  readonly wholeMajorsOnly: boolean
}

export function readPayBillPaid(reported: PayBillPaid, trust: PayBillTrust): PaidFact {
  const { receipt, amountMinor, paidAt, payee, payeeUnknown, phone } = reported
  const account = readAccountNumber(reported.accountNumber)
  const payment = { receipt, amountMinor, account }
  return {
    kind: 'receipt',
    ...payment,
    payee,
    isPayeeUnknown: payeeUnknown,
    paidAt,
    phone,
    isWithinLimits: isWithinLimits(trust.country, amountMinor),
    isSigned: isSigned(payment, reported, trust),
    wholeMajorsOnly: trust.wholeMajorsOnly,
    holdSeconds: trust.holdSeconds,
    unconfirmedMaxMinor: larger(trust.unsignedMaxMinor, trust.callbackMaxMinor),
  }
}

/** A wrong validation answer is never accepted. A missing one is, up to `unsignedMaxMinor`. */
function isSigned(
  payment: { readonly receipt: string; readonly amountMinor: bigint; readonly account: string },
  { thirdPartyId }: PayBillPaid,
  { signature, unsignedMaxMinor }: PayBillTrust,
): boolean {
  if (thirdPartyId === undefined) return payment.amountMinor <= unsignedMaxMinor
  return signature?.matches(payment, thirdPartyId) ?? false
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
