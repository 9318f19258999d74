import { likelyRail } from '@malipo/interface/mobile-rail'
import { readHandle } from '@malipo/interface/profile'
import { type CountryRules, isWithinLimits } from '@malipo/kernel/countries'
import { errors, Fault } from '@malipo/kernel/errors'
import {
  amountFromPerson,
  isWholeMajor,
  majorText,
  type Minor,
  moneyText,
  wholeMajorUp,
} from '@malipo/kernel/money'
import { jsonAnswer, redirectTo } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import type { Request, Response } from 'express'
import { keepTryIfShed } from '../limits/keep-try'
import { ratePolicies } from '../limits/rate-policies'
import type { HandleView } from './load-handle'
import { readPageForm } from './read-form'
import { phoneError, readPhone } from './read-phone'
import { type FieldError, refuseFields, sendsFromScript } from './refuse-fields'
import { begunNotice, showHandle } from './show-handle'
import { chooseTexts } from './texts/choose-texts'
import type { Texts } from './texts/texts'

/**
 * `POST /p/{handle}/pay`: the form of the page, which works without JavaScript. It redirects (303) to the page of the
 * intent, so that a reload never sends the form again; the form's own key makes a second press find the first intent.
 */
export function payHandleFromPage(options: Gateway): Operation {
  const { rules, origin, limitAddress, loadHandle } = options
  const refuse = async (refusal: Refusal, request: Request, response: Response) => {
    const texts = chooseTexts(request)
    const found = refusal.errorsIn(texts)
    if (sendsFromScript(request)) return refuseFields(found)
    const view = await loadHandle.page(refusal.handle, texts)
    return showHandle(withErrors(view, refusal.written, found), 400, response)
  }
  /** The form with its input and a new key: pressed, it is a new payment, and the page says so. */
  const warn = async ({ handle, written }: Typed, request: Request, response: Response) => {
    const texts = chooseTexts(request)
    const view = await loadHandle.page(handle, texts)
    const status = errors.idempotency_mismatch.http
    if (!sendsFromScript(request)) {
      return showHandle({ ...withErrors(view, written, []), hasBegun: true }, status, response)
    }
    const { title, text } = begunNotice(view)
    return jsonAnswer(status, { title, text, key: view.form.key })
  }
  return async (request, response) => {
    const handle = readHandle(String(request.params['handle']))
    const { fields, idempotencyKey } = await readPageForm(request, origin)
    const written = readWritten(fields, rules)
    const { phone, amountMinor } = written
    if (phone === undefined || amountMinor === undefined) {
      // A typo costs no try: many payers share one address. It counts as a page view.
      await limitAddress(request, response, ratePolicies.page)
      const errorsIn = (texts: Texts) => fieldErrors(written, texts, rules)
      return refuse({ handle, written, errorsIn }, request, response)
    }
    // Cents may have to be rounded; the payer then sees the rounded amount first.
    const isWhole = isWholeMajor(amountMinor)
    let giveBack = await limitAddress(
      request,
      response,
      isWhole ? ratePolicies.pay : ratePolicies.page,
    )
    if (!isWhole) {
      const { wholeMajorsOnly } = await options.loadPayee(handle)
      const errorsIn = (texts: Texts) => [roundingOf(amountMinor, texts, rules)]
      if (wholeMajorsOnly) return refuse({ handle, written, errorsIn }, request, response)
      giveBack = await limitAddress(request, response, ratePolicies.pay)
    }
    const payee = await options.findPayee(handle)
    // The page shows where the account can be paid.
    if (!payee.isServedHere) return redirectTo(`/p/${payee.handle}`)
    const rail = written.rail ?? likelyRail(phone, rules)
    const input = { payee, amountMinor, idempotencyKey, rail, phone }
    const starting = options.startHandlePayment(input).catch(keepTryIfShed(giveBack))
    const started = await starting.catch(undefinedIfChanged)
    if (started === undefined) return warn({ handle, written }, request, response)
    return redirectTo(`/p/${payee.handle}/${started.intent.intentId}`)
  }
}

/** The form's key has begun another payment: its number or amount was changed since. */
function undefinedIfChanged(error: unknown): undefined {
  if (!(error instanceof Fault) || error.reason !== 'idempotency_mismatch') throw error
  return undefined
}

interface Typed {
  readonly handle: string
  readonly written: Written
}

interface Refusal extends Typed {
  readonly errorsIn: (texts: Texts) => readonly FieldError[]
}

type Written = ReturnType<typeof readWritten>

function readWritten(fields: URLSearchParams, rules: CountryRules) {
  const amountText = fields.get('amount') ?? ''
  const amountMinor = amountFromPerson(amountText)
  return {
    ...readPhone(fields, rules),
    amountText,
    amountMinor:
      amountMinor !== undefined && isWithinLimits(rules, amountMinor) ? amountMinor : undefined,
  }
}

function fieldErrors({ phone, problem, amountMinor }: Written, texts: Texts, rules: CountryRules) {
  return [
    ...(amountMinor === undefined ? [{ path: 'amount', message: badAmount(texts, rules) }] : []),
    ...(phone === undefined ? [{ path: 'phone', message: phoneError(problem, texts, rules) }] : []),
  ]
}

/** The amount that the payer will be asked for, shown before anything is sent. */
function roundingOf(amountMinor: Minor, texts: Texts, { currency }: CountryRules): FieldError {
  const askedMinor = wholeMajorUp(amountMinor)
  const message = texts.rounding.typed(
    moneyText(currency, amountMinor),
    moneyText(currency, askedMinor),
  )
  return { path: 'amount', message, value: majorText(askedMinor) }
}

/** The page again, with the input and its errors. */
function withErrors(
  view: HandleView,
  { typed, problem, amountText, rail }: Written,
  found: readonly FieldError[],
): HandleView {
  const errorOf = (name: string) => found.find(({ path }) => path === name)
  const amount = errorOf('amount')
  return {
    ...view,
    form: {
      ...view.form,
      phone: typed,
      rail,
      error: errorOf('phone')?.message,
      asksMoved: problem?.kind === 'other_network',
      amount: view.form.amount && {
        ...view.form.amount,
        value: amount?.value ?? amountText,
        error: amount?.message,
      },
    },
  }
}

function badAmount({ handle }: Texts, rules: CountryRules): string {
  const text = (minor: Minor) => moneyText(rules.currency, minor)
  const range = handle.badAmount(text(rules.minMinor), text(rules.maxMinor))
  return rules.wholeMajorOnly ? `${range} ${handle.wholeOnly}` : range
}
