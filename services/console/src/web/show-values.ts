import { type Country, countries, type Rail, railNames } from '@malipo/kernel/countries'
import { type Currency, moneyText } from '@malipo/kernel/money'
import { displayText, type Html, html } from '@malipo/web/html'

/** Both countries have UTC+3. */
const timeZone = 'Africa/Nairobi'
const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone,
})

const none = '–'

export function showMoney(
  amount: { readonly minor: bigint; readonly currency: string } | undefined,
): string {
  return amount === undefined ? none : moneyText(amount.currency as Currency, amount.minor)
}

export function currencyOf(country: Country): string {
  return countries[country].currency
}

export function showCountry(country: Country): string {
  return country === 'ke' ? 'Kenya' : 'Uganda'
}

export function showMoment(at: Date | undefined): Html | string {
  if (at === undefined) return none
  return html`<time datetime="${at.toISOString()}">${moment.format(at)}</time>`
}

/** `3 min`, `5 h`, `2 days`: how long something has waited. */
export function showAge(since: Date | undefined, nowMs: number): string {
  if (since === undefined) return none
  const minutes = Math.max(0, Math.floor((nowMs - since.getTime()) / 60_000))
  if (minutes < 60) return `${String(minutes)} min`
  if (minutes < 48 * 60) return `${String(Math.floor(minutes / 60))} h`
  return `${String(Math.floor(minutes / 1_440))} days`
}

/** `RAIL_MPESA` or `mpesa` -> `M-PESA`. */
export function showRail(rail: string): string {
  const word = wordOf(rail, 'RAIL')
  return word in railNames ? railNames[word as Rail] : showWords(word)
}

/** `INTENT_STATUS_PENDING`, `INTENT_STATUS` -> `pending`. */
export function wordOf(wire: string, prefix: string): string {
  return wire.startsWith(`${prefix}_`) ? wire.slice(prefix.length + 1).toLowerCase() : wire
}

/** Text written by people or providers, without characters that hide or reorder it; `not_found` becomes `not found`. */
export function showWords(text: string | undefined): string {
  return displayText(text ?? '').replaceAll('_', ' ') || none
}

/** Text written by people or providers, without characters that hide or reorder it; underscores stay. */
export function showText(text: string | undefined): string {
  return displayText(text ?? '') || none
}
