import type { EvidenceResult, MessageKind, Strength } from './evidence'
import type { IntentStatus } from './intent'
import type { Disposition } from './settle'

/** What came of applying a piece of evidence. */
export interface Outcome {
  readonly result: EvidenceResult
  /** Absent when the money was asked for by no attempt. */
  readonly statusBefore: IntentStatus | null
  readonly kind: MessageKind
  readonly strength: Strength | null
  readonly disposition: Disposition | null
}

const ofResult: Readonly<Record<EvidenceResult, readonly string[]>> = {
  settled: [],
  already_settled: [],
  failed: [],
  kept: [],
  contradiction: ['contradiction'],
  parked: ['inbox_parked'],
}

const ofDisposition: Readonly<Record<Disposition, readonly string[]>> = {
  merchant: [],
  suspense_duplicate: ['double_payment', 'suspense_duplicate'],
  suspense_mismatch: ['suspense_mismatch'],
  suspense_unmatched: ['suspense_unmatched'],
}

/** The counters that one outcome raises, for alerts to read. An ordinary payment raises none. */
export function countersOf({
  result,
  statusBefore,
  kind,
  strength,
  disposition,
}: Outcome): string[] {
  const isLate = result === 'settled' && (statusBefore === 'failed' || statusBefore === 'expired')
  const isWeak = result === 'kept' && kind === 'callback' && strength !== 'E3'
  return [
    ...ofResult[result],
    ...(disposition === null ? [] : ofDisposition[disposition]),
    ...(isLate ? ['late_success'] : []),
    ...(isWeak ? ['callback_mismatch'] : []),
  ]
}
