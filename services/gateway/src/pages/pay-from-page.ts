import { isUtf8 } from 'node:buffer'
import { readCheckoutId } from '@malipo/interface/fields'
import { likelyRail, namedRail } from '@malipo/interface/mobile-rail'
import { phoneFromPerson } from '@malipo/interface/phone'
import { refuseField } from '@malipo/interface/validate'
import type { CountryRules } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operation } from '@malipo/runtime/door'
import type { Request } from 'express'
import { addressGroup } from '@malipo/runtime/client-address'
import { ratePolicies } from '../http/rate-window'
import { readBytes } from '@malipo/runtime/read-bytes'
import type { StartPayment } from '../http/start-payment'
import type { CheckoutPageOptions } from './checkout-page'
import { phoneExample } from './phone-example'
import { seePage } from './see-page'
import { showCheckout } from './show-checkout'
import { chooseTexts } from './texts/choose-texts'

export interface PayFromPageOptions extends CheckoutPageOptions {
  readonly rules: CountryRules
  readonly startPayment: StartPayment
  /** Of the page itself. */
  readonly origin: string
}

const formBytesMax = 2_048
const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i
/** As the page makes it. */
const keyShape = /^[0-9a-f]{32}$/

/**
 * `POST /c/{id}/pay`: the form of the payer page, which works without JavaScript. Whatever comes of it is shown by the
 * page itself (303), so that a reload never sends the form again, and a second press finds the prompt of the first.
 */
export function payFromPage(options: PayFromPageOptions): Operation {
  const { rules, origin, clientAddress, limitRate, loadCheckout, startPayment, clock } = options
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    refuseOtherSites(request, origin)
    const fields = await readForm(request)
    const idempotencyKey = fields.get('key') ?? ''
    if (!keyShape.test(idempotencyKey)) refuseField('key', 'must be that of the page')
    const written = fields.get('phone') ?? ''
    const phone = phoneFromPerson(written, rules)
    const rail = namedRail(fields.get('rail') ?? '', rules)
    await limitRate(response, ratePolicies.pay, addressGroup(clientAddress(request)))
    if (phone === undefined) {
      const view = await loadCheckout(checkoutId, chooseTexts(request))
      const error = view.texts.start.badPhone(phoneExample[rules.country])
      const form = { ...view.form, phone: written, rail, error }
      return showCheckout({ ...view, form }, { nowMs: clock.now(), status: 400, response })
    }
    const payRail = rail ?? likelyRail(phone, rules)
    await startPayment({ checkoutId, idempotencyKey, rail: payRail, phone })
    return seePage(checkoutId)
  }
}

async function readForm(request: Request): Promise<URLSearchParams> {
  if (!formType.test(request.headers['content-type'] ?? ''))
    refuseField('Content-Type', 'must be a form')
  const bytes = await readBytes(request, formBytesMax)
  if (!isUtf8(bytes)) refuseField('body', 'must be UTF-8')
  return new URLSearchParams(bytes.toString('utf8'))
}

/**
 * Another site must not make a payer's browser ask for prompts. Browsers say where a form stood; the older ones, which
 * do not, say its origin, or `null` because our page sends no referrer.
 */
function refuseOtherSites(request: Request, origin: string): void {
  const site = request.get('sec-fetch-site')
  const formOrigin = request.get('origin') ?? 'null'
  const isOwn = site === undefined ? ['null', origin].includes(formOrigin) : site === 'same-origin'
  if (!isOwn) throw new Fault('origin_not_allowed')
}
