import type {
  AppliedStatementRow,
  PayBillPaid,
  StoredStatementRow,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { TestLedger } from '../ledger.harness'
import { present, uniqueReceipt } from '../payments.harness'
import { type PaidFromMenu, payBill } from './pay-bill.harness'

/** M-Pesa's statement, as a worker gives it to the ledger. */
export function statementRows(at: TestLedger) {
  const menu = payBill(at.ledger)

  const stored = async (said: readonly PaidFromMenu[]): Promise<StoredStatementRow[]> => {
    const bodies = said.map(({ receipt, amountMinor, accountNumber }) =>
      Buffer.from(JSON.stringify([receipt, String(amountMinor), accountNumber])),
    )
    return (await at.ledger.storeStatementRows({ bodies })).rows
  }

  return {
    menu,
    /** What the statement shows of payments, stored. */
    stored,

    /** A payment from the menu to a checkout of KES 500.00. */
    async payment() {
      const accountId = await at.pay.merchant()
      const { checkoutId } = await at.pay.checkout({ accountId })
      const accountNumber = await menu.number(checkoutId)
      const said = { accountNumber, amountMinor: 50_000n, receipt: uniqueReceipt() }
      return { accountId, checkoutId, said }
    },

    /** What the statement shows of payments, stored and applied together. */
    async shown(
      said: readonly PaidFromMenu[],
      by: Pick<TestLedger, 'ledger'> = at,
    ): Promise<AppliedStatementRow[]> {
      const rows = (await stored(said)).map(({ messageId }, place) => ({
        messageId,
        paid: paidOf(present(said[place])),
      }))
      return (await by.ledger.applyStatementRows({ rows })).rows
    },
  }
}

export function paidOf(said: PaidFromMenu): PayBillPaid {
  const { receipt = uniqueReceipt(), accountNumber, amountMinor: minor, payee } = said
  return {
    receipt,
    accountNumber,
    amountMinor: minor,
    payeeUnknown: false,
    ...(payee && { payee }),
  }
}
