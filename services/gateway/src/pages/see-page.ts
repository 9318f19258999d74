import type { Answer } from '@malipo/runtime/answer'

/** Sends the browser to the payer page, which shows what is the case. */
export function seePage(checkoutId: string): Answer {
  return {
    status: 303,
    headers: { Location: `/c/${checkoutId}`, 'Cache-Control': 'no-store' },
    body: '',
  }
}
