/** Money is whole minor units in a bigint everywhere; a `number` never holds it. */
export type Minor = bigint

/** 100 minor units make one major unit, in KES and in UGX alike (interface, What the service does). */
export const minorPerMajor = 100n

export type Currency = 'KES' | 'UGX'

/** Whether the amount is in whole shillings, which Daraja, UGX and cards require. */
export function isWholeMajor(minor: Minor): boolean {
  return minor % minorPerMajor === 0n
}

/** Rounds the amount up to whole shillings: `150050n` -> `150100n`. */
export function wholeMajorUp(minor: Minor): Minor {
  return ((minor + minorPerMajor - 1n) / minorPerMajor) * minorPerMajor
}

/** `150050n` -> `"1500.50"`; `500000n` -> `"5000"`. For providers and people, never for our own JSON. */
export function majorText(minor: Minor): string {
  const whole = String(minor / minorPerMajor)
  const rest = minor % minorPerMajor
  return rest === 0n ? whole : `${whole}.${String(rest).padStart(2, '0')}`
}

const moneyFormats = { KES: openMoneyFormat('KES'), UGX: openMoneyFormat('UGX') }

function openMoneyFormat(currency: Currency): Intl.NumberFormat {
  return new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
}

/** `KES 1,500.00`, `−UGX 5,000`: as people read it, the same in every language. */
export function moneyText(currency: Currency, minor: Minor): string {
  const size = majorText(minor < 0n ? -minor : minor)
  // Passes the decimal text, not a number: Intl then formats it without rounding.
  const text = moneyFormats[currency].format(size as `${number}`)
  return minor < 0n ? `−${text}` : text
}

/** Parses a provider's amount, `"500"`, `"500.0"`, `"500.00"`: at most two decimals, no sign, no separator. */
export function minorFromMajorText(text: string): Minor | undefined {
  const match = /^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$/.exec(text)
  if (match?.[1] === undefined) return undefined
  return BigInt(match[1]) * minorPerMajor + BigInt((match[2] ?? '').padEnd(2, '0'))
}

/** Parses the amount of a payment; undefined when it is malformed or zero. */
export function paidFromMajorText(text: string): Minor | undefined {
  const amountMinor = minorFromMajorText(text)
  return amountMinor === 0n ? undefined : amountMinor
}

/** `1500` or `1,500.50`: commas between all thousands or none, and a point before cents. */
const writtenShape = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/

/**
 * Parses an amount in major units as people write it, such as `KES 1 500.50` or `1,500/=`; undefined when it is
 * ambiguous or malformed.
 */
export function amountFromPerson(text: string): Minor | undefined {
  const bare = text
    .replace(/^\s*(?:kes|ksh|kshs|ugx|ush|ushs)[.\s]*/i, '')
    .replace(/\/[=-]\s*$/, '')
    .replace(/\s/g, '')
  if (!writtenShape.test(bare)) return undefined
  return minorFromMajorText(bare.replaceAll(',', '').replace(/^0+(?=\d)/, ''))
}
