import type { Rail } from '@malipo/kernel/countries'
import type { Fact, MessageKind } from '@malipo/kernel/provider-fact'
import type { EvidenceResult, FoundPayee } from '@malipo/ledger-client/evidence'
import { typedHandle } from '@malipo/rails/mpesa/pay-bill'
import { readers, refundReaders } from '@malipo/rails/registry'
import { sharedCallbacks } from '@malipo/rails/shared-callbacks'
import { notableEvents } from '@malipo/runtime/metrics'
import { noteSubject, resumeTrace } from '@malipo/runtime/telemetry'
import type { JobDeps } from '../sweep/job-deps'

/** Parses a stored message, and has the ledger apply it. Repeating it changes nothing. */
export async function readProviderMessage(deps: JobDeps, messageId: string): Promise<string> {
  const message = await deps.ledger.readProviderMessage(messageId)
  noteSubject({ messageId, intentId: message.intentId })
  if (message.isApplied) return 'already_applied'
  const isSigned = message.kind === 'callback' && checkSignature(deps, message)
  const isHearsay = message.kind === 'callback' && message.rail in sharedCallbacks && !isSigned
  const { intentId } = message
  return resumeTrace('apply-message', message.traceparent, () =>
    applyMessage(deps, { messageId, intentId, fact: factOf(message), isSigned, isHearsay }),
  )
}

/**
 * Whether the provider has signed the body. Where callbacks are weak the status is queried all the same; a valid
 * signature binds a report of payment to its intent, and many invalid ones show that someone forges callbacks.
 */
function checkSignature(deps: JobDeps, message: { rail: Rail; body: Uint8Array }): boolean {
  const check = deps.rails.get(message.rail)?.checkSignature?.(message.body)
  if (check !== undefined) notableEvents.inc({ name: `callback_signature_${check}` })
  if (check === 'wrong') deps.log.warn('the signature of a callback is wrong')
  return check === 'right'
}

/** Reads a provider's body as a fact, by the reader of its rail; `isOfRefund` selects the reader for refunds. */
export function factOf(message: {
  readonly rail: Rail
  readonly kind: MessageKind
  readonly body: Uint8Array
  readonly isOfRefund?: boolean
}): Fact {
  const read = (message.isOfRefund === true ? refundReaders : readers)[message.rail]
  if (read === undefined)
    return { kind: 'unreadable', detail: `no reader for rail ${message.rail}` }
  return read(message.kind, message.body)
}

interface Message {
  readonly messageId: string
  /** Undefined for a message that names no intent. */
  readonly intentId: string | undefined
  readonly fact: Fact
  /** True when the body carries a valid signature of the provider. */
  readonly isSigned?: boolean
  /** True for an unsigned callback to the one address for all payments of a rail: anyone may have sent it. */
  readonly isHearsay?: boolean
}

export async function applyMessage(
  deps: JobDeps,
  { messageId, intentId, fact, isSigned = false, isHearsay = false }: Message,
): Promise<EvidenceResult> {
  // An unlisted code is not counted where anyone may have sent it: a genuine one comes again in a status query.
  if (isUnlisted(fact) && !isHearsay) {
    // An unknown code counts as pending, or is the reason of a failed payment; the code table should get a row for it.
    notableEvents.inc({ name: 'provider_code_unknown' })
    deps.log.warn({ messageId, providerCode: fact.providerCode }, 'a provider code without a row')
  }
  const payee = fact.kind === 'pay_bill_paid' ? await payeeOf(deps, fact.accountNumber) : undefined
  const applied = await deps.ledger.applyEvidence(messageId, fact, { payee, isSigned })
  const { result, checkoutId } = applied
  // A message that was only kept has changed no status.
  if (result !== 'kept') deps.announce([intentId, checkoutId])
  // The reference that a payer quotes to support.
  const receipt = 'receipt' in fact ? fact.receipt : undefined
  deps.log.info({ messageId, fact: fact.kind, receipt, result }, 'evidence')
  return result
}

function isUnlisted(fact: Fact): fact is Extract<Fact, { kind: 'undecided' | 'declined' }> {
  return (fact.kind === 'undecided' || fact.kind === 'declined') && fact.listed === false
}

/** The payee of an account number that is a handle; undefined for other numbers and unknown handles. */
export async function payeeOf(
  deps: Pick<JobDeps, 'findPayee' | 'log'>,
  accountNumber: string,
): Promise<FoundPayee> {
  const handle = typedHandle(accountNumber)
  if (handle === undefined) return undefined
  const payee = await deps.findPayee(handle).catch((error: unknown) => {
    // One lookup that fails must not hold up the rows of a statement behind it.
    deps.log.error({ error }, 'the payee of a handle was not looked up')
    return 'unanswered' as const
  })
  if (payee === 'unanswered') {
    // The money is posted to suspense; the ledger hands the message out again until the lookup succeeds.
    notableEvents.inc({ name: 'payee_unknown' })
    deps.log.warn('handle lookup unavailable; payment held in suspense')
  }
  return payee
}
