import type { Checkout } from '@malipo/sdk'
import { type Output, plain } from './output'

const colours = { open: 'yellow', completed: 'green', expired: 'red' } as const

/** A checkout for a terminal. The payer's phone is not shown. */
export function showCheckout(checkout: Checkout, { paint }: Pick<Output, 'paint'>): string {
  const { id, status, currency, amount, reference, description, url, expires_at, payment } =
    checkout
  const rows: [string, string | null][] = [
    ['amount', `${currency} ${majorUnits(amount)}`],
    ['reference', reference],
    ['description', description],
    ['page', url],
    ['expires at', expires_at],
    ['payment', payment && [payment.status, payment.provider_receipt ?? ''].join(' ').trim()],
  ]
  const shown = rows.flatMap(([name, value]) =>
    value === null ? [] : [`  ${name.padEnd(12)} ${plain(value.replaceAll(/[\t\r\n]+/g, ' '))}`],
  )
  return [`${plain(id)}  ${paint(colours[status], status)}`, ...shown].join('\n')
}

/** `"150000"` -> `1,500.00`. */
function majorUnits(minor: string): string {
  const [, major = '0', cents = ''] = /^(\d*?)(\d{1,2})$/.exec(minor) ?? []
  return `${BigInt(major || '0').toLocaleString('en-US')}.${cents.padStart(2, '0')}`
}
