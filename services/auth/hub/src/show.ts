import type { Rail } from '@malipo/kernel/countries'
import { majorText } from '@malipo/kernel/money'
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
  const format = new Intl.NumberFormat('en-KE', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
  })
  const isOut = minor.startsWith('-')
  const text = format.format(majorText(BigInt(isOut ? minor.slice(1) : minor)) as `${number}`)
  return isOut ? `−${text}` : text
}

/** Cleans text from the merchant's server of characters that reorder or hide text; a stand-in when nothing is left. */
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

const rails: Readonly<Record<Rail, string>> = {
  mpesa: 'M-PESA',
  mtn_momo: 'MTN MoMo',
  airtel_money: 'Airtel Money',
  card: 'Card',
  paybill: 'Pay Bill',
}

/** The name of a rail, or of its provider, which uses the same key. */
export function showRail(rail: string): string {
  return rail in rails ? rails[rail as Rail] : rail
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
