import type { PayerPage } from '@malipo/e2e/payer-page'
import { eventually } from '@malipo/testing/eventually'
import type { RunningHost } from '../start.harness'
import { tabTo } from './browser-journey.harness'

const bank = { contentType: 'text/html', body: '<title>Bank</title><h1>Type your card</h1>' }

/** Plays payer, card gateway and worker for a card intent. */
export function openCardForm(host: RunningHost) {
  const attempts = async (checkoutId: string) =>
    (await host.rows(
      `SELECT id FROM intents WHERE checkout_id = '${checkoutId}' ORDER BY created_at`,
    )) as readonly { readonly id: string }[]
  return {
    attempts,

    /** Presses the card button by keyboard, opens the card page of the `nth` intent as a worker, and returns its id. */
    async leave(payer: PayerPage, checkoutId: string, nth: number): Promise<string> {
      await payer.page.route('https://cards.example/**', (route) => route.fulfill(bank))
      await tabTo(payer, 'button', /by card/)
      await payer.page.keyboard.press('Enter')
      const intentId = await eventually('the attempt begins', async () => {
        return (await attempts(checkoutId))[nth - 1]?.id
      })
      await host.ledger.openCardPage(intentId)
      await payer.sees(/Type your card|Finish on the card page/)
      return intentId
    },

    /** Returns from the card page without a result in the address. */
    comeBack: (payer: PayerPage, checkoutId: string, intentId: string) =>
      payer.open(`${host.url}/c/${checkoutId}/card/${intentId}/return`),

    decline: (intentId: string) => host.ledger.declineOrder(intentId, 'CARD_DECLINED'),

    /** Reports the card as charged for a checkout of KES 500.00 and its fee. */
    async pay(intentId: string): Promise<void> {
      const value = { receipt: `${intentId}-1`, amountMinor: 51_800n }
      await host.ledger.reportOrder(intentId, { $case: 'confirmed', value })
    },
  }
}
