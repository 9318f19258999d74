import { minorFromMajorText } from '@malipo/kernel/money'
import { z } from 'zod'
import { asFields, type Fields, fieldsAt, fieldText } from '../wire-call'
import type { AskedOrder } from './state'

export type ReadOrder =
  | { readonly kind: 'asked'; readonly asked: AskedOrder; readonly lifeSeconds: number }
  | { readonly kind: 'wrong'; readonly explanation: string }

/** The bounds that the reference gives of each. */
const decimals: Readonly<Record<string, RegExp>> = {
  KES: /^\d{1,12}\.\d{2}$/,
  UGX: /^\d{1,14}$/,
}
const lifeSeconds = z.coerce.number().int().min(1).max(86_400).catch(1_800)

/** INITIATE_CHECKOUT as the reference has it; the first thing that is wrong is said, as the gateway does. */
export function readOrderFields(json: unknown): ReadOrder {
  const fields = asFields(json) ?? {}
  const interaction = fieldsAt(fields, 'interaction')
  const order = fieldsAt(fields, 'order')
  const explanation = problemOf(fields, interaction, order)
  const amountMinor = minorFromMajorText(fieldText(order, 'amount'))
  if (explanation !== undefined) return wrong(explanation)
  if (amountMinor === undefined || amountMinor === 0n) return wrong("Invalid value 'order.amount'")
  const returnUrl = fieldText(interaction, 'returnUrl')
  return {
    kind: 'asked',
    lifeSeconds: lifeSeconds.parse(interaction['timeout']),
    asked: {
      id: fieldText(order, 'id'),
      amountMinor,
      currency: fieldText(order, 'currency'),
      description: fieldText(order, 'description'),
      merchantName: fieldText(fieldsAt(interaction, 'merchant'), 'name'),
      returnUrl,
      cancelUrl: fieldText(interaction, 'cancelUrl') || returnUrl,
      timeoutUrl: fieldText(interaction, 'timeoutUrl') || returnUrl,
      notificationUrl: fieldText(order, 'notificationUrl') || undefined,
      customer: asFields(fields['customer']),
    },
  }
}

function problemOf(fields: Fields, interaction: Fields, order: Fields): string | undefined {
  const rules: readonly (readonly [string, boolean])[] = [
    ['apiOperation', fieldText(fields, 'apiOperation') === 'INITIATE_CHECKOUT'],
    ['interaction.operation', fieldText(interaction, 'operation') === 'PURCHASE'],
    ['interaction.merchant.name', fieldText(fieldsAt(interaction, 'merchant'), 'name') !== ''],
    ['interaction.returnUrl', URL.canParse(fieldText(interaction, 'returnUrl'))],
    ['order.id', /^.{1,40}$/.test(fieldText(order, 'id'))],
    ['order.currency', Object.hasOwn(decimals, fieldText(order, 'currency'))],
    ['order.amount', isAmount(fieldText(order, 'currency'), order['amount'])],
    ['order.description', /^.{1,127}$/.test(fieldText(order, 'description'))],
  ]
  const broken = rules.find(([, isRight]) => !isRight)
  return broken && `Missing or invalid value '${broken[0]}'`
}

/** Text, with as many decimals as the currency has. */
function isAmount(currency: string, amount: unknown): boolean {
  return typeof amount === 'string' && decimals[currency]?.test(amount) === true
}

function wrong(explanation: string): ReadOrder {
  return { kind: 'wrong', explanation }
}
