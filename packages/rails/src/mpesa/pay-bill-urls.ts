import type { PayBillUrls } from '../rail'

/** `c2b`, because Safaricom refuses an address with the name of its service in it. */
export function payBillUrls({
  CALLBACK_BASE_URL: base = '',
  C2B_PATH_SECRET: secret = '',
}: Readonly<Record<string, string | undefined>>): PayBillUrls | undefined {
  if (secret === '' || !URL.canParse(base)) return undefined
  const url = `${base.replace(/\/+$/, '')}/callbacks/c2b/${secret}`
  return { validationUrl: `${url}/validation`, confirmationUrl: `${url}/confirmation` }
}
