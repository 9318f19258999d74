import { randomBytes, randomInt } from 'node:crypto'
import type { MerchantCheckoutView } from '@malipo/interface/merchant-checkout'
import { eventually } from '@malipo/testing/eventually'
import { send } from './send.harness'
import type { Merchant } from './merchants.harness'

export interface Shop {
  /** Creates a checkout through the merchant API. */
  checkout(merchant: Merchant, input: object): Promise<MerchantCheckoutView>
  /** Starts an intent for a checkout through the public API. */
  startPayment(checkoutId: string, phone?: string): Promise<{ intentId: string }>
}

export function openShop(url: string): Shop {
  return {
    async checkout({ secretKey }, body) {
      const headers = { authorization: `Bearer ${secretKey}` }
      const ask = () => send(`${url}/v1/payments/merchant/checkouts`, { body, headers })
      // A 503 on a busy machine is tried again; any other answer is the result.
      const reply = await eventually('a checkout', async () => {
        const answer = await ask()
        return answer.status !== 503 && answer
      })
      return reply.body.data
    },
    async startPayment(checkoutId, phone = anyPhone()) {
      const headers = { 'idempotency-key': randomBytes(8).toString('hex') }
      const path = `/v1/payments/public/checkouts/${checkoutId}/pay`
      const reply = await send(url + path, { body: { phone }, headers })
      if (reply.status >= 300)
        throw new Error(
          `No payment of ${checkoutId} started: ${String(reply.status)} ${reply.text}`,
        )
      return { intentId: reply.body.data.intent_id }
    },
  }
}

/**
 * A Safaricom number: the page refuses those of other networks. It never ends as a magic number does, because the
 * payers of the docs cancel on 002, and a program that waits for their payment then waits in vain.
 */
export function anyPhone(): string {
  return `25472${String(randomInt(10_000)).padStart(4, '0')}${String(randomInt(100, 1_000))}`
}
