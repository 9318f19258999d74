/** The order of one buyer: the amount of its checkout, and the phones and the card that pay it. */
export interface Order {
  readonly id: number
  readonly amount: string
  /** A second phone, where there is one, presses the same button at the same moment. */
  readonly msisdns: readonly string[]
  /** The fee that a payer by card pays on top of the amount; null when the order is not paid by card. */
  readonly cardFee: string | null
}

/** An acknowledged create. A retry with the same key is recorded as another create. */
export interface Created {
  readonly order: number
  readonly key: string
  readonly checkoutId: string
  readonly amount: string
}

/** An acknowledged press of the button. */
export interface Pressed {
  readonly order: number
  readonly key: string
  readonly intentId: string
  /** What a payer by card was told to pay. */
  readonly total: string | null
}

/** A page of the card gateway, to which the address of a payment attempt led. */
export interface Paged {
  readonly intentId: string
  readonly page: string
}

/** The card gateway told a payer that the card was taken, on the page of this attempt. */
export interface Taken {
  readonly order: number
  readonly intentId: string
}

/** A status as it was read, in the order of the answers. */
export interface StatusRead {
  readonly id: string
  readonly status: string
  /** Who read the status. Of two readers at the same time, the later answer may have the older status. */
  readonly reader: string
}

/** A checkout as its merchant reads it at the end, when no payment is in flight. */
export interface LastRead {
  readonly checkoutId: string
  readonly status: string
  readonly amount: string
  readonly receipt: string | null
  readonly settled: string | null
}

/** The requests of clients and the answers that they got. */
export interface History {
  readonly orders: readonly Order[]
  readonly created: readonly Created[]
  readonly pressed: readonly Pressed[]
  readonly paged: readonly Paged[]
  readonly taken: readonly Taken[]
  readonly intentReads: readonly StatusRead[]
  readonly checkoutReads: readonly StatusRead[]
  readonly lastReads: readonly LastRead[]
  /** Answers that no outage explains: neither the expected status, nor "try again". */
  readonly unexpected: readonly string[]
}

/** A prompt on a phone, as the simulator recorded it. */
export interface Prompt {
  readonly msisdn: string
  readonly openedAtMs: number
  /** Infinity while it is open. */
  readonly closedAtMs: number
}

/** A movement of money in the simulator's book. */
export interface Moved {
  readonly receipt: string
  /** Empty where a card paid. */
  readonly msisdn: string
  /** The attempt that a card paid, whose id is the card gateway's name of the order. */
  readonly cardAttempt: string | null
  readonly amount: string
}

/** A transfer of the journal that belongs to a receipt: of a card there is one for the amount and one for the fee. */
export interface Posted {
  readonly receipt: string
  readonly credit: string
  readonly minor: string
}

/** The facts, from sources that do not depend on what our services answer. */
export interface Truth {
  readonly moved: readonly Moved[]
  readonly posted: readonly Posted[]
  readonly prompts: readonly Prompt[]
  readonly audit: readonly string[]
  /** Log lines with a secret key or a whole phone number. */
  readonly leaks: readonly string[]
}
