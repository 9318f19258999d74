import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import { type CountryRules, isWithinLimits } from '@malipo/kernel/countries'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { payBillVerdict, isSlip, readAccountNumber } from './rules/pay-bill'
import { findPayBillTarget } from './store/pay-bill'
import type { PayBillSignature } from './store/pay-bill-numbers'

export interface CheckPayBillDeps {
  readonly db: Database
  readonly country: CountryRules
  /** Absent where there is no Pay Bill menu. */
  readonly signature: PayBillSignature | undefined
  readonly wholeMajorsOnly: boolean
}

/** Says whether a Pay Bill payment should be taken, while the payer still has the money. */
export function checkPayBill(
  deps: CheckPayBillDeps,
): Operations<LedgerServiceServer>['checkPayBill'] {
  return async ({ receipt, amountMinor, accountNumber, payee }) => {
    const account = readAccountNumber(accountNumber)
    const target = isSlip(account)
      ? undefined
      : await findPayBillTarget(deps.db, account, {
          payeeAccountId: payee?.accountId,
          wholeMajorsOnly: deps.wholeMajorsOnly,
        })
    const isPayable = isWithinLimits(deps.country, amountMinor)
    const verdict = payBillVerdict(target, { amountMinor, isWithinLimits: isPayable })
    const thirdPartyId = deps.signature?.sign({ receipt, amountMinor, account }) ?? ''
    return { verdict: wireOf('PAY_BILL_VERDICT', verdict), thirdPartyId }
  }
}
