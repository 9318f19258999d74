import { randomBytes } from 'node:crypto'
import type { WebhookDelivery } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { TestLedger } from '../ledger.harness'
import { present } from '../payments.harness'

/** An endpoint id as the auth service makes one. */
export const newEndpointId = () => `we_${randomBytes(12).toString('hex')}`

/** Accounts with endpoints, and what a worker does with their deliveries. */
export function webhooks({ ledger, pay }: Pick<TestLedger, 'ledger' | 'pay'>) {
  return {
    /** An account with an endpoint that is on. */
    async listener() {
      const accountId = await pay.merchant()
      const endpointId = newEndpointId()
      await ledger.switchWebhookOn({ accountId, endpointId })
      return { accountId, endpointId }
    },

    async deliveries(accountId: string): Promise<WebhookDelivery[]> {
      return (await ledger.readWebhooks({ accountId })).deliveries
    },

    /** The types of the events of an account, newest first, with what they are about. */
    async events(accountId: string): Promise<string[]> {
      const deliveries = await this.deliveries(accountId)
      return deliveries.map(({ type, subjectId }) => `${type} ${subjectId}`)
    },

    /** A test event that waits to be delivered. */
    async waiting(own: { accountId: string; endpointId: string }): Promise<string> {
      await ledger.sendTestEvent(own)
      const [newest] = await this.deliveries(own.accountId)
      return present(newest).deliveryId
    },

    /** The event of a paid checkout that waits to be delivered. */
    async paid(own: { accountId: string }): Promise<string> {
      const { checkoutId } = await pay.checkout({ accountId: own.accountId })
      await pay.paid(await pay.pending(checkoutId))
      const [newest] = await this.deliveries(own.accountId)
      return present(newest).deliveryId
    },

    /** One attempt to deliver, as a worker makes it; returns what it was given. */
    async attempt(deliveryId: string, answerStatus: number, durationMs = 12) {
      const { message } = await ledger.beginDelivery({ deliveryId })
      const outcome = { $case: 'answerStatus', value: answerStatus } as const
      await ledger.recordDelivery({ deliveryId, outcome, durationMs })
      return present(message)
    },
  }
}
