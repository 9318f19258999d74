import { amountFromPerson } from '@malipo/kernel/amount-from-person'
import { likelyRail, namedRail } from '@malipo/interface/mobile-rail'
import { phoneFromPerson } from '@malipo/interface/phone'
import { readHandle } from '@malipo/interface/profile'
import { type CountryRules, isWithinLimits } from '@malipo/kernel/countries'
import { isWholeMajor, majorText, type Minor, wholeMajorUp } from '@malipo/kernel/money'
import { addressGroup } from '@malipo/runtime/client-address'
import type { Operation } from '@malipo/runtime/door'
import type { LoadPayee } from '../http/load-payee'
import { ratePolicies } from '../http/rate-window'
import type { StartHandlePayment } from '../http/start-payment'
import type { HandlePageOptions } from './handle-page'
import type { HandleView } from './load-handle'
import { phoneExample } from './phone-example'
import { readPageForm } from './read-form'
import { seePage } from './see-page'
import { showHandle } from './show-handle'
import { moneyText } from './show-values'
import { chooseTexts } from './texts/choose-texts'
import type { Texts } from './texts/texts'

export interface PayHandleFromPageOptions extends HandlePageOptions {
  readonly rules: CountryRules
  readonly loadPayee: LoadPayee
  readonly startHandlePayment: StartHandlePayment
  /** Of the page itself. */
  readonly origin: string
}

/**
 * `POST /p/{handle}/pay`: the form of the page, which works without JavaScript. It leads to the page of the attempt (303),
 * so that a reload never sends the form again; the key that was made with the form makes a second press find the first.
 */
export function payHandleFromPage(options: PayHandleFromPageOptions): Operation {
  const { rules, origin, clientAddress, limitRate, loadHandle, loadPayee } = options
  return async (request, response) => {
    const handle = readHandle(String(request.params['handle']))
    const { fields, idempotencyKey } = await readPageForm(request, origin)
    const written = readWritten(fields, rules)
    const { phone, amountMinor } = written
    const payee = await loadPayee(handle)
    if (amountMinor !== undefined && payee.wholeMajorsOnly && !isWholeMajor(amountMinor)) {
      const view = await loadHandle.page(handle, chooseTexts(request))
      return showHandle(withRounding(view, written, amountMinor, rules), 400, response)
    }
    await limitRate(response, ratePolicies.pay, addressGroup(clientAddress(request)))
    if (phone === undefined || amountMinor === undefined) {
      const view = await loadHandle.page(handle, chooseTexts(request))
      return showHandle(withErrors(view, written, rules), 400, response)
    }
    // The page itself says where it can be paid, or that it cannot.
    if (!payee.isAccepting) return seePage(`/p/${payee.handle}`)
    const rail = written.rail ?? likelyRail(phone, rules)
    const asked = { payee, amountMinor, idempotencyKey, rail, phone }
    const { intent } = await options.startHandlePayment(asked)
    return seePage(`/p/${payee.handle}/${intent.intentId}`)
  }
}

type Written = ReturnType<typeof readWritten>

function readWritten(fields: URLSearchParams, rules: CountryRules) {
  const phoneText = fields.get('phone') ?? ''
  const amountText = fields.get('amount') ?? ''
  const amountMinor = amountFromPerson(amountText)
  return {
    phoneText,
    phone: phoneFromPerson(phoneText, rules),
    amountText,
    amountMinor:
      amountMinor !== undefined && isWithinLimits(rules, amountMinor) ? amountMinor : undefined,
    rail: namedRail(fields.get('rail') ?? '', rules),
  }
}

/** The page again, with what was written and what is wrong with it. */
function withErrors(view: HandleView, written: Written, rules: CountryRules): HandleView {
  const { texts } = view
  const { phoneText, phone, amountText, amountMinor, rail } = written
  return {
    ...view,
    form: {
      ...view.form,
      phone: phoneText,
      rail,
      error: phone === undefined ? texts.start.badPhone(phoneExample[rules.country]) : undefined,
      amount: {
        currency: rules.currency,
        value: amountText,
        error: amountMinor === undefined ? badAmount(texts, rules) : undefined,
      },
    },
  }
}

/** The page again, with the amount that the payer will be asked for, before anything is sent. */
function withRounding(
  view: HandleView,
  written: Written,
  amountMinor: Minor,
  { currency }: CountryRules,
): HandleView {
  const { texts, form } = view
  const askedMinor = wholeMajorUp(amountMinor)
  const error = texts.rounding.typed(
    moneyText(currency, amountMinor),
    moneyText(currency, askedMinor),
  )
  const { phoneText: phone, rail } = written
  return {
    ...view,
    form: { ...form, phone, rail, amount: { currency, value: majorText(askedMinor), error } },
  }
}

function badAmount({ handle }: Texts, rules: CountryRules): string {
  const text = (minor: Minor) => moneyText(rules.currency, minor)
  const range = handle.badAmount(text(rules.minMinor), text(rules.maxMinor))
  return rules.wholeMajorOnly ? `${range} ${handle.wholeOnly}` : range
}
