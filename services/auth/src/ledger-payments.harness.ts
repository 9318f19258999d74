import { randomBytes } from 'node:crypto'
import { FailureCause, Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { SignedInBrowser } from './start.harness'
import type { Upstreams } from './upstreams.harness'

const fingerprint = Buffer.alloc(32, 7)

/** Checkouts of a signed-in owner, and what payers do about them, as the other services report it to the ledger. */
export function ledgerPayments({ ledger }: Upstreams, { accountId }: SignedInBrowser) {
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
