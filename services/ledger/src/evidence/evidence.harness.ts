import {
  type ApplyEvidenceResponse,
  type CheckoutStatus,
  ProviderMessageKind,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { notableEvents } from '@malipo/runtime/metrics'
import type { TestLedger } from '../ledger.harness'
import type { confirmed, Pending } from '../payments.harness'

/** An attempt in flight, with its checkout and the account of the merchant. */
export interface Attempted extends Pending {
  readonly checkoutId: string
  readonly accountId: string
}

/** Ways to apply evidence, and to read what it wrote. */
export function evidence({
  database,
  ledger,
  pay,
}: Pick<TestLedger, 'database' | 'ledger' | 'pay'>) {
  return {
    /** An attempt for a new merchant. */
    async pending(): Promise<Attempted> {
      const accountId = await pay.merchant()
      const { checkoutId } = await pay.checkout({ accountId })
      return { ...(await pay.pending(checkoutId)), checkoutId, accountId }
    },

    /** An answer to our own query, or a row of the statement that we fetched. */
    async fetched(
      attempt: Pending,
      fact: ReturnType<typeof confirmed>,
      kind: ProviderMessageKind = ProviderMessageKind.QUERY_ANSWER,
    ): Promise<ApplyEvidenceResponse> {
      const messageId = await pay.fetched(attempt.intentId, kind)
      return ledger.applyEvidence({ messageId, fact })
    },

    /** The transfers that credit an account. */
    async transfers(accountId: string): Promise<unknown[]> {
      const { rows } = await database.pool.query(
        'SELECT debit, credit, minor FROM transfers WHERE credit = $1 ORDER BY created_at',
        [accountId],
      )
      return rows
    },

    async suspended(checkoutId: string): Promise<unknown[]> {
      const { rows } = await database.pool.query(
        `SELECT reason, minor, credit FROM suspense_items JOIN transfers USING (event_key, leg, minor)
         WHERE intent_id IN (SELECT id FROM intents WHERE checkout_id = $1) ORDER BY opened_at`,
        [checkoutId],
      )
      return rows
    },

    async checkoutStatus(checkoutId: string): Promise<CheckoutStatus | undefined> {
      return (await ledger.readCheckout({ checkoutId })).checkout?.status
    },

    /** The value of the outcome counter of this name. */
    async counted(name: string): Promise<number> {
      const { values } = await notableEvents.get()
      return values.find(({ labels }) => labels.name === name)?.value ?? 0
    },
  }
}
