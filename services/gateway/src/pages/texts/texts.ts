import type { Country, MobileRail, Rail } from '@malipo/kernel/countries'
import type { ShownCause } from '../screen'

export type Language = 'en' | 'sw' | 'lg'

/** Every sentence that a payer reads, in one language. A dictionary that lacks one does not compile. */
export interface Texts {
  /** BCP 47. */
  readonly lang: Language
  /** The language's own name. */
  readonly name: string
  /** The label of the language choice. */
  readonly language: string
  /** The remark under a translation that no native speaker has reviewed. */
  readonly awaitsReview: string | undefined
  readonly rails: Readonly<Record<Rail, string>>
  /** The money service where there is more than one rail; stands before "phone number". */
  readonly anyRail: string
  /** The stand-in for the account's name while it cannot be looked up. */
  readonly unknownPayee: string
  readonly start: {
    readonly title: (payee: string) => string
    readonly phone: (rail: string) => string
    readonly hint: string
    /** The question where a country has more than one rail; the number usually answers it. */
    readonly network: string
    readonly networkByNumber: string
    readonly pay: (amount: string) => string
    readonly sending: string
    /** The button's text while the network is away. */
    readonly offline: string
    /** Above the form when no answer came to a press for two minutes: pressed again, it shows what was begun. */
    readonly lost: {
      readonly title: string
      /** Also stands alone with a refusal: an earlier try of the press may have begun a prompt. */
      readonly ifEntered: string
      readonly ifNot: string
    }
    readonly safety: string
    /** The time left in minutes, and the clock time of its end. */
    readonly within: (time: string) => Counted
    readonly badPhone: (example: string) => string
    /** Why no prompt can go to a number. */
    readonly landline: string
    readonly serviceNumber: string
    /** `needed`: the networks that can pay here. */
    readonly otherNetwork: (network: string, money: string, needed: string) => string
    /** The label of the checkbox for a number that has moved to another network. */
    readonly moved: (needed: string) => string
    /** The text beside the QR code. */
    readonly scan: string
  }
  readonly payBill: {
    readonly title: string
    /** Shown when prompts have failed, or may not be sent for now. */
    readonly insteadOfPrompt: string
    readonly open: string
    readonly business: string
    readonly account: string
    readonly amount: string
    readonly pin: string
    readonly exact: string
    /** The steps for a till, which asks for no account. `tail`: the last digits of the number to pay from. */
    readonly till: {
      readonly open: string
      readonly number: string
      readonly from: (tail: string) => string
    }
    /** Beside the picture for the app. */
    readonly scan: string
    readonly copy: string
    readonly copied: string
    readonly check: string
    /** Shown to a payer who has a prompt open as well. */
    readonly once: string
  }
  readonly waiting: {
    readonly title: string
    readonly sent: (tail: string) => string
    /** `account`: the account number that the phone shows beside the amount. */
    readonly steps: (
      payee: string,
      amount: string,
      account: string | undefined,
    ) => readonly string[]
    readonly listening: string
    /** Instead of `listening`, while the network is away. */
    readonly offline: string
    /** The seconds left. */
    readonly countdown: Counted
    /** The minutes left, for a prompt that stays open for minutes. */
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
  /** The provider's answer to the push is unknown. */
  readonly unanswered: {
    readonly title: (rail: string) => string
    readonly text: (tail: string) => string
    /** For hosts where a menu of the phone also works. */
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
    /** When the card page closes: until then no other way to pay is offered. */
    readonly until: (until: string) => string
    /** For an intent that ended without an answer. */
    readonly retry: string
    /** On a receipt: what the card was charged, and how much of it was the fee. */
    readonly paid: string
    readonly fee: string
    /** The texts for a card, where they differ from those for a phone. */
    readonly causes: Pick<CauseTexts, 'cancelled' | 'no_funds' | 'not_started'>
  }
  readonly unconfirmed: {
    readonly title: string
    readonly text: (tail: string) => string
    /** For a prompt that stays open longer than the page polls. */
    readonly stillOpen: (tail: string) => string
    /** The provider has reported the payment as paid, and it is not confirmed. */
    readonly reported: string
    /** Money came in another amount, so an operator places it. */
    readonly held: string
    readonly again: string
    readonly retry: string
    readonly heldRetry: string
    readonly retryText: string
    readonly retryOrMenuText: string
  }
  /** A payment from the Pay Bill menu was reported and is not confirmed yet. */
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
    /** The seconds until the page returns to the shop. */
    readonly forwarding: (host: string) => Counted
    readonly stay: string
    readonly print: string
    /** The money has gone back since. */
    readonly returned: { readonly title: string; readonly text: string }
    readonly close: string
  }
  readonly expired: {
    readonly title: string
    readonly text: (payee: string) => string
    /** For hosts with a menu: its money may be on the way. */
    readonly menuText: (payee: string) => string
  }
  /** Shown to a payer who could pay twice: an earlier intent has no result yet, or its money is held. */
  readonly mayHavePaid: string
  /** Shown when only answers to our status queries say that a prompt was not paid: such answers have been wrong. */
  readonly denied: (rail: string) => string
  /** A payment was reported, and two operators found that it was not made. */
  readonly foundUnpaid: { readonly title: string; readonly text: string }
  /** For a rail of whole shillings that asks for more than the price. */
  readonly rounding: {
    readonly charged: (price: string, charged: string) => string
    /** Shown to a payer who typed cents, with the rounded amount. */
    readonly typed: (typed: string, charged: string) => string
    /** On a receipt, under the amount. */
    readonly price: string
  }
  readonly countries: Readonly<Record<Country, string>>
  /** Texts of a handle's page, where the payer enters the amount. */
  readonly handle: {
    readonly amount: (currency: string) => string
    readonly badAmount: (least: string, most: string) => string
    readonly wholeOnly: string
    readonly pay: string
    /** Above the form whose key has begun a payment of another amount or number. */
    readonly begun: string
    /** Texts of the Pay Bill steps. */
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
  /** The minutes until a retry is possible. */
  readonly retryAfter: Counted
  /** A retry would be possible only after the page has expired. */
  readonly retryTooLate: (payee: string) => string
  readonly foot: string
}

/** A sentence with a number, written `#`, in each plural form of our languages. */
export interface Counted {
  readonly one: string
  readonly other: string
}

export type CauseTexts = Readonly<Record<ShownCause, CauseText>>

/**
 * Provider codes that cover several causes: MTN's catch-all mostly means too little money, but also a wrong PIN or a
 * busy phone; Airtel refuses without a reason, also when the PIN is locked.
 */
export interface RailCauseTexts {
  readonly mtn_momo: Pick<CauseTexts, 'no_funds'>
  readonly airtel_money: Pick<CauseTexts, 'refused'>
}

/** The cause of a failure in plain words, and what to do about it. */
export type CauseText = (rail: string) => readonly [title: string, advice: string]

export interface RefusalText {
  readonly title: string
  readonly text: string
  /** The text of the link back. */
  readonly retry?: string
}

export type RefusalName =
  | 'not_found'
  | 'payee_closed'
  | 'too_many'
  | 'too_many_cards'
  | 'too_many_looks'
  | 'busy'
  | 'unavailable'
  | 'rail_off'
  | 'wrong_request'
  | 'broken'
