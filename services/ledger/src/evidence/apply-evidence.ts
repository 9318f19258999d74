import type {
  ApplyEvidenceRequest,
  PayBillPaid,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import { notableEvents } from '@malipo/runtime/metrics'
import type { Ledger, Operation } from '../operation'
import type { PayBillCommand } from '../pay-bill/rules/state'
import type { AppliedToRefund } from '../refunds/rules/decide-message'
import type { SharedDatabase } from '../database/database'
import { openBatcher } from '../database/batched'
import { findPaidCheckout } from '../pay-bill/store/pay-bill'
import { placeWantedPayee } from '../suspense/store/placements'
import { applyToRefunds, type RefundMessage } from '../refunds/store/apply'
import { provePayBillAddresses } from '../pay-bill/store/pay-bill-addresses'
import { retryLostRaces } from '../database/transaction'
import { applyPayBill } from '../pay-bill/store/apply-pay-bill'
import { noteStatementRows } from '../statements/store/statements'
import { warnOfContradiction } from '../statements/take-statement-rows'
import { readPayBillPaid } from '../pay-bill/read-pay-bill-paid'
import { countersOf } from './rules/evidence'
import type { EvidenceCommand, Applied, Fact } from './rules/state'
import { applyEvidence as applyBatch } from './store/apply-evidence'

/** The one entry point for money: what a stored message means is decided and posted in one transaction, once. */
export function applyEvidence(deps: Ledger): Operation<'applyEvidence'> {
  const ledger = { ...deps, ...openBatchers(deps) }
  return async ({ messageId, fact: reported, signed }) => {
    const applied = await apply(ledger, { messageId, reported, isSigned: signed ?? false })
    if (applied === undefined) throw new Fault('invalid_request', { field: 'message_id' })
    for (const name of countersOf(applied)) {
      notableEvents.inc({ name })
      deps.log.warn({ messageId, ...applied }, name)
    }
    if (applied.result === 'settled') {
      deps.log.info({ messageId, disposition: applied.disposition }, 'settled')
    }
    const status = wireOf('INTENT_STATUS', applied.status)
    const checkoutId = await findCheckoutPaidBy(deps.db, reported)
    return {
      result: wireOf('EVIDENCE_RESULT', applied.result),
      status,
      checkoutId,
    }
  }
}

interface Batchers {
  toIntent(command: EvidenceCommand): Promise<Applied | undefined>
  toPayBill(command: PayBillCommand): Promise<Applied | undefined>
  toRefund(message: RefundMessage): Promise<AppliedToRefund | undefined>
}

/** Applies messages of one moment in a batch. A message that the batch leaves out is applied alone, and waits for locks. */
function openBatchers({ pool, log, ...terms }: Ledger): Batchers {
  const batched = <Command, Answer>(
    applyAll: (commands: readonly Command[], isWaiting: boolean) => Promise<(Answer | undefined)[]>,
  ) =>
    openBatcher<Command, Answer | undefined>({
      batch: async (commands) =>
        applyAll(commands, false).catch((error: unknown) => {
          // Nothing was written. Applied one by one, only the message with the error fails.
          log.warn({ err: error, commands: commands.length }, 'batch failed; applied one by one')
          return []
        }),
      single: async (command) => (await retryLostRaces(() => applyAll([command], true)))[0],
    })
  return {
    toIntent: batched<EvidenceCommand, Applied>((commands, isWaiting) =>
      applyBatch(pool, commands, { terms, isWaiting }),
    ),
    toPayBill: batched<PayBillCommand, Applied>((commands, isWaiting) =>
      applyPayBill(pool, commands, isWaiting),
    ),
    toRefund: batched<RefundMessage, AppliedToRefund>((messages) => applyToRefunds(pool, messages)),
  }
}

/** A stored message as the worker has parsed it. */
interface ReadMessage {
  readonly messageId: string
  readonly reported: ApplyEvidenceRequest['fact']
  readonly isSigned: boolean
}

async function apply(
  deps: Ledger & Batchers,
  { messageId, reported, isSigned }: ReadMessage,
): Promise<Applied | undefined> {
  const newIntentId = deps.newIds.intent()
  if (reported?.$case === 'payBillPaid')
    return applyPaid(deps, { messageId, reported: reported.value }, newIntentId)
  const fact = { ...readFact(reported), isSigned }
  const applied =
    (await deps.toIntent({ messageId, fact, newIntentId })) ??
    (await toRefund(deps, { messageId, fact }))
  if (applied !== undefined || fact.kind !== 'unreadable') return applied
  // An unreadable message without an intent is one of the Pay Bill menu.
  return deps.toPayBill({
    messageId,
    fact: { kind: 'unreadable' },
    newIntentId,
  })
}

/** Money from the Pay Bill menu. */
async function applyPaid(
  deps: Ledger & Batchers,
  { messageId, reported }: { readonly messageId: string; readonly reported: PayBillPaid },
  newIntentId: string,
): Promise<Applied | undefined> {
  // The row is stored before the message is applied: an applied message is not handed out again, so a failure in
  // between would lose the row.
  const row = { paidAt: undefined, ...reported, messageId }
  const differing = await noteStatementRows(deps.pool, [row])
  for (const receipt of differing) warnOfContradiction(deps.log, receipt)
  const paid = readPayBillPaid(reported, deps.payBill)
  const applied = await deps.toPayBill({ messageId, fact: paid, newIntentId })
  if (applied?.kind === 'callback') await provePayBillAddresses(deps.db, messageId)
  // An earlier call posted the money, and its payee may be known by now.
  const isRepeated = applied?.disposition === null && applied.result === 'settled'
  if (isRepeated && !paid.isPayeeUnknown) {
    await placeWantedPayee(deps.pool, messageId, { ...paid, newIntentId })
  }
  return applied
}

/** Finds the checkout that money from the menu has paid, so that its waiting readers are notified. */
async function findCheckoutPaidBy(
  db: SharedDatabase['db'],
  reported: ApplyEvidenceRequest['fact'],
): Promise<string | undefined> {
  return reported?.$case === 'payBillPaid'
    ? findPaidCheckout(db, reported.value.receipt)
    : undefined
}

/** Applies a message about money that goes back, which belongs to no attempt. */
async function toRefund(ways: Batchers, message: RefundMessage): Promise<Applied | undefined> {
  const applied = await ways.toRefund(message)
  if (applied === undefined) return undefined
  const { result } = applied
  if (result === 'settled') notableEvents.inc({ name: 'refund_paid' })
  if (result === 'failed') notableEvents.inc({ name: 'refund_failed' })
  return { ...applied, status: null, statusBefore: null, disposition: null }
}

function readFact(
  fact: Exclude<ApplyEvidenceRequest['fact'], { readonly $case: 'payBillPaid' }>,
): Fact {
  switch (fact?.$case) {
    case 'confirmed':
      return {
        ...fact.value,
        kind: fact.value.receipt === undefined ? 'paid' : 'receipt',
      }
    // A refusal without a cause is a refusal all the same.
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
