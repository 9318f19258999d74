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

/** As a server decodes it: `stat%75s` is `status` too. */
function nameOf(part: string): string {
  const [name = ''] = new URLSearchParams(part).keys()
  return name
}
