import type { Minor } from '@malipo/kernel/money'
import type { MessageKind } from '../domain/evidence'
import type { RefundStatus } from '../domain/refund'
import type { RefundEnd, RefundSender } from '../domain/refunds/state'
import type { Database } from './database'
import { retryLostRaces } from './retry-lost-races'

export interface Refund {
  readonly refundId: string
  readonly minor: Minor
  readonly sentBy: RefundSender
  readonly status: RefundStatus
  readonly askedBy: string
  readonly askedAt: Date
  readonly decidedBy: string | null
  readonly providerCode: string | null
  readonly closing: RefundEnd | null
  readonly closingAskedBy: string | null
  readonly closedBy: string | null
  readonly isContradicted: boolean
}

export interface AskedRefund {
  readonly refundId: string
  readonly subject: string
  readonly sentBy: RefundSender
  readonly operator: string
  readonly note: string
  readonly callbackSecret: string
}

export type AskRefundOutcome = 'asked' | 'nothing_to_refund' | 'refund_underway'

export async function askRefund(db: Database, asked: AskedRefund): Promise<AskRefundOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ outcome: AskRefundOutcome }]>`
      SELECT ask_refund(
        p_refund_id => ${asked.refundId}, p_subject => ${asked.subject}, p_sent_by => ${asked.sentBy},
        p_operator => ${asked.operator}, p_note => ${asked.note}, p_callback_secret => ${asked.callbackSecret}
      ) AS outcome`,
  )
  return rows[0].outcome
}

/** Keeps what came to the address of a refund, and answers its id; undefined when nobody knows that address. */
export async function storeRefundMessage(
  db: Database,
  message: {
    readonly messageId: string
    readonly refundId: string
    readonly callbackSecret: string
    readonly kind: MessageKind
    readonly body: Buffer
    readonly sourceAddress: string
    readonly sourceKnown: boolean
  },
): Promise<string | undefined> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ id: string | null }]>`
      SELECT store_refund_message(
        p_message_id => ${message.messageId}, p_refund_id => ${message.refundId},
        p_callback_secret => ${message.callbackSecret}, p_kind => ${message.kind}, p_body => ${message.body},
        p_source_address => ${message.sourceAddress}, p_source_known => ${message.sourceKnown}
      ) AS id`,
  )
  return rows[0].id ?? undefined
}

/** Leases refunds that are due to be sent or asked about. */
export async function claimRefunds(
  db: Database,
  lease: { readonly limit: number; readonly leaseSeconds: number },
): Promise<{ readonly kind: 'refund' | 'refund_query'; readonly id: string }[]> {
  return db.$queryRaw`
    SELECT kind, id FROM claim_refunds(p_limit => ${lease.limit}::int, p_lease_seconds => ${lease.leaseSeconds})`
}
