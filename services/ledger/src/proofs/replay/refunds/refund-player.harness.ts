import {
  type ApplyEvidenceRequest,
  FailureCause,
  type RecordRefundRequest,
  type LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import type { Pool } from 'pg'
import type { Calls } from '@malipo/runtime/grpc'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { refundToken } from '../../../database/ids'
import type { RefundCall } from '../../../refunds/rules/decide-sending'
import {
  accountOf,
  factOf,
  type Incoming,
  type Person,
  people,
} from '../../simulation/refunds/refund-tables.harness'
import { confirmed, insist, payments, present } from '../../../payments.harness'
import { note, amina, brian } from '../../../operators/operators.harness'
import { lineOf } from '../calls.harness'
import { openReceipt, type OpenedReceipt } from './refund-receipt.harness'
import type { PlayedRefunds } from './refund-group.harness'
import type { OwnRefundCommand, TapedRefund } from './refund-tape.harness'
import type { RunningLedger } from '../../../start.harness'

type Own = Extract<TapedRefund, { readonly answer: unknown }>

/** Makes the calls of a simulated world to a real ledger, and remembers the real id of each number in the world. */
export class RefundPlayer {
  readonly world: PlayedRefunds
  readonly refunds: string[] = []
  readonly messages: string[] = []
  /** The calls that the real ledger answered differently. */
  readonly differences: string[] = []
  private readonly callers: RefundCallers
  private readonly owner: Pool
  private opened: OpenedReceipt | undefined

  constructor(world: PlayedRefunds, callers: RefundCallers, owner: Pool) {
    this.world = world
    this.callers = callers
    this.owner = owner
  }

  /** Brings in the money that may go back. */
  async open(): Promise<void> {
    const { seed, ledger } = this.world
    this.opened = await openReceipt(this.callers.ledger, this.owner, {
      seed,
      setting: ledger.setting,
    })
  }

  get receipt(): OpenedReceipt {
    return present(this.opened)
  }

  get subject(): string {
    return `${this.world.ledger.setting.provider}:${this.receipt.receipt}`
  }

  async play(command: Own): Promise<void> {
    // After the first difference the real ledger is in another state than the world, and further answers mean nothing.
    if (this.differences.length > 0) return
    const answer = await insist(() => this.ask(command)).catch(String)
    if (answer === command.answer) return
    this.differences.push(`${lineOf(command)} was answered ${String(answer)}`)
  }

  /** Compares what an operator who looks the receipt up is shown in the end. */
  async finish(): Promise<void> {
    if (this.differences.length > 0) return
    const { subject } = this
    const { holder, refunds } = await insist(() => this.callers.ledger.readReceipt({ subject }))
    const shown = refunds.map(({ refundId, status, contradicted, closing: one }) => {
      const closing = one && [wordOf('REFUND_END', one.end), one.askedBy, one.closedBy]
      return { id: this.refunds.indexOf(refundId), status, contradicted, closing }
    })
    const got = lineOf({ holder, refunds: shown.toSorted((one, other) => one.id - other.id) })
    const expected = lineOf(this.expectedReceipt())
    if (got !== expected)
      this.differences.push(`the receipt is shown as ${got}, and not ${expected}`)
  }

  private expectedReceipt() {
    const { refunds, messages, setting, transfers } = this.world.ledger
    const isGone = transfers.some(({ eventKey }) => eventKey.startsWith('refunded:'))
    const account = accountOf(setting).replace(/:m0$/, `:${this.receipt.accountId}`)
    const shown = refunds.map(({ status, closing, closingAskedBy, closedBy }, id) => {
      const contradicted = messages.some(
        ({ incoming, result }) => incoming.refundId === id && result === 'contradiction',
      )
      const by = closing === null ? undefined : [closing, closingAskedBy, closedBy]
      return { id, status, contradicted, closing: by }
    })
    return { holder: isGone ? undefined : account, refunds: shown }
  }

  private async ask(command: OwnRefundCommand): Promise<unknown> {
    const { ledger, as } = this.callers
    switch (command.do) {
      case 'ask':
        return this.askRefund(command)
      case 'decide': {
        const request = { refundId: this.id(command.id), agreed: command.isAgreed, note }
        const { outcome } = await as[command.by].decideRefund(request)
        return wordOf('DECIDE_REFUND_OUTCOME', outcome)
      }
      case 'begin':
        return this.isOrder((await ledger.beginRefund({ refundId: this.id(command.id) })).order)
      case 'begin_query': {
        const { order } = await ledger.beginRefundQuery({ refundId: this.id(command.id) })
        return this.isOrder(order)
      }
      case 'record': {
        const outcome = outcomeOf(command.call)
        return (await ledger.recordRefund({ refundId: this.id(command.id), outcome })).status
      }
      case 'receive':
        return this.receive(command.incoming)
      case 'apply': {
        const messageId = present(this.messages[command.id])
        const fact = this.factOf(present(command.incoming))
        return wordOf('EVIDENCE_RESULT', (await ledger.applyEvidence({ messageId, fact })).result)
      }
      case 'ask_closing': {
        const end = wireOf('REFUND_END', command.end)
        const request = { refundId: this.id(command.id), end, note }
        const { outcome } = await as[command.by].askRefundClosing(request)
        return wordOf('ASK_REFUND_CLOSING_OUTCOME', outcome)
      }
      case 'decide_closing': {
        const { isAgreed: agreed } = command
        const end = wireOf('REFUND_END', command.end)
        const request = { refundId: this.id(command.id), agreed, end, note }
        const { outcome } = await as[command.by].decideRefundClosing(request)
        return wordOf('DECIDE_REFUND_CLOSING_OUTCOME', outcome)
      }
    }
  }

  private id(number: number): string {
    return present(this.refunds[number])
  }

  private async askRefund({ sentBy, by }: Extract<OwnRefundCommand, { readonly do: 'ask' }>) {
    const { subject } = this
    const request = { subject, sentBy: wireOf('REFUND_SENDER', sentBy), note }
    const { outcome, refundId } = await this.callers.as[by].askRefund(request)
    if (refundId !== undefined) this.refunds.push(refundId)
    return wordOf('ASK_REFUND_OUTCOME', outcome)
  }

  /** Returns whether the worker got an order; the order as text when its receipt or amount is wrong. */
  private isOrder(
    order:
      | { readonly receipt: string; readonly amount: { readonly minor: bigint } | undefined }
      | undefined,
  ): boolean | string {
    if (order === undefined) return false
    const { minor, feeMinor } = this.world.ledger.setting
    const isRight =
      order.receipt === this.receipt.receipt && order.amount?.minor === minor + feeMinor
    return isRight || lineOf(order)
  }

  private async receive(incoming: Incoming): Promise<number | undefined> {
    const { body, kind, isSourceKnown: sourceKnown } = incoming
    const token = await this.tokenOf(incoming, kind)
    const messageId = await payments(this.callers.ledger)
      .callback(token, { sourceKnown, body: Buffer.from(body) })
      .catch((error: unknown) => {
        if ((error as { reason?: unknown }).reason === 'route_not_found') return undefined
        throw error
      })
    if (messageId === undefined) return undefined
    if (!this.messages.includes(messageId)) this.messages.push(messageId)
    return this.messages.indexOf(messageId)
  }

  /** Reads the token of a refund's address from the database, because only the provider is told it. */
  private async tokenOf({ refundId, isAddressKnown }: Incoming, kind: Incoming['kind']) {
    const id = this.id(refundId)
    if (!isAddressKnown) return refundToken(id, '0'.repeat(32), kind)
    const { rows } = await this.owner.query<{ secret: string }>(
      'SELECT callback_secret AS secret FROM refunds WHERE id = $1',
      [id],
    )
    return refundToken(id, present(rows[0]).secret, kind)
  }

  private factOf(incoming: Incoming): ApplyEvidenceRequest['fact'] {
    const { receipt, amountMinor, providerRequestId, providerCode = '' } = factOf(incoming)
    switch (incoming.report) {
      case 'refunded':
        return confirmed({
          ...(receipt !== undefined && { receipt }),
          ...(amountMinor !== undefined && { amountMinor }),
          ...(providerRequestId !== undefined && { providerRequestId }),
        })
      case 'stands':
        return confirmed({ receipt: this.receipt.receipt })
      case 'refused': {
        const value = { cause: FailureCause.REFUSED, providerCode, providerRequestId }
        return { $case: 'declined', value }
      }
      case 'undecided':
        return { $case: 'undecided', value: { providerCode } }
      case 'unreadable':
        return { $case: 'unreadable', value: { detail: 'no JSON' } }
    }
  }
}

function outcomeOf(call: RefundCall): RecordRefundRequest['outcome'] {
  const { providerRequestId = '', providerCode = '' } = call
  switch (call.outcome) {
    case 'accepted':
      return { $case: 'accepted', value: { providerRequestId } }
    case 'refused':
      return { $case: 'refused', value: { cause: FailureCause.REFUSED, providerCode } }
    case 'not_sent':
      return { $case: 'notSent', value: { detail: providerCode } }
    case 'unknown':
      return { $case: 'unknown', value: { detail: providerCode } }
  }
}

const identities = { amina, brian } as const

/** A ledger as its clients call it. */
interface RefundCallers {
  readonly ledger: RunningLedger
  readonly as: Readonly<Record<Person, Calls<LedgerServiceServer>>>
}

/** Enrols the two operators, who sign by `now`: all worlds of a replay share this clock. */
export async function enrollBoth(ledger: RunningLedger, now: () => number): Promise<RefundCallers> {
  const signing = (identity: OperatorIdentity): OperatorIdentity => ({
    ...identity,
    sign: (audience, act) =>
      identity.sign(audience, { ...act, signedAt: new Date(now()).toISOString() }),
  })
  const as = { amina: ledger.as(signing(amina)), brian: ledger.as(signing(brian)) }
  for (const name of people) {
    await as[name].enrollOperator({ name, publicKey: identities[name].publicKey })
  }
  return { ledger, as }
}
