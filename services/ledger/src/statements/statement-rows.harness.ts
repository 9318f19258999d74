import type {
  PayBillPaid,
  TakenStatementRow,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { digestStatementRow } from '@malipo/contracts/statement-row'
import type { TestLedger } from '../ledger.harness'
import { uniqueReceipt } from '../payments.harness'
import { type PaidFromMenu, payBill } from '../pay-bill/pay-bill.harness'

/** M-Pesa's statement, as a worker gives it to the ledger. */
export function statementRows(at: TestLedger) {
  const menu = payBill(at.ledger)
  return {
    menu,

    /** A payment from the menu to a checkout of KES 500.00. */
    async payment() {
      const accountId = await at.pay.merchant()
      const { checkoutId } = await at.pay.checkout({ accountId })
      const accountNumber = await menu.number(checkoutId)
      const payment = { accountNumber, amountMinor: 50_000n, receipt: uniqueReceipt() }
      return { accountId, checkoutId, payment }
    },

    /** Stores and applies statement rows of these payments in one call. */
    async shown(
      payment: readonly PaidFromMenu[],
      by: Pick<TestLedger, 'ledger'> = at,
    ): Promise<TakenStatementRow[]> {
      const rows = payment.map((one) => ({ body: bodyOf(one), paid: paidOf(one) }))
      return (await by.ledger.takeStatementRows({ rows })).rows
    },

    /** Stores rows that their reader could not parse, in one call. */
    async shownUnread(payment: readonly PaidFromMenu[]): Promise<TakenStatementRow[]> {
      const rows = payment.map((one) => ({ body: bodyOf(one), paid: undefined }))
      return (await at.ledger.takeStatementRows({ rows })).rows
    },

    async areApplied(payment: readonly PaidFromMenu[]): Promise<boolean[]> {
      const digests = payment.map((one) => digestStatementRow(bodyOf(one)))
      return (await at.ledger.findStatementRows({ digests })).applied
    },

    /** The stored messages of these rows, in their order. */
    async inbox(payment: readonly PaidFromMenu[]): Promise<unknown[]> {
      const { rows } = await at.database.pool.query(
        `SELECT kind, deliveries, result, next_action_at IS NOT NULL AS "isDue"
        FROM unnest($1::bytea[]) WITH ORDINALITY given (body, place)
        JOIN provider_messages m ON m.body = given.body ORDER BY place`,
        [payment.map(bodyOf)],
      )
      return rows
    },
  }
}

export function bodyOf({ receipt, amountMinor, accountNumber }: PaidFromMenu): Buffer {
  return Buffer.from(JSON.stringify([receipt, String(amountMinor), accountNumber]))
}

export function paidOf(payment: PaidFromMenu): PayBillPaid {
  const { receipt = uniqueReceipt(), accountNumber, amountMinor: minor, payee } = payment
  const { phone, paidAt } = payment
  return {
    receipt,
    accountNumber,
    amountMinor: minor,
    payeeUnknown: false,
    ...(payee && { payee }),
    ...(phone !== undefined && { phone }),
    ...(paidAt && { paidAt }),
  }
}
