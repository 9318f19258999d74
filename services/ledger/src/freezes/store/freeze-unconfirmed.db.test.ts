import { Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { systemClock } from '@malipo/runtime/clock'
import { transferSql } from '@malipo/testing/transfer-sql'
import { ledgerOfFile } from '../../ledger.harness'
import { meanwhile } from '../../locks.harness'
import { uniqueReceipt } from '../../payments.harness'
import { operators } from '../../operators/operators.harness'
import { payBill, payBillNumberKey } from '../../pay-bill/pay-bill.harness'
import { past } from '../../time.harness'
import { openAuditDatabase } from '../../database/database'
import { freezeUnconfirmed } from './freeze-unconfirmed'
import { shownStatements } from '../../statements/store/store-shown-rows'

const at = ledgerOfFile({ payBillNumberKey, reconcileEverySeconds: 3_600 })

const minutesFromNow = (minutes: number) => new Date(systemClock.now() + minutes * 60_000)

/** KES 500.00 that a confirmation reported 40 minutes ago, and the statement, read until now, does not show. */
async function unconfirmed() {
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId })
  const accountNumber = await payBill(at.ledger).number(checkoutId)
  const receipt = uniqueReceipt()
  await payBill(at.ledger).paid({ accountNumber, receipt, amountMinor: 50_000n })
  await past(at.database, async (query) => {
    const ago = "- interval '40 minutes'"
    await query(
      `UPDATE provider_messages SET applied_at = applied_at ${ago} WHERE receipt = '${receipt}'`,
    )
    await query(
      `UPDATE transfers SET event_at = event_at ${ago} WHERE event_key = 'receipt:mpesa:${receipt}'`,
    )
  })
  const [from, until] = [minutesFromNow(-48 * 60), minutesFromNow(0)]
  await at.ledger.recordStatementRead({ rail: Rail.MPESA, from, until })
  return { accountId, receipt, subject: `mpesa:${receipt}` }
}

/** The receipts that are frozen, while another transaction writes. */
async function frozenWhile(sql: string, values: unknown[]): Promise<string[]> {
  const db = openAuditDatabase(at.database.url)
  const frozen = await meanwhile(at, [sql, values], () =>
    freezeUnconfirmed({ db, pool: at.database.pool }, 1_800),
  )
  await db.$disconnect()
  return frozen
}

describe('freezing an unconfirmed payment waits for another transaction', () => {
  test('that stores a statement row for it, and then leaves the money in the wallet', async () => {
    const { accountId, receipt, subject } = await unconfirmed()
    const kept = [[receipt], ['50000'], [minutesFromNow(-40)]]
    expect(await frozenWhile(shownStatements.keep.text, kept)).toEqual([])
    expect(await operators(at).holder(subject)).toBe(`wallet:${accountId}`)
  })

  test('that locks its receipt and refunds the money, and then freezes nothing', async () => {
    const { accountId, subject } = await unconfirmed()
    const back = transferSql(`refunded:${subject}`, `wallet:${accountId}`, 'float:mpesa', 50_000)
    const held = `, (SELECT pg_advisory_xact_lock(hashtextextended('receipt:' || $1, 0))) held`
    expect(await frozenWhile(`${back} ${held}`, [subject])).toEqual([])
    expect(await operators(at).balance(`wallet:${accountId}`)).toBe('0')
    // The audit would find a transfer without a refund, so the test deletes the transfer. The payment is unconfirmed
    // again then, so the test also makes it too new for the next freezing.
    await past(at.database, async (query) => {
      await query('DELETE FROM transfers WHERE event_key = $1', [`refunded:${subject}`])
      await query(`UPDATE provider_messages SET applied_at = now() WHERE receipt = $1`, [
        subject.slice('mpesa:'.length),
      ])
    })
  })

  test('that spends from its wallet, after which freezing takes what is left, and the owner owes the rest', async () => {
    const { accountId, subject } = await unconfirmed()
    const wallet = `wallet:${accountId}`
    const spent = transferSql(`spent:${accountId}`, wallet, 'suspense:unmatched', 30_000)
    const held = ', (SELECT FROM wallets WHERE account_id = $1 FOR NO KEY UPDATE) held'
    expect(await frozenWhile(`${spent} ${held}`, [accountId])).toEqual([subject])
    expect(await operators(at).balance(wallet)).toBe('0')
    expect(await operators(at).balance(`receivable:${accountId}`)).toBe('-30000')
    await at.database.pool.query(
      transferSql(`unspent:${accountId}`, 'suspense:unmatched', wallet, 30_000),
    )
  })
})
