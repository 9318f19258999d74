import { textSchema } from './fields'

/**
 * Where the payer goes after paying: an https address that one parser understands in one way. No user and password,
 * no white space, no backslash. We never fetch it, so it can aim our servers at nothing.
 */
export const returnUrlSchema = textSchema(2048)
  .refine(isPlainHttps, 'must be an https address without user, password, spaces or backslashes')
  .meta({ format: 'uri' })

function isPlainHttps(text: string): boolean {
  // The first part is the host and its port: a URL parser would also find one behind `https:///`.
  return /^https:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?$/i.test(text) && URL.canParse(text)
}

/**
 * The `redirect_url` of a completed checkout: the merchant's address with `checkout`, `reference` (when there is one)
 * and `status` set. Set, not appended: a forged `status` in the address itself does not survive. The rest stays.
 */
export function redirectUrl(
  returnUrl: string,
  checkoutId: string,
  reference: string | undefined,
): string {
  const url = new URL(returnUrl)
  url.searchParams.set('checkout', checkoutId)
  if (reference !== undefined) url.searchParams.set('reference', reference)
  url.searchParams.set('status', 'completed')
  return url.href
}
