import {
  type ApplyEvidenceResponse,
  type PayBillPaid,
  ProviderMessageKind,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { present, uniqueReceipt } from '../payments.harness'
import type { RunningLedger } from '../start.harness'

export const payBillNumberKey = Buffer.alloc(32, 2)

export interface PaidFromMenu extends Partial<PayBillPaid> {
  readonly accountNumber: string
  readonly amountMinor: bigint
  readonly sourceKnown?: boolean
  /**
   * The message brings no validation answer: M-Pesa did not validate the payment, or an attacker sent the message.
   */
  readonly unsigned?: boolean
  readonly kind?: 'PROVIDER_MESSAGE_KIND_CALLBACK' | 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW'
}

/** Payments from the Pay Bill menu, as the other services report them to the ledger. */
export function payBill(ledger: RunningLedger) {
  return {
    async number(checkoutId: string): Promise<string> {
      const { checkout } = await ledger.readCheckout({ checkoutId })
      return present(present(checkout).payBillAccountNumber)
    },

    async store(body: string, changes: Pick<PaidFromMenu, 'kind' | 'sourceKnown'> = {}) {
      const { kind = ProviderMessageKind.CALLBACK, sourceKnown = true } = changes
      const { messageId } = await ledger.storeProviderMessage({
        rail: Rail.PAYBILL,
        kind,
        subject: undefined,
        body: Buffer.from(body),
        sourceAddress: '196.201.214.200',
        sourceKnown,
      })
      return messageId
    },

    /** Stores a message of this payment, and applies what it says. */
    async paid(payment: PaidFromMenu): Promise<ApplyEvidenceResponse> {
      const { kind, sourceKnown, unsigned = false, receipt = uniqueReceipt(), ...changes } = payment
      const { accountNumber, payee } = changes
      const question = { receipt, amountMinor: changes.amountMinor, accountNumber, payee }
      const isAsked = kind === undefined && !unsigned && changes.thirdPartyId === undefined
      const { thirdPartyId } = isAsked ? await ledger.checkPayBill(question) : {}
      const value: PayBillPaid = {
        receipt,
        phone: '2547 ***** 149',
        paidAt: undefined,
        payeeUnknown: false,
        ...changes,
        thirdPartyId: thirdPartyId ?? changes.thirdPartyId,
      }
      const about = [value.receipt, value.accountNumber, value.thirdPartyId, String(sourceKnown)]
      const messageId = await this.store(about.join(' '), {
        ...(kind && { kind }),
        ...(sourceKnown !== undefined && { sourceKnown }),
      })
      return ledger.applyEvidence({ messageId, fact: { $case: 'payBillPaid', value } })
    },
  }
}
