import { outcomeOf, receiveSms, searchMs, type Phone } from '../../phones/rules/phone'
import type { Delivery, MenuPaid, MenuPayment } from '../rules/rail'
import { shownFacets } from '../../sessions/rules/world'
import { asFields, fieldText, type Fields } from '../wire-call'
import { confirm, movePayment, payBillBody } from './move-payment'
import { nextReceipt } from './ids'
import { isReceivingNumber, isTill } from './settings'
import { accountText } from './callback-body'
import type { Mpesa } from './state'

/** Lipa na M-PESA: the payer types a Pay Bill number and an account, or the number of a till (providers.md 2.3). */
export async function payFromMenu(
  mpesa: Mpesa,
  phone: Phone,
  wanted: MenuPayment,
): Promise<MenuPaid> {
  const { world } = mpesa
  const { business, amountMinor } = wanted
  // Buy Goods asks for no account.
  const account = isTill(mpesa.settings, business) ? '' : wanted.account
  const payment = { msisdn: phone.msisdn, business, account, amountMinor }
  const receipt = nextReceipt(mpesa)
  const early = refusalOf(mpesa, phone, wanted)
  const verdict = early ?? (await validate(mpesa, { ...payment, receipt }))
  // The phone is checked again, because another payment may have ended while the merchant was asked.
  const late = typeof verdict === 'string' ? verdict : refusalOf(mpesa, phone, wanted)
  if (typeof verdict === 'string' || late !== undefined) {
    const why = late ?? 'refused'
    world.events.append('menu_refused', { ...shownFacets(payment), why })
    const text = `Failed. Your payment to ${business}${accountText(account)} was not made: ${why}.`
    receiveSms(phone, { atMs: world.wallNow(), from: 'MPESA', text })
    return { kind: 'refused', why }
  }
  const row = movePayment(mpesa, phone, { ...payment, receipt, kind: 'pay_bill', reference: '' })
  confirm(mpesa, row, verdict.thirdPartyId)
  return { kind: 'paid', receipt }
}

/** KES 1 to KES 250,000 a payment (providers.md 2.6). */
export const minimumMinor = 100n
export const maximumMinor = 25_000_000n

function refusalOf(mpesa: Mpesa, phone: Phone, wanted: MenuPayment): string | undefined {
  if (phone.simState === 'not_registered' || phone.network !== 'safaricom') return 'not_registered'
  if (searchMs[phone.simState] !== undefined) return 'unreachable'
  if (!isReceivingNumber(mpesa.settings, wanted.business)) return 'unknown_business'
  if (wanted.amountMinor < minimumMinor) return 'below_minimum'
  if (wanted.amountMinor > maximumMinor) return 'above_maximum'
  const outcome = outcomeOf(phone, 'approve', wanted.amountMinor, wanted.pin)
  if (outcome !== 'agreed') return outcome
  return mpesa.world.book.isFull() ? 'busy' : undefined
}

/** M-PESA waits about this long for the merchant's answer, and then follows the registered ResponseType. */
const patienceMs = 8_000

type MenuRequest = Pick<MenuPayment, 'business' | 'account' | 'amountMinor'> & {
  readonly msisdn: string
  readonly receipt: string
}

/** Asks the merchant's validation address. Returns the reason of a refusal, or the merchant's own id of the payment. */
async function validate(
  mpesa: Mpesa,
  request: MenuRequest,
): Promise<string | { readonly thirdPartyId: string }> {
  const { world, registration, settings } = mpesa
  const urls = registration.get(request.business)
  if (urls === undefined || !settings.externalValidation) return { thirdPartyId: '' }
  const payment = { ...request, atMs: world.wallNow(), thirdPartyId: '' }
  const body = payBillBody(mpesa, urls, payment, 'before')
  const delivery = await mpesa.deliver(urls.validationUrl, body, { timeoutMs: patienceMs })
  const answer = answerOf(delivery)
  const code = answer && fieldText(answer, 'ResultCode')
  world.events.append('validation_ended', {
    ...shownFacets(request),
    receipt: request.receipt,
    code: code ?? 'none',
    took_ms: delivery.tookMs,
  })
  if (answer === undefined) {
    return urls.responseType === 'Completed' ? { thirdPartyId: '' } : 'no_answer'
  }
  if (code !== '0') return code ?? 'refused'
  return { thirdPartyId: fieldText(answer, 'ThirdPartyTransID') }
}

/** Undefined for a response without a ResultCode, which counts as no answer. */
function answerOf(delivery: Delivery): Fields | undefined {
  const fields = delivery.kind === 'answered' ? asFields(delivery.json) : undefined
  return fields !== undefined && fieldText(fields, 'ResultCode') !== '' ? fields : undefined
}
