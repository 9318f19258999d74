import {
  type EvidenceResult,
  ReportPostingOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { type Attempted, evidence } from '../evidence/evidence.harness'
import type { TestLedger } from '../ledger.harness'
import { note, operators } from '../operators/operators.harness'
import { payBill } from '../pay-bill/pay-bill.harness'
import { confirmed, present, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'

/** Attempts that were reported as paid, and the two operators who post their money. */
export function postings(at: TestLedger) {
  const by = operators(at)
  const ask = (intentId: string, receipt: string, changes: { amount?: string } = {}) =>
    by.amina.askReportPosting({ intentId, receipt, amount: '500.00', note, ...changes })
  const decide = async (postingId: string, agreed: boolean, who = by.brian) =>
    (await who.decideReportPosting({ postingId, agreed, note })).outcome
  return {
    by,
    ask,
    decide,

    /** An attempt of KES 500.00 that an answer says is paid, without a receipt, eleven minutes ago. */
    async reported(): Promise<Attempted> {
      const attempt = await evidence(at).pending()
      const { providerRequestId } = attempt
      await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
      await letPass(at.database, 660)
      return attempt
    },

    /** Applies a row of the statement with the reference of a prompt, and returns the result. */
    async row(intentId: string, receipt: string, amountMinor = 50_000n): Promise<EvidenceResult> {
      const { rows } = await at.database.pool.query<{ reference: string }>(
        'SELECT attempt_reference AS reference FROM intents WHERE id = $1',
        [intentId],
      )
      const accountNumber = present(rows[0]).reference
      const kind = 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW'
      const row = { accountNumber, receipt, amountMinor, kind } as const
      return (await payBill(at.ledger).paid(row)).result
    },

    async requested(intentId: string, receipt: string): Promise<string> {
      return present((await ask(intentId, receipt)).postingId)
    },

    /** A reported attempt whose money two operators have posted. */
    async posted(): Promise<Attempted & { readonly receipt: string }> {
      const attempt = await this.reported()
      const receipt = uniqueReceipt()
      expect(await decide(await this.requested(attempt.intentId, receipt), true)).toBe(
        ReportPostingOutcome.POSTED,
      )
      return { ...attempt, receipt }
    },
  }
}
