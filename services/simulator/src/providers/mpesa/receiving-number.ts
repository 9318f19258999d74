import type { MpesaSettings } from './settings'

type Numbers = Pick<MpesaSettings, 'shortCode' | 'furtherShortCodes' | 'till'>

/** What payers can pay to: the Pay Bill numbers, and the till where there is one. */
export function receivingNumbers({ till, ...numbers }: Numbers): readonly string[] {
  return till === undefined ? shortCodes(numbers) : [...shortCodes(numbers), till]
}

/** Whether a number can sign prompts, and be given orders for. */
export function isShortCode(numbers: Numbers, business: string): boolean {
  return shortCodes(numbers).includes(business)
}

function shortCodes({
  shortCode,
  furtherShortCodes = [],
}: Omit<Numbers, 'till'>): readonly string[] {
  return [shortCode, ...furtherShortCodes]
}

export function isReceivingNumber(numbers: Numbers, business: string): boolean {
  return receivingNumbers(numbers).includes(business)
}

/** A till has no account numbers. */
export function isTill({ till }: Numbers, business: string): boolean {
  return business === till
}
