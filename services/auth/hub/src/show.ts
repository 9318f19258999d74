import { type Rail, railNames } from '@malipo/kernel/countries'
import { type Currency, moneyText } from '@malipo/kernel/money'
import { displayText } from '@malipo/web/html'

/** Both countries have UTC+3. */
const timeZone = 'Africa/Nairobi'
const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone,
})
const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const exactMoment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone,
})

/**
 * `150000` in KES -> `KES 1,500.00`; in UGX -> `UGX 1,500`. Takes minor units as a decimal string, possibly negative.
 */
export function showMoney(minor: string, currency: string): string {
  return moneyText(currency as Currency, BigInt(minor))
}

/** Removes characters that reorder or hide text from a merchant's text. Returns `otherwise` when nothing is left. */
export function showWords(text: string | null, otherwise = ''): string {
  return displayText(text ?? '') || otherwise
}

export function showMoment(instant: string): string {
  return moment.format(new Date(instant))
}

/** `2026-11-24` -> `Tue 24 Nov`. */
export function showDay(day: string): string {
  return dayFormat.format(new Date(day)).replace(',', '')
}

export function showExactMoment(instant: string): string {
  return exactMoment.format(new Date(instant))
}

/** The name of a rail, or of its provider, which uses the same key. */
export function showRail(rail: string): string {
  return rail in railNames ? railNames[rail as Rail] : rail
}

/** The placeholder for an empty value. */
export const none = '–'

/** A browser's common name; an unknown user agent is shown unchanged. */
export function showBrowser(userAgent: string): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent)?.[1]
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(userAgent)?.[1]
  if (browser === undefined) return userAgent === '' ? 'Unknown' : userAgent
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser
  return system === undefined ? name : `${name} on ${system.replace('Mac OS X', 'Mac')}`
}
