import { minorFromMajorText } from '@malipo/kernel/money'
import { z } from 'zod'
import { asFields, type Fields, fieldsAt, fieldText } from '../wire-call'
import type { CardSettings, OrderRequest } from './state'

export type ReadOrder =
  | { readonly kind: 'asked'; readonly request: OrderRequest; readonly lifeSeconds: number }
  | { readonly kind: 'wrong'; readonly explanation: string }

/** The form of an amount in each currency: `exact` has all decimals, `loose` may have fewer, as JSON numbers do. */
const decimals: Readonly<Record<string, { readonly exact: RegExp; readonly loose: RegExp }>> = {
  KES: { exact: /^\d{1,12}\.\d{2}$/, loose: /^\d{1,12}(?:\.\d{1,2})?$/ },
  UGX: { exact: /^\d{1,14}$/, loose: /^\d{1,14}$/ },
  USD: { exact: /^\d{1,12}\.\d{2}$/, loose: /^\d{1,12}(?:\.\d{1,2})?$/ },
}
const strictCurrencies = ['KES', 'UGX']
const lifeSeconds = z.coerce.number().int().min(1).max(86_400).catch(1_800)
const operations = ['PURCHASE', 'AUTHORIZE'] as const
const operation = z.enum(operations)

/** The oldest version of the API that a merchant was seen to use. The reference lists all later versions. */
const firstVersion = 60
/** Up to this version, INITIATE_CHECKOUT may also be called CREATE_CHECKOUT_SESSION. */
const lastOldVersion = 62

export function isTakenVersion({ profile, version }: CardSettings, called: string): boolean {
  if (profile === 'strict') return called === version
  return /^\d{2,3}$/.test(called) && BigInt(called) >= firstVersion
}

/** INITIATE_CHECKOUT as the reference has it. Like the gateway, it names the first field that is wrong. */
export function readOrderFields(settings: CardSettings, version: string, json: unknown): ReadOrder {
  const fields = asFields(json) ?? {}
  const interaction = fieldsAt(fields, 'interaction')
  const order = fieldsAt(fields, 'order')
  const explanation = problemOf(settings, version, { fields, interaction, order })
  const amountMinor = minorFromMajorText(fieldText(order, 'amount'))
  if (explanation !== undefined) return wrong(explanation)
  if (amountMinor === undefined || amountMinor === 0n) return wrong("Invalid value 'order.amount'")
  const returnUrl = fieldText(interaction, 'returnUrl') || undefined
  return {
    kind: 'asked',
    lifeSeconds: lifeSeconds.parse(interaction['timeout']),
    request: {
      id: fieldText(order, 'id'),
      operation: operation.parse(interaction['operation']),
      version,
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

interface Parts {
  readonly fields: Fields
  readonly interaction: Fields
  readonly order: Fields
}

function problemOf(
  settings: CardSettings,
  version: string,
  { fields, interaction, order }: Parts,
): string | undefined {
  const currency = fieldText(order, 'currency')
  const isStrict = settings.profile === 'strict'
  const rules: readonly (readonly [string, boolean])[] = [
    ['apiOperation', operationsOf(version).includes(fieldText(fields, 'apiOperation'))],
    ['interaction.operation', operation.safeParse(interaction['operation']).success],
    ['interaction.merchant.name', fieldText(fieldsAt(interaction, 'merchant'), 'name') !== ''],
    ['interaction.returnUrl', isReturnUrl(interaction['returnUrl'], isStrict)],
    ['order.id', /^.{1,40}$/.test(fieldText(order, 'id'))],
    ['order.currency', isCurrency(currency, isStrict)],
    ['order.amount', isAmount(currency, order['amount'], isStrict)],
    ['order.description', /^.{1,127}$/.test(fieldText(order, 'description'))],
  ]
  const broken = rules.find(([, isRight]) => !isRight)
  return broken && `Missing or invalid value '${broken[0]}'`
}

function operationsOf(version: string): readonly string[] {
  const isOld = BigInt(version) <= lastOldVersion
  return isOld ? ['INITIATE_CHECKOUT', 'CREATE_CHECKOUT_SESSION'] : ['INITIATE_CHECKOUT']
}

function isReturnUrl(value: unknown, isStrict: boolean): boolean {
  return value === undefined || value === null
    ? !isStrict
    : typeof value === 'string' && URL.canParse(value)
}

function isCurrency(currency: string, isStrict: boolean): boolean {
  return isStrict ? strictCurrencies.includes(currency) : Object.hasOwn(decimals, currency)
}

/** Whether an amount has no more decimals than its currency; in the strict profile, exactly as many. */
function isAmount(currency: string, amount: unknown, isStrict: boolean): boolean {
  const shapes = Object.hasOwn(decimals, currency) ? decimals[currency] : undefined
  if (shapes === undefined) return false
  if (isStrict) return typeof amount === 'string' && shapes.exact.test(amount)
  return (
    (typeof amount === 'string' || typeof amount === 'number') && shapes.loose.test(String(amount))
  )
}

function wrong(explanation: string): ReadOrder {
  return { kind: 'wrong', explanation }
}
