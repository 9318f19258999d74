import { textSchema } from './fields'

/**
 * Where the payer goes after paying: an https address that all parsers understand alike, so without user and password,
 * white space and backslash. We never fetch it, so it cannot make our servers call an address.
 */
export const returnUrlSchema = textSchema(2048)
  .refine(isPlainHttps, 'must be an https address without user, password, spaces or backslashes')
  .meta({ format: 'uri' })

function isPlainHttps(text: string): boolean {
  // The host must follow `https://` at once: a URL parser alone would also accept `https:///host`.
  return /^https:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?$/i.test(text) && URL.canParse(text)
}

/**
 * The `redirect_url` of a completed checkout: the merchant's address with `checkout`, `reference` (when there is one)
 * and `status` at its end. A forged `status` in the address itself does not survive; the rest stays as it was written,
 * since the merchant may have signed it.
 */
export function redirectUrl(
  returnUrl: string,
  checkoutId: string,
  reference: string | undefined,
): string {
  const ours = new URLSearchParams({
    checkout: checkoutId,
    ...(reference !== undefined && { reference }),
    status: 'completed',
  })
  const url = new URL(returnUrl)
  const theirs = url.search.slice(1).split('&')
  const kept = theirs.filter((part) => part !== '' && !ours.has(nameOf(part)))
  url.search = [...kept, ours.toString()].join('&')
  return url.href
}

/** The name of a parameter as a server decodes it: `stat%75s` is `status` too. */
function nameOf(part: string): string {
  const [name = ''] = new URLSearchParams(part).keys()
  return name
}
