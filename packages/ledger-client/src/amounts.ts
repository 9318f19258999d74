import type { Money } from '@malipo/contracts/proto/money/v1/money'
import { present } from '@malipo/contracts/present'
import { isCurrency } from '@malipo/kernel/countries'
import type { Currency, Minor } from '@malipo/kernel/money'

/**
 * The fields of a proto message without those that are redeclared with a stricter type: required fields, enums as
 * strings, money and booleans. A field that is added to the message needs no line here.
 */
export type Plain<Wire, Typed extends keyof Wire = never> = Readonly<Omit<Wire, Typed | 'amount'>>

export interface Amount {
  readonly amountMinor: Minor
  readonly currency: Currency
}

export function amountOf(wire: Money | undefined, field = 'amount'): Amount {
  const { currency, minor } = present(wire, field)
  return { amountMinor: minor, currency: present(currencyOf(currency), 'currency') }
}

export function currencyOf(text: string): Currency | undefined {
  return isCurrency(text) ? text : undefined
}
