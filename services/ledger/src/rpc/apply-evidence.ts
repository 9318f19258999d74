import {
  type ApplyEvidenceRequest,
  type LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import { happenings } from '@malipo/runtime/metrics'
import { newsOf } from '../domain/news'
import type { Database } from '../store/database'
import {
  type Applied,
  applyEvidence as applyFact,
  type Fact,
  type Payment,
  settleTogether,
} from '../store/evidence'
import { gather } from '../store/gather'
import type { NewIds } from '../store/new-ids'
import { applyPayBill, findPaidCheckout, placeWantedPayee } from '../store/pay-bill'
import { applyToRefund } from '../store/refunds'
import { noteStatementRow } from '../store/statements'
import { type PayBillTrust, readPayBillPaid } from './read-pay-bill-paid'

export interface ApplyEvidenceDeps {
  readonly db: Database
  readonly newIds: NewIds
  readonly queryEverySeconds: number
  readonly denyAfterSeconds: number
  readonly reportHoldSeconds: number
  readonly unconfirmedMaxMinor: bigint
  readonly payBill: PayBillTrust
  readonly log: Log
}

/** The one door for money: what a stored message means is decided and posted in one transaction, once. */
export function applyEvidence(
  deps: ApplyEvidenceDeps,
): Operations<LedgerServiceServer>['applyEvidence'] {
  const settle = gather<Payment, Applied | undefined>({
    together: async (payments) =>
      settleTogether(deps.db, payments, deps).catch((error: unknown) => {
        // Nothing was done. Whoever it was about will hear of it, and the others will be settled.
        deps.log.warn({ err: error, payments: payments.length }, 'to be settled one by one')
        return []
      }),
    alone: async ({ messageId, fact }) => applyAlone(deps, messageId, fact),
  })
  return async ({ messageId, fact: said, signed }) => {
    const applied = await apply({ ...deps, settle }, { messageId, said, isSigned: signed ?? false })
    if (applied === undefined) throw new Fault('invalid_request', { field: 'message_id' })
    for (const name of newsOf(applied)) {
      happenings.inc({ name })
      deps.log.warn({ messageId, ...applied }, name)
    }
    const status = wireOf('INTENT_STATUS', applied.status)
    const checkoutId = await findCheckoutPaidBy(deps.db, said)
    return { result: wireOf('EVIDENCE_RESULT', applied.result), status, checkoutId }
  }
}

/** A message as its reader has read it. */
interface ReadMessage {
  readonly messageId: string
  readonly said: ApplyEvidenceRequest['fact']
  readonly isSigned: boolean
}

async function apply(
  deps: ApplyEvidenceDeps & { settle(payment: Payment): Promise<Applied | undefined> },
  { messageId, said, isSigned }: ReadMessage,
): Promise<Applied | undefined> {
  if (said?.$case === 'payBillPaid') {
    const { db } = deps
    const newIntentId = deps.newIds.intent()
    // Before it is applied, as nobody reads it again after that.
    await noteStatementRow(db, messageId, { paidAt: undefined, ...said.value })
    const paid = readPayBillPaid(said.value, deps.payBill)
    const applied = await applyPayBill(db, messageId, paid, newIntentId)
    // It was posted before: now somebody may know whose it is.
    const isRepeated = applied?.disposition === null && applied.result === 'settled'
    if (isRepeated && !paid.isPayeeUnknown) await placeWantedPayee(db, messageId, paid, newIntentId)
    return applied
  }
  const fact = { ...readFact(said), isSigned }
  return fact.kind === 'receipt'
    ? deps.settle({ messageId, fact })
    : applyAlone(deps, messageId, fact)
}

async function applyAlone(
  deps: ApplyEvidenceDeps,
  messageId: string,
  fact: Fact,
): Promise<Applied | undefined> {
  const { db } = deps
  const newIntentId = deps.newIds.intent()
  const applied =
    (await applyFact(db, messageId, fact, { ...deps, newIntentId })) ??
    (await toRefund(db, messageId, fact))
  if (applied !== undefined || fact.kind !== 'unreadable') return applied
  // Of a message without an attempt, whose reader did not get as far as to say so.
  return applyPayBill(db, messageId, { kind: 'unreadable' }, newIntentId)
}

/** Waiting readers of a checkout are told of what its payer paid from the menu. */
async function findCheckoutPaidBy(
  db: Database,
  said: ApplyEvidenceRequest['fact'],
): Promise<string | undefined> {
  return said?.$case === 'payBillPaid' ? findPaidCheckout(db, said.value.receipt) : undefined
}

/** Of a message about money that goes back, which belongs to no attempt. */
async function toRefund(db: Database, messageId: string, fact: Fact): Promise<Applied | undefined> {
  const applied = await applyToRefund(db, messageId, fact)
  if (applied === undefined) return undefined
  const { result } = applied
  if (result === 'settled') happenings.inc({ name: 'refund_paid' })
  if (result === 'failed') happenings.inc({ name: 'refund_failed' })
  return { ...applied, status: null, statusBefore: null, disposition: null }
}

function readFact(
  fact: Exclude<ApplyEvidenceRequest['fact'], { readonly $case: 'payBillPaid' }>,
): Fact {
  switch (fact?.$case) {
    case 'confirmed':
      return { ...fact.value, kind: fact.value.receipt === undefined ? 'paid' : 'receipt' }
    // Whoever cannot say why was refused all the same.
    case 'declined':
      return {
        ...fact.value,
        kind: 'declined',
        cause: wordOf('FAILURE_CAUSE', fact.value.cause) ?? 'refused',
      }
    case 'undecided':
      return { kind: 'undecided', providerCode: fact.value.providerCode }
    case 'notFound':
      return { kind: 'not_found', providerCode: fact.value.providerCode }
    case 'unreadable':
      return { kind: 'unreadable' }
    case undefined:
      throw new Fault('invalid_request', { field: 'fact' })
  }
}
