import type { PayBill, PayBillUrls } from '../rail'

export interface UrlRegistration {
  readonly isDone: boolean
  readonly message: string
}

/**
 * For `provider register`, by hand: registers the addresses that Safaricom calls about payments from the menu. A worker
 * does it by itself (its `register-pay-bill.ts`) while the ledger has not recorded them. Repeating it is safe: in
 * production the second call changes nothing.
 */
export async function registerUrls(
  payBill: Pick<PayBill, 'register' | 'shortCode'>,
  urls: PayBillUrls,
): Promise<UrlRegistration> {
  const { shortCode } = payBill
  const registered = await payBill.register(urls)
  if (registered.kind === 'unanswered') {
    const message = `not registered: ${registered.detail}; run provider check, which looks at credentials and addresses`
    return { isDone: false, message }
  }
  const proof = `To prove it, pay one shilling to ${shortCode} from the menu of a phone: it is proven when its confirmation arrives here`
  if (registered.kind === 'registered') {
    return { isDone: true, message: `registered for ${shortCode}: ${hidden(urls)}\n${proof}` }
  }
  return {
    isDone: true,
    message: `${shortCode} had addresses before, and Safaricom does not say whose; ours are ${hidden(urls)}\n${proof}. If none arrives in two minutes, delete the addresses in the portal (Self-Services, URL Management) and run this again`,
  }
}

/** The address without its secret, which no terminal or log shows. */
function hidden({ confirmationUrl }: PayBillUrls): string {
  const { origin, pathname } = new URL(confirmationUrl)
  return `${origin}${pathname.replace(/[0-9a-f]{32,}/, '…')}`
}

/** The path says `c2b`, because Safaricom refuses an address that contains `mpesa`. */
export function payBillUrls({
  CALLBACK_BASE_URL: base = '',
  C2B_PATH_SECRET: secret = '',
}: Readonly<Record<string, string | undefined>>): PayBillUrls | undefined {
  if (secret === '' || !URL.canParse(base)) return undefined
  const url = `${base.replace(/\/+$/, '')}/callbacks/c2b/${secret}`
  return { validationUrl: `${url}/validation`, confirmationUrl: `${url}/confirmation` }
}
