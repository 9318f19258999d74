import type { EvidenceResult } from '../../evidence/rules/evidence'
import type { IntentEvent } from '../../intents/rules/intent'
import { denyAfterSeconds } from '../../intents/rules/decide-claiming'
import { decideEvidence } from '../../evidence/rules/decide-evidence'
import { decidePayBill } from '../../pay-bill/rules/decide-pay-bill'
import type { PayBillFact } from '../../pay-bill/rules/state'
import type {
  EvidenceTerms,
  MatchedIntent,
  Course,
  Decided,
  Fact,
  NotedPayBillReport,
  NotedReport,
  Transfer as Entry,
  Writes,
} from '../../evidence/rules/state'
import { momentOf } from './attempts.harness'
import { times } from './core.harness'
import { Loads } from './loads.harness'
import { handleName } from './starts.harness'
import {
  type Intent,
  type Message,
  never,
  ofHandle,
  type Reported,
  type Settled,
  type Transfer,
} from './tables.harness'

/** Applies a provider's message: loads, decides with the rules of production, and saves. */
export class SimulatedLedger extends Loads {
  /** Applies a message: returns the earlier result for what was applied before. */
  apply(messageId: number): EvidenceResult | undefined {
    const message = this.messages[messageId]
    if (message === undefined) return undefined
    const decided =
      message.intentId === undefined
        ? this.decideUnrequested(message)
        : this.decideRequested(message, message.intentId)
    if (decided?.writes !== undefined) this.save(message, decided.writes)
    return decided?.applied.result
  }

  private decideRequested(message: Message, intentId: number): Decided | undefined {
    const intent = this.intents[intentId]
    const state = intent && this.evidenceState(message, intent)
    if (state === undefined) return undefined
    const command = {
      messageId: String(message.id),
      fact: factOf(message.reported),
      newIntentId: String(this.intents.length),
    }
    return decideEvidence(state, command, this.termsOf(intent))
  }

  private termsOf(intent: Intent | undefined): EvidenceTerms {
    const { queryAfterSeconds } = this.promptTimesOf(intent ?? { rail: 'mpesa' })
    return {
      queryEverySeconds: times.queryEvery,
      denyAfterSeconds: denyAfterSeconds(queryAfterSeconds),
      reportHoldSeconds: times.reportHold,
      unconfirmedMaxMinor: this.unconfirmedMaxMinor,
    }
  }

  private decideUnrequested(message: Message): Decided {
    return decidePayBill(this.payBillState(message), {
      messageId: String(message.id),
      fact: this.paidFactOf(message.reported),
      newIntentId: String(this.intents.length),
    })
  }

  private paidFactOf({ kind, receipt, minor, account = '', isSigned }: Reported): PayBillFact {
    if (kind !== 'receipt' || receipt === undefined || minor === undefined)
      return { kind: 'unreadable' }
    return {
      ...{ kind, receipt, account, amountMinor: minor },
      ...{ paidAt: undefined, payee: this.payeeNamed(account) },
      ...{ isPayeeUnknown: false, phone: undefined },
      ...{ isWithinLimits: true, isSigned: isSigned === true },
      wholeMajorsOnly: this.isWholeShillings,
      holdSeconds: times.reportHold,
      unconfirmedMaxMinor: this.unconfirmedMaxMinor,
    }
  }

  /** Looks up a handle, as the worker does before it has a message applied. */
  private payeeNamed(account: string) {
    const accountId = this.payeeOf(ofHandle)?.accountId ?? ''
    return account === handleName ? { accountId, handle: handleName } : undefined
  }

  /** Saves a decision, as the SQL statement of production does. */
  private save(message: Message, writes: Writes): void {
    this.order += 1
    message.order = this.order
    this.applied.push(message)
    message.fact = writes.message.fact
    message.result = writes.message.result
    message.nextActionAt = never
    this.saveMoney(writes)
    if (writes.paymentEvent !== undefined) {
      const { type, checkoutId } = writes.paymentEvent
      this.events.push({ type, checkoutId: +checkoutId })
    }
    if (writes.report !== undefined) this.list(writes.report)
    if (writes.payBillReport !== undefined) this.listOfMenu(message.id, writes.payBillReport)
  }

