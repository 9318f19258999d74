import type { Rail } from '@malipo/kernel/countries'
import { majorText } from '@malipo/kernel/money'
import { displayText } from '@malipo/web/html'

/** Both countries are three hours before UTC. */
const timeZone = 'Africa/Nairobi'
const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone,
})
const exactMoment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone,
})

/** `150000` in KES -> `KES 1,500.00`; in UGX -> `UGX 1,500`. Minor units as a decimal string, perhaps with a minus. */
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

/** What a server of the merchant wrote, without what turns or hides other text; what stands for it when nothing is left. */
export function showWords(text: string | null, otherwise = ''): string {
  return displayText(text ?? '') || otherwise
}

export function showMoment(instant: string): string {
  return moment.format(new Date(instant))
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

/** A rail, or the provider of one, which has the same word. */
export function showRail(rail: string): string {
  return rail in rails ? rails[rail as Rail] : rail
}

/** What is shown where there is nothing to show. */
export const none = '–'

/** A browser as a person would call it; whatever we do not know is shown as it is. */
export function showBrowser(userAgent: string): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent)?.[1]
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(userAgent)?.[1]
  if (browser === undefined) return userAgent === '' ? 'Unknown' : userAgent
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser
  return system === undefined ? name : `${name} on ${system.replace('Mac OS X', 'Mac')}`
}
