import { wireOf } from '@malipo/contracts/wire-words'
import { isWithinLimits } from '@malipo/kernel/countries'
import type { Ledger, Operation } from '../operation'
import { payBillVerdict, isSlip, readAccountNumber } from './rules/pay-bill'
import { findPayBillTarget } from './store/pay-bill'

/** Says whether a Pay Bill payment should be taken, while the payer still has the money. */
export function checkPayBill(deps: Ledger): Operation<'checkPayBill'> {
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
    const thirdPartyId = deps.payBill.signature?.sign({ receipt, amountMinor, account }) ?? ''
    return { verdict: wireOf('PAY_BILL_VERDICT', verdict), thirdPartyId }
  }
}
