import type { EvidenceResult } from '../../../evidence/rules/evidence'
import type { RefundWork, RefundCall } from '../../../refunds/rules/decide-sending'
import type { RefundEnd, RefundSender } from '../../../refunds/rules/state'
import {
  type Agreement,
  type ClosingAgreement,
  SimulatedRefunds,
} from '../../simulation/refunds/refund-ledger.harness'
import type { Incoming, Person } from '../../simulation/refunds/refund-tables.harness'
import type { Moment } from '../../simulation/tables.harness'

/** What a world asked its ledger for about one of its refunds. Refunds and messages have the numbers of the world. */
export type OwnRefundCommand =
  | { readonly do: 'ask'; readonly sentBy: RefundSender; readonly by: Person }
  | ({ readonly do: 'decide'; readonly id: number } & Agreement)
  | { readonly do: 'begin' | 'begin_query'; readonly id: number }
  | { readonly do: 'record'; readonly id: number; readonly call: RefundCall }
  | { readonly do: 'receive'; readonly incoming: Incoming }
  | { readonly do: 'apply'; readonly id: number; readonly incoming: Incoming | undefined }
  | {
      readonly do: 'ask_closing'
      readonly id: number
      readonly end: RefundEnd
      readonly by: Person
    }
  | ({ readonly do: 'decide_closing'; readonly id: number } & ClosingAgreement)

/** What all the worlds of a clock do at once. */
export type SharedRefundCommand =
  | { readonly do: 'pass'; readonly now: Moment }
  | { readonly do: 'claim'; readonly works: readonly RefundWork[] }

export type TapedRefund =
  | SharedRefundCommand
  /** A command with its answer. */
  | (OwnRefundCommand & { readonly answer: boolean | number | string | undefined })

/** The simulated refunds, with a tape of every command and its answer. */
export class TapedRefunds extends SimulatedRefunds {
  readonly tape: TapedRefund[] = []

  private note<Answer extends boolean | number | string | undefined>(
    command: OwnRefundCommand,
    answer: Answer,
  ): Answer {
    this.tape.push({ ...command, answer })
    return answer
  }

  override pass(seconds: number): void {
    super.pass(seconds)
    this.tape.push({ do: 'pass', now: this.now })
  }

  override claim(): readonly RefundWork[] {
    const works = super.claim()
    this.tape.push({ do: 'claim', works })
    return works
  }

  override ask(sentBy: RefundSender, by: Person) {
    return this.note({ do: 'ask', sentBy, by }, super.ask(sentBy, by))
  }

  override decide(id: number, agreement: Agreement) {
    return this.note({ do: 'decide', id, ...agreement }, super.decide(id, agreement))
  }

  override begin(id: number): boolean {
    return this.note({ do: 'begin', id }, super.begin(id))
  }

  override record(id: number, call: RefundCall) {
    return this.note({ do: 'record', id, call }, super.record(id, call))
  }

  override beginQuery(id: number): boolean {
    return this.note({ do: 'begin_query', id }, super.beginQuery(id))
  }

  override receive(incoming: Incoming): number | undefined {
    return this.note({ do: 'receive', incoming }, super.receive(incoming))
  }

  override apply(id: number): EvidenceResult | undefined {
    const incoming = this.messages[id]?.incoming
    return this.note({ do: 'apply', id, incoming }, super.apply(id))
  }

  override askClosing(id: number, end: RefundEnd, by: Person) {
    return this.note({ do: 'ask_closing', id, end, by }, super.askClosing(id, end, by))
  }

  override decideClosing(id: number, agreement: ClosingAgreement) {
    return this.note({ do: 'decide_closing', id, ...agreement }, super.decideClosing(id, agreement))
  }
}
