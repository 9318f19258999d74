import type { Rail } from '@malipo/kernel/countries'
import type { Machine } from '@malipo/kernel/machine'
import { type Minor, wholeMajorUp } from '@malipo/kernel/money'
import { type Provider, providerOf } from '../chart'
import { type StatusFacts, type CheckoutStatus, checkoutStatus } from '../checkout'
import {
  type AbsenceEffect,
  absenceOf,
  type AskingKind,
  askingKindOf,
  type CallbackAmount,
  callbackKindOf,
  callbackReceiptOf,
  type DenialEffect,
  denialOf,
  type EarlierDenial,
  type EarlierReport,
  type Effect,
  effectOf,
  type FactKind,
  type Marks,
  type MessageKind,
  paidAnswerOf,
  type PromptAge,
  type QueryAnswer,
  type ReportedReceipts,
  type Strength,
  strengthOf,
} from '../evidence'
import { type IntentEvent, type IntentStatus, intentInitialStates, intentMachine } from '../intent'
import { creditOf, debitOf } from '../postings'
import { claimsPerMessageMax, denyAfterSeconds, leaseSeconds } from '../schedule'
import {
  type AmountMatch,
  type CheckoutPaid,
  type Disposition,
  dispositionOf,
  type WalletState,
} from '../settle'

/** Every rule that a simulated ledger decides by: the real ones, unless a mutant puts another in the place of one. */
export interface Core {
  readonly intent: Machine<IntentStatus, IntentEvent>
  readonly initialStates: Readonly<Record<'accepted' | 'matched', IntentStatus>>
  readonly disposition: Readonly<
    Record<CheckoutPaid, Readonly<Record<AmountMatch, Readonly<Record<WalletState, Disposition>>>>>
  >
  readonly strengthOf: (kind: MessageKind, given: Marks) => Strength
  readonly effect: Readonly<Record<Strength, Readonly<Record<FactKind, Effect>>>>
  readonly denial: Readonly<Record<PromptAge, Readonly<Record<EarlierDenial, DenialEffect>>>>
  readonly absence: Readonly<Record<AskingKind, Readonly<Record<EarlierReport, AbsenceEffect>>>>
  readonly asking: Readonly<Record<Rail, AskingKind>>
  readonly callbackReceipt: Readonly<Record<CallbackAmount, Readonly<Record<QueryAnswer, Effect>>>>
  readonly paidAnswer: Readonly<Record<ReportedReceipts, Effect>>
  readonly callbackKind: Readonly<Record<Rail, MessageKind>>
  readonly providerOf: Readonly<Record<Rail, Provider>>
  readonly debitOf: (rail: Rail) => string
  readonly creditOf: (disposition: Disposition, merchantAccountId: string) => string
  readonly checkoutStatus: (facts: StatusFacts) => CheckoutStatus
  /** What a rail of whole shillings asks for an amount. */
  readonly wholeMajorUp: (minor: Minor) => Minor
  readonly claimsPerMessageMax: number
  readonly leaseSeconds: number
  readonly denyAfterSeconds: (queryAfterSeconds: number) => number
}

export const core: Core = {
  intent: intentMachine,
  initialStates: intentInitialStates,
  disposition: dispositionOf,
  strengthOf,
  effect: effectOf,
  denial: denialOf,
  absence: absenceOf,
  asking: askingKindOf,
  callbackReceipt: callbackReceiptOf,
  paidAnswer: paidAnswerOf,
  callbackKind: callbackKindOf,
  providerOf,
  debitOf,
  creditOf,
  checkoutStatus,
  wholeMajorUp,
  claimsPerMessageMax,
  leaseSeconds,
  denyAfterSeconds,
}

/** The times of production, in seconds (`src/config.ts`); those of a prompt are data of its rail. */
export const times = {
  checkoutLife: 1_800,
  intentStart: 60,
  queryEvery: 15,
  reportHold: 600,
} as const
