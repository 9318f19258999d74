import { randomBytes } from 'node:crypto'
import { FailureCause, IntentStatus, Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import type { SignedInBrowser } from './start.harness'
import type { Upstreams } from './upstreams.harness'

const fingerprint = Buffer.alloc(32, 7)

/** Checkouts of a signed-in owner, and what payers do about them, as the other services report it to the ledger. */
export function ledgerPayments({ ledger, rows }: Upstreams, { accountId }: SignedInBrowser) {
  return {
    async make(reference: string, description?: string): Promise<string> {
      const order = { accountId, fingerprint, amountMinor: 150_050n, reference, description }
      return (await ledger.createCheckout(order)).checkout?.checkoutId ?? ''
    },

    async pay(checkoutId: string): Promise<void> {
      const idempotencyKey = randomBytes(8).toString('hex')
      const phone = '254708374149'
      const rail = Rail.MPESA
      const request = { checkoutId, idempotencyKey, fingerprint, rail, phone }
      const { intent } = await ledger.startIntent(request)
      const intentId = intent?.intentId ?? ''
      const { prompt } = await ledger.beginSubmit({ intentId })
      const { messageId } = await ledger.storeProviderMessage({
        rail,
        kind: 'PROVIDER_MESSAGE_KIND_CALLBACK',
        subject: { $case: 'callbackToken', value: prompt?.callbackToken ?? '' },
        body: Buffer.from('{}'),
        sourceAddress: '196.201.214.200',
        sourceKnown: true,
      })
      const value = { receipt: `R${idempotencyKey.toUpperCase()}`, amountMinor: 150_050n }
      await ledger.applyEvidence({ messageId, fact: { $case: 'confirmed', value } })
    },

    /** A prompt of a quarter of an hour before, which the provider never answered. */
    async leaveUnanswered(checkoutId: string): Promise<void> {
      const idempotencyKey = randomBytes(8).toString('hex')
      const input = { checkoutId, idempotencyKey, fingerprint, rail: Rail.MPESA }
      const { intent } = await ledger.startIntent({ ...input, phone: '254708374188' })
      const intentId = intent?.intentId ?? ''
      await ledger.beginSubmit({ intentId })
      await rows(
        'ledger',
        `BEGIN; SET LOCAL session_replication_role = replica;
         UPDATE intents SET created_at = created_at - interval '15 min', submitted_at = submitted_at - interval '15 min',
           deadline_at = deadline_at - interval '15 min', next_action_at = now() WHERE id = '${intentId}';
         COMMIT`,
      )
      await eventually('the attempt expires', async () => {
        const { intent: now } = await ledger.readIntent({ intentId })
        return now?.status === IntentStatus.EXPIRED
      })
    },

    /** A prompt that fails because the payer enters a wrong PIN. */
    async fail(checkoutId: string): Promise<void> {
      const idempotencyKey = randomBytes(8).toString('hex')
      const rail = Rail.MPESA
      const input = { checkoutId, idempotencyKey, fingerprint, rail, phone: '254708374177' }
      const { intent } = await ledger.startIntent(input)
      const intentId = intent?.intentId ?? ''
      await ledger.beginSubmit({ intentId })
      const value = { cause: FailureCause.WRONG_PIN, providerCode: '2001' }
      await ledger.recordSubmit({ intentId, outcome: { $case: 'refused', value } })
    },
  }
}
