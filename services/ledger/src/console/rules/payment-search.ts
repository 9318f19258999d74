import { isCheckoutId, isIntentId } from '@malipo/kernel/ids'

/** What an operator typed into the search, by its form. */
export type PaymentSearch =
  | { readonly by: 'checkout' | 'intent'; readonly text: string }
  | { readonly by: 'receipt'; readonly provider: string; readonly text: string }
  /** A receipt, a reference, or where it can be one also the end of a phone: MTN's receipts are digits too. */
  | { readonly by: 'word'; readonly text: string; readonly phoneTail: string | undefined }

/** The last digits of a phone: three or more, as a masked phone shows them, up to all of it. */
const phoneTail = /^\+?(?:\d[ -]?){2,14}\d$/

/** A receipt with its provider, as `mpesa:QK…`. */
const ofProvider = /^(mpesa|mtn_momo|airtel_money|card):(.*)$/

/** Undefined where there is too little or too much to look for, or a control character: a database takes no NUL. */
export function readPaymentSearch(given: string): PaymentSearch | undefined {
  const [, provider, receipt] = ofProvider.exec(given.trim()) ?? []
  const text = (receipt ?? given).trim()
  if (text.length < 3 || text.length > 64 || /\p{Cc}/u.test(text)) return undefined
  if (provider !== undefined) return { by: 'receipt', provider, text }
  if (isCheckoutId(text)) return { by: 'checkout', text }
  if (isIntentId(text)) return { by: 'intent', text }
  const isPhone = phoneTail.test(text)
  const tail = isPhone ? text.replace(/\D/g, '').replace(/^0/, '') : undefined
  return { by: 'word', text, phoneTail: tail }
}
