import { railAbilities } from '@malipo/kernel/rail-abilities'
import { providerOf } from '../../journal/rules/postings'
import { makesWayOf } from './refund'
import type { OperatorAction, ReceiptState, Refund, RefundSender } from './state'

export interface RefundRequest {
  readonly refundId: string
  /** `mpesa:QK12345678` */
  readonly subject: string
  readonly sentBy: RefundSender
  readonly operator: string
  readonly note: string
  readonly callbackSecret: string
}

export type AskRefundOutcome =
  | 'asked'
  | 'nothing_to_refund'
  | 'refund_underway'
  | 'rail_without_refunds'

/** A refund that begins, for another operator to agree to. */
export interface NewRefund extends Pick<
  Refund,
  'id' | 'minor' | 'sentBy' | 'status' | 'askedBy' | 'callbackSecret'
> {
  readonly subject: string
}

export interface AskDecided {
  readonly outcome: AskRefundOutcome
  /** Absent where nothing is asked for. */
  readonly writes?: { readonly refund: NewRefund; readonly action: OperatorAction }
}

/** The providers that make a refund on our call; at others a person makes it in the portal. */
const providersWithRefunds: ReadonlySet<string | undefined> = new Set(
  Object.values(providerOf).filter(
    (provider) => railAbilities[provider].refundVerdict !== undefined,
  ),
)

/** Asks for a refund of all that came with a receipt: of a card payment that is the amount and the fee. */
export function askRefund(state: ReceiptState, request: RefundRequest): AskDecided {
  const { money, refunds, isSentByWorkers } = state
  const { refundId: id, subject, sentBy, operator, note, callbackSecret } = request
  if (money?.holder == null) return { outcome: 'nothing_to_refund' }
  if (!refunds.every((status) => makesWayOf[status])) return { outcome: 'refund_underway' }
  const [provider] = subject.split(':')
  if (sentBy === 'us' && !(isSentByWorkers && providersWithRefunds.has(provider))) {
    return { outcome: 'rail_without_refunds' }
  }
  return {
    outcome: 'asked',
    writes: {
      refund: {
        ...{ id, subject, minor: money.minor + money.feeMinor, sentBy },
        ...{ status: 'asked', askedBy: operator, callbackSecret },
      },
      action: { operator, did: 'refund_asked', subject, note },
    },
  }
}
