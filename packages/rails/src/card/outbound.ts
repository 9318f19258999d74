import type { CardPayer } from '@malipo/contracts/card-payer'
import { Fault } from '@malipo/kernel/errors'
import { type Currency, isWholeMajor, majorText, type Minor } from '@malipo/kernel/money'
import type { CardOrder } from '../rail'
import type { CardSettings } from './settings'

/** The text that the payer reads beside the amount. At most 127 characters. */
const description = 'Payment'

/** The body that opens a session in which a payer pays one order. */
export function sessionBody(order: CardOrder, settings: CardSettings) {
  const { payer, returnUrl } = order
  return {
    apiOperation: 'INITIATE_CHECKOUT',
    interaction: {
      operation: 'PURCHASE',
      merchant: { name: settings.merchantName },
      returnUrl,
      cancelUrl: `${returnUrl}?left=cancelled`,
      timeout: order.lifeSeconds,
      timeoutUrl: `${returnUrl}?left=timed_out`,
      displayControl: { billingAddress: 'HIDE', customerEmail: 'HIDE', shipping: 'HIDE' },
    },
    order: {
      id: order.intentId,
      amount: amountText(order.currency, order.totalMinor),
      currency: order.currency,
      description,
      notificationUrl: order.notificationUrl,
    },
    ...(payer !== undefined && { customer: customerOf(payer) }),
  }
}

/** The decimals of a whole amount, by the currency (ISO 4217). */
const decimalsOf = { KES: '.00', UGX: '' } as const satisfies Record<Currency, string>

export function amountText(currency: Currency, minor: Minor): string {
  if (!isWholeMajor(minor)) throw new Fault('internal', { amountMinor: String(minor) })
  return majorText(minor) + decimalsOf[currency]
}

/** The most characters that the gateway takes of a first or a last name. */
const nameLengthMax = 50

function customerOf({ name, email, phone }: CardPayer) {
  const words = name?.trim().split(/\s+/) ?? []
  const last = words.length > 1 ? words.at(-1) : undefined
  const first = (last === undefined ? words : words.slice(0, -1)).join(' ')
  return {
    ...(first !== '' && { firstName: first.slice(0, nameLengthMax) }),
    ...(last !== undefined && { lastName: last.slice(0, nameLengthMax) }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { mobilePhone: phone }),
  }
}

/** Basic credentials. The gateway derives the user from the merchant's id. */
export function authorization({ merchantId, apiPassword }: CardSettings): string {
  return `Basic ${Buffer.from(`merchant.${merchantId}:${apiPassword}`).toString('base64')}`
}
