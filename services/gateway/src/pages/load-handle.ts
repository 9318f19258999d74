import { randomBytes } from 'node:crypto'
import type { Accounts } from '@malipo/accounts-client/accounts'
import type { Cell } from '@malipo/kernel/cells'
import type { Country, CountryRules } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import { type Currency, majorText, type Minor, moneyText, wholeMajorUp } from '@malipo/kernel/money'
import type { HandlePayment } from '@malipo/ledger-client/intents'
import { displayText } from '@malipo/web/html'
import type { CountryLedger } from '../cells/country-ledger'
import type { Cells } from '../cells/open-cells'
import type { HandlePayee, LoadPayee } from '../payer/load-payee'
import { type PayBillNumbers, payBillOfHandle } from '../payer/menu-and-return'
import { priceOf } from './load-checkout'
import type { PayerView } from './payer-view'
import { openTimes } from './show-values'
import type { Texts } from './texts/texts'

/** The data of the page of a handle, before a payment. */
export interface HandleView extends Omit<
  PayerView,
  'bill' | 'amount' | 'price' | 'path' | 'payBill'
> {
  readonly payBill: PayBillNumbers | undefined
  /** The handle in the owner's spelling: the account number for the Pay Bill menu. */
  readonly handle: string
  /** Empty where there is none. */
  readonly title: string
  readonly isAccepting: boolean
  /** Whether the form as it was sent has begun another payment. */
  readonly hasBegun?: boolean
  /** The country of its wallet, when that is another one. */
  readonly elsewhere: { readonly country: Country; readonly url: string | undefined } | undefined
}

export interface LoadHandle {
  /** Loads the page of a handle. Faults: those of looking it up. */
  page(handle: string, texts: Texts): Promise<HandleView>
  /** Loads the page of one intent of a handle. Faults: intent_not_found, also for an intent of another handle. */
  payment(handle: string, intentId: string, texts: Texts): Promise<PayerView>
}

export interface LoadHandleOptions {
  readonly rules: CountryRules
  readonly ledger: Pick<CountryLedger, 'readHandlePayment'>
  readonly accounts: Pick<Accounts, 'displayName'>
  readonly loadPayee: LoadPayee
  readonly businessNumberOf: Cells['businessNumberOf']
  /** The payments hosts by country, where configured. */
  readonly paymentsUrls: Readonly<Record<Country, string | undefined>>
}

export function openLoadHandle(options: LoadHandleOptions): LoadHandle {
  const { rules, ledger, accounts, loadPayee, businessNumberOf, paymentsUrls } = options
  const times = openTimes(rules.timeZone)
  const hasChoice = rules.mobileRails.length > 1
  const common = (texts: Texts, amount: string, hint?: string) => ({
    texts,
    times: times[texts.lang],
    rules,
    rail: hasChoice ? texts.anyRail : texts.rails[rules.mobileRails[0]],
    railChoices: hasChoice ? rules.mobileRails : [],
    form: {
      key: randomBytes(16).toString('hex'),
      phone: '',
      amount: { currency: rules.currency, value: amount, hint },
    },
  })
  const payBillTo = (handle: string, cell: Cell) => {
    const business = payBillOfHandle(handle, businessNumberOf(cell))
    if (business === undefined) return undefined
    return { business_number: business, account_number: handle }
  }
  return {
    async page(name, texts) {
      const payee = await loadPayee(name)
      const { handle, homeCountry, title, isServedHere, isAccepting } = payee
      const suggested = suggestionOf(payee, rules.currency, texts)
      const url = paymentsUrls[homeCountry]
      return {
        ...common(texts, suggested.value, suggested.hint),
        startPath: `/p/${handle}`,
        handle,
        title: displayText(title ?? ''),
        payee: displayText(payee.displayName) || handle,
        payBill: payBillTo(handle, payee.cell),
        isAccepting,
        elsewhere: isServedHere
          ? undefined
          : { country: homeCountry, url: url && `${url}/p/${handle}` },
      }
    },

    async payment(name, intentId, texts) {
      const payment = await ledger.readHandlePayment(intentId)
      const { accountId, handle } = payment.payee
      if (handle.toLowerCase() !== name.toLowerCase()) throw new Fault('intent_not_found')
      const payee = await accounts.displayName(accountId)
      return {
        ...common(texts, majorText(payment.askedMinor)),
        path: `/p/${handle}/${intentId}`,
        laterPath: payment.laterIntentId && `/p/${handle}/${payment.laterIntentId}`,
        startPath: `/p/${handle}`,
        bill: billOf(payment),
        payee: displayText(payee ?? '') || texts.unknownPayee,
        amount: moneyText(payment.currency, payment.askedMinor),
        price: priceOf(payment),
        // Money from the menu would be another payment, which this page does not show.
        payBill: undefined,
        anotherPayment: payBillTo(handle, payment.cell),
      }
    },
  }
}

/** The suggested amount of a link as the payer will be asked for it, and why it was rounded. */
function suggestionOf(
  { suggestedMinor, wholeMajorsOnly }: HandlePayee,
  currency: Currency,
  texts: Texts,
): { readonly value: string; readonly hint?: string } {
  if (suggestedMinor === undefined) return { value: '' }
  const askedMinor = wholeMajorsOnly ? wholeMajorUp(suggestedMinor) : suggestedMinor
  const text = (minor: Minor) => moneyText(currency, minor)
  return {
    value: majorText(askedMinor),
    ...(askedMinor !== suggestedMinor && {
      hint: texts.rounding.charged(text(suggestedMinor), text(askedMinor)),
    }),
  }
}

/** The state of `/p/{handle}/{intent}` in the terms of a checkout's page: paid, or still open. */
export function billOf(payment: HandlePayment): PayerView['bill'] {
  const { attempt, askedMinor, completedAt, failedAttempts } = payment
  const { mayHavePaid, isFoundUnpaid, deniedRail } = payment
  return {
    status: completedAt === undefined ? 'open' : 'completed',
    askedMinor,
    completedAt,
    attempt,
    intentId: attempt.intentId,
    description: undefined,
    failedAttempts,
    mayHavePaid,
    isFoundUnpaid,
    deniedRail,
    payBillReportedAt: undefined,
    expiresAt: undefined,
    redirectUrl: undefined,
  }
}
