import type { Rail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import type { Strength } from '../../evidence/rules/evidence'
import type { PayBillState } from '../../pay-bill/rules/state'
import type {
  EvidenceState,
  Intent as LoadedIntent,
  ReceiptElsewhere,
} from '../../evidence/rules/state'
import { receiptKey } from '../../evidence/rules/settle-receipt'
import { instantOf } from './attempts.harness'
import { Inbox } from './inbox.harness'
import { handleName } from './starts.harness'
import {
  type Checkout,
  type Intent,
  type Message,
  micro,
  type Moment,
  ofHandle,
} from './tables.harness'

export interface Report {
  readonly intentId: number
  readonly receipt: string
  readonly minor: Minor
  readonly at: Moment
  readonly requestId: string | null
  strength: Strength
  isElsewhere: boolean
}

export interface PayBillReport {
  readonly messageId: number
  readonly receipt: string
  readonly checkoutId: number | undefined
  readonly minor: Minor
  readonly at: Moment
  readonly until: Moment
}

interface Meant {
  readonly attempt: Intent | undefined
  readonly checkout: Checkout | undefined
  /** The checkout whose account has the wallet that is meant. */
  readonly payee: Checkout | undefined
}

/** Loads what a decision about a message is made of, as `loadEvidence` and `loadPayBill` do. */
export class Loads extends Inbox {
  /** The rows of payment_reports: one for each receipt of an intent, '' where the report names none. */
  readonly reports: Report[] = []
  /** The rows of pay_bill_reports. */
  readonly payBillReports: PayBillReport[] = []

  protected isPosted(rail: Rail, receipt: string | undefined): boolean {
    return receipt !== undefined && this.posted.has(receiptKey(rail, receipt))
  }

  protected evidenceState(message: Message, intent: Intent): EvidenceState | undefined {
    const payee = this.payeeOf(intent.checkoutId)
    if (payee === undefined) return undefined
    const { rail, page } = intent
    const ofIntent = this.reports.filter(({ intentId }) => intentId === intent.id)
    return {
      now: this.now * micro,
      message: { ...stored(message), isBound: true, receivedAt: message.receivedAt * micro },
      intent: this.loaded(intent),
      payeeAccountId: payee.accountId,
      wallet: walletOf(payee),
      isCheckoutPaid: this.isPaid(intent.checkoutId),
      card: page && { feeMinor: page.feeMinor, expiresAt: page.expiresAt * micro },
      declinedHint: this.declinedHint(intent, message),
      isPosted: this.isPosted(rail, message.reported.receipt),
      isPostedByHand: false,
      isRequestTaken:
        intent.requestId === undefined && this.isOfAnother(intent, message.reported.requestId),
      reports: ofIntent.map((one) => {
        const isPosted = this.isPosted(rail, one.receipt)
        return { ...one, paidAt: null, isPosted, isClosed: false }
      }),
      elsewhere: this.elsewhere(intent, [
        ...ofIntent.map(({ receipt }) => receipt),
        ...(message.reported.receipt === undefined ? [] : [message.reported.receipt]),
      ]),
    }
  }

  /** Whether the prompt that a message names is known to be that of another intent of the rail. */
  isOfAnother({ id, rail }: Intent, named: number | undefined): boolean {
    return this.intents.some(
      (other) =>
        other.id !== id &&
        other.rail === rail &&
        named !== undefined &&
        [other.requestId, other.callbackRequestId].includes(named),
    )
  }

  private elsewhere(intent: Intent, named: readonly string[]): readonly ReceiptElsewhere[] {
    if (intent.settled !== undefined) return []
    const posted = [...new Set(named)].filter((receipt) => this.isPosted(intent.rail, receipt))
    return posted.flatMap((receipt) => {
      const owners = this.ownersOf(receipt)
      if (isOfPayment(intent, owners)) return []
      const entries = this.transfers.filter((one) => one.receipt === receipt)
      const minor = entries
        .filter(({ debit }) => debit.startsWith('float:'))
        .reduce((sum, one) => sum + one.minor, 0n)
      const holder = entries.at(-1)?.credit ?? null
      const paidAt = entries[0]?.eventAt ?? 0
      const item = this.suspense.find(
        ({ eventKey }) => eventKey === receiptKey(intent.rail, receipt),
      )
      const hasAccountNumber = item?.hasAccountNumber ?? null
      const money = { receipt, holder, minor, paidAt, hasAccountNumber }
      return [{ ...money, refunds: [], isClaimed: false, isOwned: owners.length > 0 }]
    })
  }

  /** Returns the intents that were settled by a receipt. */
  private ownersOf(receipt: string): readonly Intent[] {
    return this.intents.filter(({ settled }) => settled?.receipt === receipt)
  }

  private isOfOthers(attempt: Intent, receipt: string): boolean {
    const owners = attempt.settled === undefined ? this.ownersOf(receipt) : []
    return owners.length > 0 && !isOfPayment(attempt, owners)
  }

  protected payBillState(message: Message): PayBillState {
    const { account, receipt = '' } = message.reported
    const { attempt, checkout, payee } = this.meant(account)
    const posted = this.transfers.filter((one) => one.receipt === receipt)
    return {
      now: this.now * micro,
      message: stored(message),
      checkout: checkout && {
        ...{ id: String(checkout.id), accountId: checkout.accountId },
        amountMinor: checkout.amountMinor,
      },
      intent: attempt && this.loaded(attempt),
      wallet: payee && { accountId: payee.accountId, state: walletOf(payee) },
      isCheckoutPaid: checkout !== undefined && this.isPaid(checkout.id),
      isPostedByHand: false,
      isReceiptOfAnother: attempt !== undefined && this.isOfOthers(attempt, receipt),
      postedMinor: this.isPosted('paybill', receipt)
        ? posted.reduce((sum, { minor }) => sum + minor, 0n)
        : undefined,
      reports: this.payBillReports
        .filter((report) => report.receipt === receipt)
        .map(({ minor, checkoutId }) => {
          return { minor, checkoutId: checkoutId === undefined ? null : String(checkoutId) }
        }),
    }
  }

  private meant(account: string | undefined): Meant {
    const attempt =
      account === undefined
        ? undefined
        : this.intents.find(({ reference }) => reference === account)
    const checkout = this.checkouts.find(
      ({ id, payBillNumber }) => id === attempt?.checkoutId || payBillNumber === account,
    )
    const isToHandle = attempt?.checkoutId === ofHandle || account === handleName
    return { attempt, checkout, payee: isToHandle ? this.payeeOf(ofHandle) : checkout }
  }

  /** The columns of an attempt, for a decision about a message. */
  protected loaded(intent: Intent): LoadedIntent {
    return {
      id: String(intent.id),
      ...this.ownerOf(intent),
      ...{ cause: null, providerCode: null },
      rail: intent.rail,
      phone: intent.phone < 0 ? null : String(intent.phone),
      amountMinor: intent.amountMinor,
      askedMinor: intent.askedMinor,
      providerRequestId: textOf(intent.requestId),
      submittedAt: instantOf(intent.submittedAt),
      askedAt: instantOf(intent.askedAt),
      status: intent.status,
      event: 'reserved',
      endedAt: instantOf(intent.endedAt),
      deadlineAt: instantOf(intent.deadlineAt),
      nextActionAt: instantOf(intent.nextActionAt),
      queryAt: instantOf(intent.queryAt),
      receiptWanted: intent.isReceiptWanted,
      deniedCode: intent.deniedCode ?? null,
      deniedAt: instantOf(intent.deniedAt),
      ...moneyOf(intent),
      reportedAt: instantOf(intent.reportedAt),
      heldUntil: null,
      callbackRequestId: textOf(intent.callbackRequestId),
    }
  }

  private ownerOf({ checkoutId }: Intent) {
    const accountId = this.payeeOf(checkoutId)?.accountId ?? ''
    return checkoutId === ofHandle
      ? { checkoutId: null, accountId, handle: handleName }
      : { checkoutId: String(checkoutId), accountId: null, handle: null }
  }

  private declinedHint({ id }: Intent, { reported }: Message): EvidenceState['declinedHint'] {
    if (reported.kind !== 'declined' && reported.kind !== 'not_found') return 'none'
    const hints = this.messages.filter(
      ({ intentId, kind, fact }) => intentId === id && kind === 'hint' && fact === 'declined',
    )
    if (hints.length === 0) return 'none'
    return hints.some(({ isSourceKnown }) => isSourceKnown) ? 'known_source' : 'unknown_source'
  }
}

/** Whether receipts of these intents pay the checkout of an intent. */
function isOfPayment({ checkoutId }: Intent, owners: readonly Intent[]): boolean {
  return checkoutId !== ofHandle && owners.some((owner) => owner.checkoutId === checkoutId)
}

function textOf(requestId: number | undefined): string | null {
  return requestId === undefined ? null : String(requestId)
}

function moneyOf({ settled, endedAt }: Intent) {
  if (settled === undefined) {
    return { settledMinor: null, receipt: null, settledAt: null, disposition: null }
  }
  const { minor: settledMinor, receipt, disposition } = settled
  return { settledMinor, receipt, settledAt: instantOf(endedAt), disposition }
}

function stored({ id, kind, isSourceKnown, result }: Message) {
  return { id: String(id), kind, isSourceKnown, result: result ?? null, strength: null }
}

function walletOf({ isFrozen }: Checkout): 'frozen' | 'open' {
  return isFrozen ? 'frozen' : 'open'
}
