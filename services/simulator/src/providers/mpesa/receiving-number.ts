import type { MpesaSettings } from './settings'

type Numbers = Pick<MpesaSettings, 'shortCode' | 'till'>

/** What payers can pay to: the Pay Bill number, and the till where there is one. */
export function receivingNumbers({ shortCode, till }: Numbers): readonly string[] {
  return till === undefined ? [shortCode] : [shortCode, till]
}

export function isReceivingNumber(numbers: Numbers, business: string): boolean {
  return receivingNumbers(numbers).includes(business)
}

/** A till has no account numbers. */
export function isTill({ till }: Numbers, business: string): boolean {
  return business === till
}
