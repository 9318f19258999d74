import type { Minor } from '@malipo/kernel/money'
import {
  cardFeeAccount,
  floatAccount,
  suspenseAccount,
  walletAccount,
} from '../../../journal/rules/postings'
import type {
  EvidenceResult,
  FactKind,
  MessageKind,
  Strength,
} from '../../../evidence/rules/evidence'
import type { NotedEvent } from '../../../webhooks/rules/payment-event'
import type { OperatorAction, Refund } from '../../../refunds/rules/state'
import type { Fact, Intent, Transfer } from '../../../evidence/rules/state'
import { micro, type Moment } from '../tables.harness'
import type { Random } from '../rules.harness'

export const people = ['amina', 'brian'] as const
export type Person = (typeof people)[number]

/** The receipt that goes back, and where its money is. */
export interface RefundSetting {
  readonly provider: 'mpesa' | 'card'
  /** A wallet has the money of a paid checkout; suspense has money by which no checkout was paid. */
  readonly holder: 'wallet' | 'mismatch' | 'unmatched'
  readonly minor: Minor
  /** The fee of a card payment, beside the amount. */
  readonly feeMinor: Minor
  /** How much of the money has left the wallet before, other than by a refund. */
  readonly spentMinor: Minor
  readonly trait: 'plain' | 'contrary' | 'silent'
}

const traits = ['plain', 'contrary', 'silent'] as const

export function drawRefundSetting(random: Random): RefundSetting {
  const isCard = random(4) === 0
  const held = random(2) === 0 ? 'mismatch' : 'unmatched'
  const holder = isCard || random(2) === 0 ? 'wallet' : held
  const spent = [0n, 0n, 20_000n, 50_000n][random(4)] ?? 0n
  return {
    ...{ provider: isCard ? 'card' : 'mpesa', holder, minor: 50_000n },
    feeMinor: isCard ? 1_800n : 0n,
    spentMinor: holder === 'wallet' ? spent : 0n,
    trait: traits[random(traits.length)] ?? 'plain',
  }
}

/** A message to the address of a refund. */
export interface Incoming {
  readonly refundId: number
  readonly kind: 'callback' | 'query_answer'
  readonly report: 'refunded' | 'refused' | 'stands' | 'undecided' | 'unreadable'
  /** The order that the message names. A message that names none has no receipt of a reversal either. */
  readonly requestId: number | undefined
  /** The amount that the message names, if any. */
  readonly minor?: Minor | undefined
  readonly isSourceKnown: boolean
  /** The callback came to the right secret address. */
  readonly isAddressKnown: boolean
  /** A message with the body, kind and source of an earlier one is its repeat, unless it is an answer about a card. */
  readonly body: string
}

/** A row of provider_messages. */
export interface RefundMessage {
  readonly id: number
  readonly incoming: Incoming
  readonly kind: MessageKind
  readonly receivedAt: Moment
  readonly nextActionAt: Moment | null
  readonly deliveries: number
  readonly fact: FactKind | null
  readonly strength: Strength | null
  readonly result: EvidenceResult | null
  readonly appliedAt: Moment | null
}

export const receipt = 'R0'
const accountId = 'm0'
export const requestName = (requestId: number) => `AG_${String(requestId)}`

/** The fact that the worker reads from the body of a message. */
export function factOf({ report, requestId, minor }: Incoming): Fact {
  const named = {
    amountMinor: minor,
    providerRequestId: requestId === undefined ? undefined : requestName(requestId),
  }
  switch (report) {
    case 'refunded':
      return requestId === undefined
        ? { ...named, kind: 'paid' }
        : { ...named, kind: 'receipt', receipt: `REVERSAL${String(requestId)}` }
    case 'stands':
      return { kind: 'receipt', receipt }
    case 'refused':
      return { ...named, kind: 'declined', cause: 'refused', providerCode: '2001' }
    case 'undecided':
      return { kind: 'undecided', providerCode: 'pending' }
    case 'unreadable':
      return { kind: 'unreadable' }
  }
}

/** The tables of one receipt. Its money came before the simulated run began. */
export class RefundTables {
  now: Moment = 0
  readonly setting: RefundSetting
  readonly refunds: Refund[] = []
  /** When each refund was asked for. */
  readonly askedAt: Moment[] = []
  readonly messages: RefundMessage[] = []
  readonly transfers: Transfer[]
  readonly intents: Intent[]
  /** intent_steps of the payment, since the world began. */
  readonly steps: { readonly from: string; readonly to: string; readonly at: Moment }[] = []
  readonly events: NotedEvent[] = []
  readonly actions: (OperatorAction & { readonly at: Moment })[] = []

  constructor(setting: RefundSetting) {
    this.setting = setting
    this.transfers = [...moneyIn(setting)]
    this.intents = setting.holder === 'unmatched' ? [] : [paidIntent(setting)]
  }

  protected get subject(): string {
    return `${this.setting.provider}:${receipt}`
  }
}

export function accountOf({ holder }: RefundSetting): string {
  return holder === 'wallet' ? walletAccount(accountId) : suspenseAccount(holder)
}

function moneyIn(setting: RefundSetting): readonly Transfer[] {
  const { provider, minor, feeMinor, spentMinor } = setting
  const eventKey = `receipt:${provider}:${receipt}`
  const [debit, credit] = [floatAccount(provider), accountOf(setting)]
  const spent = { eventKey: 'spent', debit: credit, credit: suspenseAccount('unmatched') }
  return [
    { eventKey, leg: 0, debit, credit, minor, eventAt: 0 },
    { eventKey, leg: 1, debit, credit: cardFeeAccount, minor: feeMinor, eventAt: 0 },
    { ...spent, leg: 0, minor: spentMinor, eventAt: 0 },
  ].filter((one) => one.minor > 0n)
}

function paidIntent({ provider, holder, minor }: RefundSetting): Intent {
  return {
    ...{ id: '0', checkoutId: '0', accountId: null, handle: null, rail: provider, phone: null },
    ...{ amountMinor: minor, askedMinor: minor, providerRequestId: null },
    ...{ submittedAt: 0, askedAt: null, status: 'completed', event: 'confirmed', endedAt: 0 },
    ...{ deadlineAt: null, nextActionAt: null, queryAt: null, receiptWanted: false },
    ...{ deniedCode: null, deniedAt: null, cause: null, providerCode: null },
    ...{ settledMinor: minor, receipt, settledAt: 0, reportedAt: null, heldUntil: null },
    disposition: holder === 'wallet' ? 'merchant' : 'suspense_mismatch',
    callbackRequestId: null,
  }
}

/** The seconds of a column that is in microseconds. */
export function secondsOf(instant: number): Moment {
  return instant / micro
}
