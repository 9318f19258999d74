import type { MobileRail, Rail } from '@malipo/kernel/countries'
import type { ShownCause } from './screen'

/** Every sentence that a payer reads, in one language. A sentence that is forgotten in another does not compile. */
export interface Texts {
  /** BCP 47. */
  readonly lang: string
  readonly rails: Readonly<Record<Rail, string>>
  /** What a phone pays with where there is more than one rail; stands before "phone number", as the rails do. */
  readonly anyRail: string
  /** Whom we name while nobody can say how the account calls itself. */
  readonly unknownPayee: string
  readonly start: {
    readonly title: (payee: string) => string
    readonly phone: (rail: string) => string
    readonly hint: string
    /** Asked where a country has more than one rail; the number usually tells. */
    readonly network: string
    readonly networkByNumber: string
    readonly pay: (amount: string) => string
    readonly sending: string
    readonly safety: string
    readonly before: (time: string) => string
    readonly badPhone: string
  }
  readonly payBill: {
    readonly title: string
    /** `amount` in whole shillings and cents, as the menu takes it. */
    readonly steps: (typed: TypedInMenu) => readonly string[]
    readonly change: string
  }
  readonly waiting: {
    readonly title: string
    readonly sent: (tail: string) => string
    readonly steps: (payee: string, amount: string) => readonly string[]
    readonly listening: string
    /** `#` stands for the seconds that are left. */
    readonly countdown: string
    readonly missing: string
    readonly missingSteps: readonly string[]
    readonly menu: Readonly<Record<MobileRail, string | undefined>>
    readonly otherPhone: string
  }
  readonly unconfirmed: {
    readonly title: string
    readonly text: (tail: string) => string
    readonly again: string
    readonly retry: string
    readonly retryText: string
  }
  readonly failed: {
    readonly causes: Readonly<Record<ShownCause, CauseText>>
    readonly noMoneyTaken: string
    readonly retry: string
  }
  readonly paid: {
    readonly title: string
    readonly to: string
    readonly amount: string
    readonly at: string
    readonly for: string
    readonly forward: (host: string) => string
    readonly forwarding: (host: string) => string
    readonly stay: string
    readonly print: string
    readonly close: string
  }
  readonly expired: {
    readonly title: string
    readonly text: (payee: string) => string
    readonly mayHavePaid: string
  }
  readonly refusals: Readonly<Record<RefusalName, RefusalText>>
  readonly retryAfter: (minutes: number) => string
  readonly foot: string
}

export interface TypedInMenu {
  readonly business: string
  readonly account: string
  readonly amount: string
}

/** What went wrong, in the words of the payer, and what to do about it. */
export type CauseText = (rail: string) => readonly [title: string, advice: string]

export interface RefusalText {
  readonly title: string
  readonly text: string
  /** The words of the way back, where there is one. */
  readonly retry?: string
}

export type RefusalName =
  'not_found' | 'too_many' | 'unavailable' | 'rail_off' | 'cents' | 'wrong_request' | 'broken'
