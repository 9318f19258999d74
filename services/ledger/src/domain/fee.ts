import { isWholeMajor, type Minor, minorPerMajor } from '@malipo/kernel/money'

export interface CardTerms {
  readonly feeMinor: Minor
  readonly totalMinor: Minor
}

/**
 * What a payer by card pays on top, in basis points of the amount, rounded up to a whole major unit: the merchant
 * receives the whole amount. Undefined where a card cannot pay the amount, or the country has no card rail.
 */
export function cardTerms(amountMinor: Minor, feeBps: bigint | undefined): CardTerms | undefined {
  if (feeBps === undefined || !isWholeMajor(amountMinor)) return undefined
  // Rounding up twice and rounding up once to the coarser unit are the same.
  const wholeMajors = (amountMinor * feeBps + unit - 1n) / unit
  const feeMinor = wholeMajors * minorPerMajor
  return { feeMinor, totalMinor: amountMinor + feeMinor }
}

const unit = 10_000n * minorPerMajor
