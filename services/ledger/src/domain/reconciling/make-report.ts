import type { Minor } from '@malipo/kernel/money'
import type { Instant } from '../settlement/state'
import { type Comparison, compareReceipts, type ReceiptGroup } from './compare-receipts'

/** What moved over a provider's float. */
export interface FloatMoves {
  /** Within the day. */
  readonly refundedMinor: Minor
  /** Until the end of the day, since the beginning. */
  readonly inMinor: Minor
  readonly outMinor: Minor
}

/** The provider's word against the journal, of one day and one provider. */
export interface DayReport extends Comparison {
  readonly provider: string
  readonly refundedMinor: Minor
  readonly floatMinor: Minor
  /** Until when the provider's word is known without a gap, at most the end of the day. */
  readonly readUntil: Instant
}

/** What is known of a provider on a day. */
export interface ProviderDay {
  readonly provider: string
  readonly readUntil: Instant
  readonly float: FloatMoves
}

/** Makes the report of each provider of a day. */
export function makeReports(
  days: readonly ProviderDay[],
  groups: readonly ReceiptGroup[],
): DayReport[] {
  return days.map(({ provider, readUntil, float }) => ({
    ...compareReceipts(groups.filter((group) => group.provider === provider)),
    ...{ provider, readUntil },
    refundedMinor: float.refundedMinor,
    floatMinor: float.inMinor - float.outMinor,
  }))
}
