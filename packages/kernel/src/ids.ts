/** The public formats of ids (interface, Resources). Branded types keep the kinds of ids apart. */
export type CheckoutId = string & { readonly brand: 'CheckoutId' }
export type IntentId = string & { readonly brand: 'IntentId' }

const checkoutIdShape = /^cs_(?:ke|ug)_[0-9a-f]{24}$/
const intentIdShape = /^pi_[0-9a-f]{24}$/

export function isCheckoutId(text: string): text is CheckoutId {
  return checkoutIdShape.test(text)
}

export function isIntentId(text: string): text is IntentId {
  return intentIdShape.test(text)
}

/** A username or a payment link (interface, Resolve a handle or link). */
export function isHandle(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text)
}

/** `254708374149` -> `***149`: the format of a phone number outside the database. */
export function maskPhone(phone: string): string {
  return `***${phone.slice(-3)}`
}
