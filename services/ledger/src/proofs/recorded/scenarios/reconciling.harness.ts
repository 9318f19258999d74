import { ProviderMessageKind, Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { systemClock } from '@malipo/runtime/clock'
import { eventually } from '@malipo/testing/eventually'
import { uniqueReceipt } from '../../../payments.harness'
import { past } from '../../../time.harness'
import { note, operators } from '../../../operators/operators.harness'
import { payBill, payBillNumberKey } from '../../../pay-bill/pay-bill.harness'
import type { Recording, Scenario } from '../recording.harness'

/** The statement, the day's comparison, and the freezing of what the statement does not show. */
export const reconciling: Scenario = {
  name: 'reconciling',
  config: { payBillNumberKey, payBillUnconfirmedMaxMinor: 50_000n, reconcileEverySeconds: 0.1 },
  async play(at) {
    await comparing(at)
    await freezing(at)
    const { findings } = await at.quiet.audit({})
    at.note(
      'what the audit finds',
      findings.filter(({ rows }) => rows !== 0),
    )
    await at.ledger.audit({ sinceSeconds: 0.001 }).catch(() => undefined)
  },
}

async function comparing(at: Recording): Promise<void> {
  const { ledger, database, refused } = at
  for (const day of ['yesterday', '2026-13-01']) await refused(ledger.reconcileDay({ day }))
  const [from, until] = [
    new Date('2026-11-09T20:00:00+03:00'),
    new Date('2026-11-10T11:00:00+03:00'),
  ]
  await refused(ledger.recordStatementRead({ rail: Rail.UNSPECIFIED, from, until }))
  await refused(ledger.recordStatementRead({ rail: Rail.MPESA, from: until, until: from }))
  await refused(ledger.recordStatementRead({ rail: Rail.MPESA, from, until: undefined }))
  await past(database, async (query) => {
    await query(`UPDATE deployment SET created_at = '2026-11-01'`)
  })
  const paidAt = new Date('2026-11-10T12:00:00+03:00')
  const reportsPaid = (kind: ProviderMessageKind, amountMinor: bigint) =>
    payBill(ledger).paid({
      ...{ accountNumber: 'rent', amountMinor, paidAt },
      kind: kind as 'PROVIDER_MESSAGE_KIND_CALLBACK',
    })
  const day = '2026-11-10'
  await ledger.recordStatementRead({ rail: Rail.MPESA, from, until })
  await reportsPaid(ProviderMessageKind.CALLBACK, 50_000n)
  await ledger.reconcileDay({ day })
  const end = new Date('2026-11-11T00:30:00+03:00')
  await ledger.recordStatementRead({ rail: Rail.MPESA, from, until: end })
  await reportsPaid(ProviderMessageKind.STATEMENT_ROW, 70_000n)
  await ledger.reconcileDay({ day })
  await ledger.reconcileDay({ day: '2026-11-09' })
}

async function freezing(at: Recording): Promise<void> {
  const { ledger, quiet, pay, database } = at
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  const accountNumber = await payBill(quiet).number(checkoutId)
  const receipt = uniqueReceipt()
  await payBill(ledger).paid({ accountNumber, receipt, amountMinor: 50_000n })
  await past(database, async (query) => {
    const earlier = "- interval '40 minutes'"
    await query(
      `UPDATE provider_messages SET applied_at = applied_at ${earlier} WHERE receipt = $1`,
      [receipt],
    )
    await query(`UPDATE transfers SET event_at = event_at ${earlier} WHERE event_key = $1`, [
      `receipt:mpesa:${receipt}`,
    ])
  })
  const minutes = (ago: number) => new Date(systemClock.now() - ago * 60_000)
  for (const [from, until] of [
    [50 * 60, 60],
    [90, 0],
  ] as const) {
    await ledger.recordStatementRead({
      rail: Rail.MPESA,
      from: minutes(from),
      until: minutes(until),
    })
  }
  const subject = `mpesa:${receipt}`
  await eventually('it is frozen', async () => {
    const { holder } = await quiet.readReceipt({ subject })
    return holder === 'suspense:unconfirmed'
  })
  await ledger.readReceipt({ subject })
  await ledger.listSuspense({ limit: 10 })
  await ledger.retrieveCheckout({ accountId, checkoutId })
  const by = operators(at)
  await by.enroll()
  const owner = { $case: 'accountId', value: accountId } as const
  await by.amina.askPlacement({ subject, owner, note })
  const kind = ProviderMessageKind.STATEMENT_ROW
  await payBill(ledger).paid({ accountNumber, receipt, amountMinor: 50_000n, kind })
  await ledger.readReceipt({ subject })
}
