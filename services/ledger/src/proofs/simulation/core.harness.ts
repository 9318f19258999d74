import type { Rail } from '@malipo/kernel/countries'
import type { Machine } from '@malipo/kernel/machine'
import { type Minor, wholeMajorUp } from '@malipo/kernel/money'
import { type Provider, providerOf } from '../../journal/rules/postings'
import {
  type StatusFacts,
  type CheckoutStatus,
  checkoutStatus,
} from '../../checkouts/rules/checkout'
import { callbackKindOf, type MessageKind } from '../../evidence/rules/evidence'
import {
  type IntentEvent,
  type IntentStatus,
  intentInitialStates,
  intentMachine,
} from '../../intents/rules/intent'
import { claimsPerMessageMax, leaseSeconds } from '../../intents/rules/decide-claiming'

/**
 * The rules that a simulated world applies around the deciders: the real ones, unless a mutant puts another in the
 * place of one. The deciders read their tables themselves.
 */
export interface Core {
  readonly intent: Machine<IntentStatus, IntentEvent>
  readonly initialStates: Readonly<Record<'accepted' | 'matched', IntentStatus>>
  readonly callbackKind: Readonly<Record<Rail, MessageKind>>
  readonly providerOf: Readonly<Record<Rail, Provider>>
  readonly checkoutStatus: (facts: StatusFacts) => CheckoutStatus
  /** Returns what a rail of whole shillings asks for when the price is this amount. */
  readonly wholeMajorUp: (minor: Minor) => Minor
  readonly claimsPerMessageMax: number
  readonly leaseSeconds: number
}

export const core: Core = {
  intent: intentMachine,
  initialStates: intentInitialStates,
  callbackKind: callbackKindOf,
  providerOf,
  checkoutStatus,
  wholeMajorUp,
  claimsPerMessageMax,
  leaseSeconds,
}

/** The settings of production for cards (`src/config.ts`), times in seconds. */
export const cardTimes = { feeBps: 350n, sessionSeconds: 900, queryAfterSeconds: 30 } as const

/** The times of production, in seconds (`src/config.ts`); those of a prompt are data of its rail. */
export const times = {
  checkoutLife: 1_800,
  intentStart: 60,
  queryEvery: 15,
  reportHold: 600,
} as const
