import { type Currency, majorText, type Minor } from '@malipo/kernel/money'

/** `KES 1,500` or `KES 1,500.50`, with a space that does not break. */
export function moneyText(currency: Currency, minor: Minor): string {
  const [whole = '', cents] = majorText(minor).split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return `${currency}\u00a0${grouped}${cents === undefined ? '' : `.${cents}`}`
}

/** Kenya and Uganda share East Africa Time; payers read it, whatever their browser thinks. */
const timeZone = 'Africa/Nairobi'
const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
const dateAndClock = new Intl.DateTimeFormat('en-GB', {
  timeZone,
  dateStyle: 'medium',
  timeStyle: 'short',
})

/** `14:32` */
export function clockText(instant: Date): string {
  return clock.format(instant)
}

/** `20 Nov 2026, 14:32` */
export function dateText(instant: Date): string {
  return dateAndClock.format(instant)
}

/** `678`: as much of a phone as a page shows, because whoever has the link sees it. */
export function phoneTail(phone: string): string {
  return phone.slice(-3)
}
