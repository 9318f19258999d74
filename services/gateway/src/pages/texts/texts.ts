import type { Country, MobileRail, Rail } from '@malipo/kernel/countries'
import type { ShownCause } from '../screen'

export type Language = 'en' | 'sw' | 'lg'

/** Every sentence that a payer reads, in one language. A sentence that is forgotten in another does not compile. */
export interface Texts {
  /** BCP 47. */
  readonly lang: Language
  /** As the language calls itself. */
  readonly name: string
  /** What the choice between languages is called. */
  readonly language: string
  /** What the page says under a translation that no native speaker has read yet. */
  readonly awaitsReview: string | undefined
  readonly rails: Readonly<Record<Rail, string>>
  /** What a phone pays with where there is more than one rail; stands before "phone number", as the rails do. */
  readonly anyRail: string
  /** The stand-in for the account's name while it cannot be looked up. */
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
    /** On the button, while the network is away. */
    readonly offline: string
    readonly safety: string
    /** In how many minutes at the latest, and at what time that is. */
    readonly within: (time: string) => Counted
    readonly badPhone: (example: string) => string
    /** Why a number gets no prompt. */
    readonly landline: string
    readonly serviceNumber: string
    /** `needed`: whose numbers pay here. */
    readonly otherNetwork: (network: string, money: string, needed: string) => string
    /** Beside the box that the owner of a moved number ticks. */
    readonly moved: (needed: string) => string
    /** Beside the code that leads a phone's camera to this page. */
    readonly scan: string
  }
  readonly payBill: {
    readonly title: string
    /** Where prompts have failed, or may not be sent for now. */
    readonly insteadOfPrompt: string
    readonly open: string
    readonly business: string
    readonly account: string
    readonly amount: string
    readonly pin: string
    readonly exact: string
    readonly copy: string
    readonly copied: string
    readonly check: string
    /** Shown to a payer who has a prompt open as well. */
    readonly once: string
  }
  readonly waiting: {
    readonly title: string
    readonly sent: (tail: string) => string
    /** `account` is what the phone shows beside the amount. */
    readonly steps: (
      payee: string,
      amount: string,
      account: string | undefined,
    ) => readonly string[]
    readonly listening: string
    /** Instead of `listening`, while the network is away. */
    readonly offline: string
    /** How many seconds are left. */
    readonly countdown: Counted
    /** The same of a prompt that stays open for minutes. */
    readonly countdownMinutes: Counted
    readonly ranOut: string
    readonly missing: string
    readonly missingSteps: readonly string[]
    readonly menu: Readonly<Record<MobileRail, string | undefined>>
    readonly otherNumber: string
    /** Why the page waits, and until when. */
    readonly otherNumberText: (rail: string, until: string) => string
    readonly until: (rail: string, until: string) => string
  }
  /** The provider's answer to the push is not known. */
  readonly unanswered: {
    readonly title: (rail: string) => string
    readonly text: (tail: string) => string
    /** Where the menu takes the money as well. */
    readonly notBoth: string
    readonly approve: string
  }
  /** Another prompt is open on the phone. */
  readonly queued: {
    readonly title: string
    readonly text: (tail: string) => string
    readonly until: (until: string) => string
    readonly advice: string
    readonly listening: string
  }
  readonly card: {
    readonly title: string
    readonly terms: (fee: string, total: string) => string
    readonly pay: (total: string) => string
    readonly safety: string
    readonly waiting: string
    readonly waitingText: string
    readonly listening: string
    readonly goOn: string
    readonly unconfirmed: string
    /** Until when the card page takes cards: nothing else takes the money before. */
    readonly until: (until: string) => string
    /** Of an attempt that ended without an answer. */
    readonly retry: string
    /** On a receipt: what the card was charged, and how much of it was the fee. */
    readonly paid: string
    readonly fee: string
    /** Where a card fails otherwise than a phone. */
    readonly causes: Pick<CauseTexts, 'cancelled' | 'no_funds' | 'not_started'>
  }
  readonly unconfirmed: {
    readonly title: string
    readonly text: (tail: string) => string
    /** Where the prompt is open longer than the page polls. */
    readonly stillOpen: (tail: string) => string
    /** When the provider has reported it as paid, and that is not confirmed. */
    readonly reported: string
    /** When money came that is not what was asked for, so that a person places it. */
    readonly held: string
    readonly again: string
    readonly retry: string
    readonly heldRetry: string
    readonly retryText: string
    readonly retryOrMenuText: string
  }
  /** When a payment from the Pay Bill menu was reported that is not confirmed yet. */
  readonly reported: { readonly title: string; readonly text: string }
  readonly failed: {
    readonly causes: CauseTexts
    readonly railCauses: RailCauseTexts
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
    /** In how many seconds the page leaves for the shop. */
    readonly forwarding: (host: string) => Counted
    readonly stay: string
    readonly print: string
    /** When the money has gone back since. */
    readonly returned: { readonly title: string; readonly text: string }
    readonly close: string
  }
  readonly expired: {
    readonly title: string
    readonly text: (payee: string) => string
  }
  /** Shown to a payer who could pay twice: an earlier attempt has no outcome yet, or its money is held. */
  readonly mayHavePaid: string
  /** When only the answers to our own queries say that a prompt was not paid. They have been wrong. */
  readonly denied: (rail: string) => string
  /** When a payment was reported, and two operators found that it was not made. */
  readonly foundUnpaid: { readonly title: string; readonly text: string }
  /** Where a rail of whole shillings asks for more than the price. */
  readonly rounding: {
    readonly asked: (price: string, asked: string) => string
    /** To a payer who has typed an amount with cents, and now sees the amount that will be asked for. */
    readonly typed: (typed: string, asked: string) => string
    /** On a receipt, under what was paid. */
    readonly price: string
  }
  readonly countries: Readonly<Record<Country, string>>
  /** Of the page of a handle, where the payer says how much. */
  readonly handle: {
    readonly amount: (currency: string) => string
    readonly badAmount: (least: string, most: string) => string
    readonly wholeOnly: string
    readonly pay: string
    /** In the steps of the Pay Bill menu. */
    readonly anyAmount: string
    readonly pin: string
    readonly elsewhere: {
      readonly title: (country: string) => string
      readonly text: (payee: string, country: string) => string
      readonly link: (country: string) => string
    }
    readonly notAccepting: { readonly title: string; readonly text: string }
  }
  readonly refusals: Readonly<Record<RefusalName, RefusalText>>
  /** In how many minutes. */
  readonly retryAfter: Counted
  /** When that is later than the page can be paid. */
  readonly retryTooLate: (payee: string) => string
  readonly foot: string
}

/** A sentence with a number in it, written `#`, for each of the plurals that our languages have. */
export interface Counted {
  readonly one: string
  readonly other: string
}

export type CauseTexts = Readonly<Record<ShownCause, CauseText>>

/**
 * Where the code of a provider says less than the cause: MTN's catch-all is mostly a lack of money, and also a wrong PIN
 * or a busy phone; Airtel refuses without a reason, and also when the PIN is locked.
 */
export interface RailCauseTexts {
  readonly mtn_momo: Pick<CauseTexts, 'no_funds'>
  readonly airtel_money: Pick<CauseTexts, 'refused'>
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
  | 'not_found'
  | 'payee_closed'
  | 'too_many'
  | 'too_many_looks'
  | 'unavailable'
  | 'rail_off'
  | 'wrong_request'
  | 'broken'
