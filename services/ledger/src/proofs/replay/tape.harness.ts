import type { Due } from '../simulation/attempts.harness'
import { core } from '../simulation/core.harness'
import type { Received } from '../simulation/inbox.harness'
import { SimulatedLedger } from '../simulation/ledger.harness'
import type { Started } from '../simulation/starts.harness'
import type { StartInput, Message, Moment } from '../simulation/tables.harness'
import type { EvidenceResult } from '../../evidence/rules/evidence'
import type { SubmitOutcome } from '../../intents/rules/decide-submit'

/** A call of a world to its ledger, and the answer. Checkouts, intents and messages have the numbers of the world. */
export type Command =
  | { readonly do: 'pass'; readonly now: Moment }
  | { readonly do: 'freeze'; readonly checkoutId: number; readonly isFrozen: boolean }
  | { readonly do: 'start'; readonly request: StartInput; readonly answer: Started }
  | { readonly do: 'begin_submit'; readonly intentId: number; readonly answer: boolean }
  | ({ readonly do: 'record_submit'; readonly intentId: number } & SubmitEnded)
  | { readonly do: 'begin_query'; readonly intentId: number; readonly answer: boolean }
  | { readonly do: 'receive'; readonly received: Received; readonly answer: number }
  | {
      readonly do: 'apply'
      readonly message: Message
      readonly answer: EvidenceResult | undefined
    }
  | { readonly do: 'expire'; readonly answer: readonly number[] }
  | { readonly do: 'claim'; readonly answer: readonly Due[] }

/** A command that is about one world alone. */
export type OwnCommand = Exclude<Command, { readonly do: 'pass' | 'expire' | 'claim' }>

interface SubmitEnded {
  readonly outcome: SubmitOutcome
  readonly requestId: number | undefined
}

/** A command, and the operator's setting of whole shillings at that moment. */
export type Taped = Command & { readonly isWholeShillings: boolean }

/** The call to the provider that sends a prompt. */
export interface Wire {
  readonly beganAt: Moment
  endedAt?: Moment
  outcome?: SubmitOutcome
}

/** The simulated ledger, with a tape of all calls and their answers. */
export class TapedLedger extends SimulatedLedger {
  readonly tape: Taped[] = []
  readonly wires = new Map<number, Wire>()
  /** How often each message came, by its number. */
  readonly deliveries = new Map<number, number>()
  private readonly frozen = new Map<number, boolean>()

  private note(command: Command): void {
    for (const { id: checkoutId, isFrozen } of this.checkouts) {
      if ((this.frozen.get(checkoutId) ?? false) === isFrozen) continue
      this.frozen.set(checkoutId, isFrozen)
      this.put({ do: 'freeze', checkoutId, isFrozen })
    }
    this.put(command)
  }

  private put(command: Command): void {
    this.tape.push({ ...command, isWholeShillings: this.isWholeShillings })
  }

  override pass(seconds: number): void {
    super.pass(seconds)
    this.note({ do: 'pass', now: this.now })
  }

  override start(request: StartInput): Started {
    const answer = super.start(request)
    this.note({ do: 'start', request, answer })
    return answer
  }

  override beginSubmit(intentId: number): boolean {
    const answer = super.beginSubmit(intentId)
    if (answer) this.wires.set(intentId, { beganAt: this.now })
    this.note({ do: 'begin_submit', intentId, answer })
    return answer
  }

  override recordSubmit(intentId: number, outcome: SubmitOutcome, requestId?: number): void {
    super.recordSubmit(intentId, outcome, requestId)
    const wire = this.wires.get(intentId)
    if (wire !== undefined && wire.outcome === undefined) {
      Object.assign(wire, { outcome, endedAt: this.now })
    }
    this.note({ do: 'record_submit', intentId, outcome, requestId })
  }

  override beginQuery(intentId: number): boolean {
    const answer = super.beginQuery(intentId)
    this.note({ do: 'begin_query', intentId, answer })
    return answer
  }

  override receive(received: Received): Message {
    const message = super.receive(received)
    this.deliveries.set(message.id, (this.deliveries.get(message.id) ?? 0) + 1)
    this.note({ do: 'receive', received, answer: message.id })
    return message
  }

  override apply(messageId: number): EvidenceResult | undefined {
    const answer = super.apply(messageId)
    const message = this.messages[messageId]
    if (message !== undefined) this.note({ do: 'apply', message, answer })
    return answer
  }

  override expireOverdue(): number {
    const overdue = this.intents.filter(({ deadlineAt }) => deadlineAt <= this.now)
    const expired = super.expireOverdue()
    this.note({ do: 'expire', answer: overdue.map(({ id }) => id) })
    return expired
  }

  override claimDue(limit: number): Due[] {
    const answer = super.claimDue(limit)
    this.note({ do: 'claim', answer })
    return answer
  }
}

export const taped = { core, Ledger: TapedLedger }
