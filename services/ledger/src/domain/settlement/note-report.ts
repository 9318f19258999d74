import { providerOf } from '../chart'
import type { EvidenceResult } from '../evidence'
import type { EvidenceState, EvidenceTerms } from './evidence-state'
import { askedOf, claimsPayment, type Evaluated } from './evaluate'
import { type Fact, type Intent, later, type Writes } from './state'

/** Whether a message reports a payment that it did not settle. What is neither bound nor signed may be made up. */
export function isReport(
  { message }: EvidenceState,
  { isSigned = false }: Fact,
  { fact, strength }: Evaluated,
  result: EvidenceResult,
): boolean {
  const isSettled = result === 'settled' || result === 'already_settled'
  return claimsPayment(fact) && strength !== 'E1' && (message.isBound || isSigned) && !isSettled
}

/**
 * Lists a report of payment, once a receipt, unless the journal has it; and holds an intent in flight open for it. A
 * report in order makes more of an earlier one of the same receipt.
 */
export function noteReport(
  state: EvidenceState,
  { strength, receipt = '', minor = askedOf(state), paidAt }: Evaluated,
  { reportHoldSeconds }: EvidenceTerms,
): Pick<Writes, 'report'> & { readonly intent?: Intent } {
  const { intent, message, reports } = state
  if (receipt === '' ? intent.settledAt !== null : state.isPosted) return {}
  const known = reports.find((report) => report.receipt === receipt)
  const held = hold(state, reportHoldSeconds)
  const report = {
    ...{
      intentId: intent.id,
      receipt,
      messageId: message.id,
      provider: providerOf[intent.rail],
    },
    ...{ minor, strength, paidAt },
  }
  return {
    ...(held && { intent: held }),
    ...((known === undefined || known.strength < strength) && { report }),
  }
}

/** Only the first report of an intent extends its deadline, so that no number of them holds it forever. */
function hold({ intent, now }: EvidenceState, seconds: number): Intent | undefined {
  const { submittedAt, settledAt, reportedAt, endedAt, deadlineAt } = intent
  if (reportedAt !== null || settledAt !== null || submittedAt === null) return undefined
  if (endedAt !== null) return { ...intent, reportedAt: now, heldUntil: null, deadlineAt: null }
  const until = later(now, seconds)
  const extended = Math.max(deadlineAt ?? until, until)
  return { ...intent, reportedAt: now, heldUntil: until, deadlineAt: extended }
}
