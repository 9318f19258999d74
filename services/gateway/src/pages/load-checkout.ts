import { randomBytes } from 'node:crypto'
import type { Accounts } from '@malipo/accounts-client/accounts'
import type { CountryRules } from '@malipo/kernel/countries'
import { type Currency, moneyText } from '@malipo/kernel/money'
import { asksByPage, asksByPrompt, railAbilities } from '@malipo/kernel/rail-abilities'
import type { Card, PayerCheckout } from '@malipo/ledger-client/checkouts'
import { displayText } from '@malipo/web/html'
import type { CountryLedger, Placed } from '../cells/country-ledger'
import type { Cells } from '../cells/open-cells'
import { payBillOf, redirectOf } from '../payer/menu-and-return'
import { isInFlight } from './screen'
import type { CardCost, PayerView, TillNumbers } from './payer-view'
import { openTimes } from './show-values'
import type { Texts } from './texts/texts'

export type LoadCheckout = (checkoutId: string, texts: Texts) => Promise<PayerView>

export interface LoadCheckoutOptions {
  readonly rules: CountryRules
  readonly ledger: Pick<CountryLedger, 'readCheckout' | 'readCardPayment'>
  readonly accounts: Accounts
  readonly businessNumberOf: Cells['businessNumberOf']
  readonly till: string | undefined
  /** Whether the provider draws a QR code for its own app. */
  readonly isQrOn: boolean
}

/** Loads the data of a payer page. Faults: those of the ledger's read; a payee without a name is not a fault. */
export function openLoadCheckout(options: LoadCheckoutOptions): LoadCheckout {
  const { rules, ledger, accounts, businessNumberOf, till, isQrOn } = options
  const times = openTimes(rules.timeZone)
  const hasChoice = rules.mobileRails.length > 1
  const railChoices = hasChoice ? rules.mobileRails : []
  const cardPaymentOf = async ({ checkoutId, status, attempt }: PayerCheckout) => {
    if (attempt === undefined || !asksByPage(attempt.rail)) return undefined
    if (status !== 'completed' && !isInFlight(attempt.status)) return undefined
    return ledger.readCardPayment(checkoutId, attempt.intentId)
  }
  const menuOf = (checkout: Placed<PayerCheckout>) =>
    payBillOf(checkout, businessNumberOf(checkout.cell)) ?? tillOf(checkout, till)
  const qrPathOf = ({ checkoutId, status }: PayerCheckout) =>
    isQrOn && status === 'open' ? `/c/${checkoutId}/pay.png` : undefined
  return async (checkoutId, texts) => {
    const checkout = await ledger.readCheckout(checkoutId)
    const [name, cardPayment] = await Promise.all([
      accounts.displayName(checkout.accountId),
      cardPaymentOf(checkout),
    ])
    const isPaid = checkout.status === 'completed'
    const path = `/c/${checkoutId}`
    return {
      path,
      startPath: path,
      bill: { ...checkout, redirectUrl: redirectOf(checkout) },
      payee: displayText(name ?? '') || texts.unknownPayee,
      amount: moneyText(checkout.currency, checkout.askedMinor),
      price: priceOf(checkout),
      texts,
      times: times[texts.lang],
      rules,
      rail: hasChoice ? texts.anyRail : texts.rails[rules.mobileRails[0]],
      railChoices,
      payBill: menuOf(checkout),
      paymentQrPath: qrPathOf(checkout),
      card: checkout.card && costOf(checkout.currency, checkout.card),
      cardPaid: isPaid && cardPayment ? costOf(checkout.currency, cardPayment) : undefined,
      cardPageUntil: cardPayment?.opened && cardPayment.expiresAt,
      form: { key: randomBytes(16).toString('hex'), phone: checkout.phone ?? '' },
    }
  }
}

/**
 * The till to pay from the menu; undefined without one, once the checkout is paid, and while the payer's number is not
 * known, since a payment to the till is matched to its checkout by that number and the amount.
 */
function tillOf(
  { status, attempt, phone }: Pick<PayerCheckout, 'status' | 'attempt' | 'phone'>,
  till: string | undefined,
): TillNumbers | undefined {
  const isOfTill =
    attempt !== undefined && asksByPrompt(attempt.rail) && railAbilities[attempt.rail].hasMenu
  const payer = isOfTill ? (attempt.phone ?? phone) : phone
  if (till === undefined || status === 'completed' || payer === undefined) return undefined
  return { till_number: till, phone: payer }
}

/** The agreed amount, where the payer is asked for a rounded one. */
export function priceOf({
  currency,
  amountMinor,
  askedMinor,
}: Pick<PayerCheckout, 'currency' | 'amountMinor' | 'askedMinor'>): string | undefined {
  return askedMinor === amountMinor ? undefined : moneyText(currency, amountMinor)
}

function costOf(currency: Currency, { feeMinor, totalMinor }: Card): CardCost {
  return { fee: moneyText(currency, feeMinor), total: moneyText(currency, totalMinor) }
}
