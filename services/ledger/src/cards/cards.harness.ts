import {
  type ApplyEvidenceRequest,
  type ApplyEvidenceResponse,
  FailureCause,
  ProviderMessageKind,
  Rail,
  type StartCardIntentRequest,
  type StartCardIntentResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { TestLedger } from '../ledger.harness'
import { confirmed, declined, fingerprint, present, unique } from '../payments.harness'

export type WireFact = ApplyEvidenceRequest['fact']

/** An attempt by card whose page is open. */
export interface CardAttempt {
  readonly intentId: string
  readonly checkoutId: string
  readonly accountId: string
  /** KES 500.00 and its fee of 3.5 percent, in whole shillings. */
  readonly totalMinor: bigint
}

/** The steps of a payment by card, each asked of the ledger as the other services ask for it. */
export function cards({ ledger, pay }: Pick<TestLedger, 'ledger' | 'pay'>) {
  return {
    async checkout(amountMinor = 50_000n) {
      const accountId = await pay.merchant(true)
      return { accountId, ...(await pay.checkout({ accountId, amountMinor })) }
    },

    start(
      checkoutId: string,
      changes: Partial<StartCardIntentRequest> = {},
    ): Promise<StartCardIntentResponse> {
      const request = { checkoutId, idempotencyKey: unique('key-'), fingerprint, ...changes }
      return ledger.startCardIntent(request)
    },

    async open(): Promise<CardAttempt> {
      const { checkoutId, accountId } = await this.checkout()
      const { intent } = await this.start(checkoutId)
      const { intentId } = present(intent)
      await ledger.beginSubmit({ intentId })
      await this.opened(intentId)
      return { intentId, checkoutId, accountId, totalMinor: 51_800n }
    },

    async opened(intentId: string): Promise<void> {
      const cardSession = { sessionId: unique('SESSION'), successIndicator: unique('') }
      const outcome = {
        $case: 'accepted',
        value: { providerRequestId: intentId, cardSession },
      } as const
      await ledger.recordSubmit({ intentId, outcome })
    },

    /** Applies a notification that the card gateway posts with its secret. */
    async hinted(intentId: string, fact: WireFact): Promise<ApplyEvidenceResponse> {
      return this.received(intentId, ProviderMessageKind.CALLBACK, fact)
    },

    /** Applies the report of a browser that opens the return address of the card page. Any browser can open it. */
    async returned(intentId: string, fact?: WireFact): Promise<ApplyEvidenceResponse> {
      return this.received(intentId, ProviderMessageKind.CALLBACK, fact ?? this.left, false)
    },

    /** Applies the card gateway's answer to a query about the order. */
    async fetched(intentId: string, fact: WireFact): Promise<ApplyEvidenceResponse> {
      return this.received(intentId, ProviderMessageKind.QUERY_ANSWER, fact)
    },

    async received(
      intentId: string,
      kind: ProviderMessageKind,
      fact: WireFact,
      sourceKnown = true,
    ) {
      const { messageId } = await ledger.storeProviderMessage({
        rail: Rail.CARD,
        kind,
        subject: { $case: 'intentId', value: intentId },
        body: Buffer.from(unique('')),
        sourceAddress: '',
        sourceKnown,
      })
      return ledger.applyEvidence({ messageId, fact })
    },

    paid: ({ intentId, totalMinor }: CardAttempt, amountMinor = totalMinor): WireFact =>
      confirmed({ receipt: `${intentId}-1`, amountMinor, providerRequestId: intentId }),

    declined: (intentId: string, code = 'DECLINED'): WireFact => ({
      $case: 'declined',
      value: {
        ...{ cause: FailureCause.CARD_DECLINED, providerCode: code },
        providerRequestId: intentId,
      },
    }),

    /** The payer left the card page without having paid. */
    left: declined(undefined, 'RETURNED_UNPAID'),
  }
}
