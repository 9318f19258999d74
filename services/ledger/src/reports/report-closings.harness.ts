import {
  type PaymentReport,
  ReportClosingOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { TestLedger } from '../ledger.harness'
import { present, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'
import { note, operators } from '../operators/operators.harness'

/** Reports of payment without their receipt in the journal, and the two operators who close them. */
export function reports(at: TestLedger) {
  const by = operators(at)
  const ask = (subject: string) => by.amina.askReportClosing({ subject, note })
  const decide = async (closingId: string, agreed: boolean, who = by.brian) =>
    (await who.decideReportClosing({ closingId, agreed, note })).outcome
  return {
    by,
    ask,
    decide,

    async requestedClosing(subject: string): Promise<string> {
      return present((await ask(subject)).closingId)
    },

    async close(subject: string): Promise<void> {
      expect(await decide(await this.requestedClosing(subject), true)).toBe(
        ReportClosingOutcome.CLOSED,
      )
    },

    async find(subject: string): Promise<PaymentReport | undefined> {
      const { reports: listed } = await at.ledger.listReports({ limit: 100 })
      return listed.find((one) => one.subject === subject)
    },

    /** A prompt that was reported as paid, from another address than the provider's, eleven minutes ago. */
    async reported() {
      const { checkoutId } = await at.pay.checkout()
      const attempt = await at.pay.pending(checkoutId)
      const receipt = uniqueReceipt()
      await at.pay.paid(attempt, { sourceKnown: false, receipt })
      await letPass(at.database, 660)
      return { ...attempt, checkoutId, receipt, subject: `mpesa:${receipt}` }
    },
  }
}