  private saveMoney({ intent, matched, suspense, transfers }: Writes): void {
    const row = intent && this.intents[+intent.id]
    const checkoutId = matched === undefined ? row?.checkoutId : checkoutOf(matched)
    for (const entry of transfers) this.enter(entry, checkoutId)
    if (suspense !== undefined) {
      this.suspense.push(suspense)
    }
    if (intent !== undefined && row !== undefined) this.change(row, intent)
    if (matched !== undefined) this.addMatched(matched)
  }

  private listOfMenu(messageId: number, { receipt, minor, ...report }: NotedPayBillReport): void {
    const checkoutId = report.checkoutId === null ? undefined : +report.checkoutId
    const until = momentOf(report.heldUntil)
    this.payBillReports.push({ messageId, receipt, checkoutId, minor, at: this.now, until })
  }

  private enter(
    { eventKey, leg, debit, credit, minor, eventAt }: Entry,
    checkoutId: number | undefined,
  ): void {
    this.posted.add(eventKey)
    const receipt = eventKey.slice(eventKey.lastIndexOf(':') + 1)
    this.post({ receipt, leg, debit, credit, minor, checkoutId, eventAt })
  }

  protected post(transfer: Transfer): void {
    this.transfers.push(transfer)
  }

  protected change(row: Intent, course: Course): void {
    row.endedAt = momentOf(course.endedAt)
    row.deadlineAt = momentOf(course.deadlineAt)
    row.nextActionAt = momentOf(course.nextActionAt)
    row.queryAt = momentOf(course.queryAt)
    row.isReceiptWanted = course.receiptWanted
    row.deniedCode = course.deniedCode ?? undefined
    row.deniedAt = momentOf(course.deniedAt)
    row.reportedAt = momentOf(course.reportedAt)
    const { callbackRequestId } = course
    row.callbackRequestId = callbackRequestId === null ? undefined : +callbackRequestId
    row.settled = settledOf(course)
    // An intent that exists already moves by no initial event.
    if (course.status !== row.status) this.move(row, course.event as IntentEvent)
    if (course.status !== row.status) this.refusal ??= `no event makes an intent ${course.status}`
  }

  private addMatched(matched: MatchedIntent): void {
    const { rail, phone, amountMinor, askedMinor, settledMinor, receipt, disposition } = matched
    this.add(
      {
        ...{ rail, amountMinor, askedMinor, reference: undefined },
        checkoutId: checkoutOf(matched),
        phone: phone === null ? -1 : +phone,
      },
      'matched',
      { receipt, minor: settledMinor, disposition },
    )
  }

  /** Notes a report of payment. It replaces an earlier report of the same receipt that is weaker. */
  private list({ intentId: id, strength, isElsewhere, ...report }: NotedReport): void {
    const { receipt, minor, requestId } = report
    const intentId = +id
    const known = this.reports.find((one) => one.intentId === intentId && one.receipt === receipt)
    if (known === undefined) {
      const named = { receipt, minor, strength, requestId, isElsewhere }
      this.reports.push({ intentId, ...named, at: this.now })
      return
    }
    if (strength > known.strength) Object.assign(known, { strength, minor, requestId })
    known.isElsewhere ||= isElsewhere
  }
}

function checkoutOf({ checkoutId }: MatchedIntent): number {
  return checkoutId === null ? ofHandle : +checkoutId
}

function factOf({ kind, receipt, minor, requestId, code }: Reported): Fact {
  return {
    ...{ kind, receipt, amountMinor: minor },
    providerRequestId: requestId === undefined ? undefined : String(requestId),
    ...(kind === 'declined' && { cause: 'cancelled', providerCode: String(code ?? '') }),
  }
}

function settledOf({ settledMinor, receipt, disposition }: Course): Settled | undefined {
  if (settledMinor === null || receipt === null || disposition === null) return undefined
  // No money is placed by hand, or goes back, in these worlds, so the cast is safe.
  return { receipt, minor: settledMinor, disposition: disposition as Settled['disposition'] }
}
