import { isCheckoutId, isIntentId } from '@malipo/kernel/ids'

/** What an operator typed into the search, by its form. */
export type PaymentSearch =
  | { readonly by: 'checkout' | 'intent' | 'word'; readonly text: string }
  | { readonly by: 'phone'; readonly tail: string }

/** The last digits of a phone: three or more, as a masked phone shows them, up to all of it. */
const phoneTail = /^\+?(?:\d[ -]?){2,14}\d$/

/** Undefined where there is too little or too much to look for. A provider before a receipt (`mpesa:QK…`) is left out. */
export function readPaymentSearch(given: string): PaymentSearch | undefined {
  const text = given.trim().replace(/^(?:mpesa|mtn_momo|airtel_money|card):/, '')
  if (text.length < 3 || text.length > 64) return undefined
  if (isCheckoutId(text)) return { by: 'checkout', text }
  if (isIntentId(text)) return { by: 'intent', text }
  if (phoneTail.test(text)) return { by: 'phone', tail: text.replace(/\D/g, '').replace(/^0/, '') }
  return { by: 'word', text }
}
