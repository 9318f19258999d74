import { type Minor, wholeMajorUp } from '@malipo/kernel/money'

/** What a payer is asked for: the amount, or the next that its rail can take. */
export function askedMinorOf(amountMinor: Minor, wholeMajorsOnly: boolean): Minor {
  return wholeMajorsOnly ? wholeMajorUp(amountMinor) : amountMinor
}
