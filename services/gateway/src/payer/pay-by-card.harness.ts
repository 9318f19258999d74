import { randomBytes } from 'node:crypto'
import { eventually } from '@malipo/testing/eventually'
import type { RunningHost } from '../start.harness'

/** Starts a card payment, and opens its page as a worker does: the answer waits for that. Returns the intent. */
export async function payByCard(host: RunningHost, checkoutId: string): Promise<string> {
  const headers = { 'idempotency-key': randomBytes(8).toString('hex') }
  const path = `/v1/payments/public/checkouts/${checkoutId}/card`
  const answer = host.ask(path, { body: {}, headers })
  const intents = `SELECT id FROM intents WHERE checkout_id = '${checkoutId}'`
  const intentId = await eventually('the card payment begins', async () => {
    const [intent] = (await host.rows(intents)) as readonly { readonly id: string }[]
    return intent?.id
  })
  await host.ledger.openCardPage(intentId)
  await answer
  return intentId
}
