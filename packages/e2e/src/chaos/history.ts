/** What one buyer does: a checkout, and the phones that are asked to pay it. */
export interface Order {
  readonly id: number
  readonly amount: string
  /** The second presses the same button at the same moment. */
  readonly msisdns: readonly string[]
}

/** An acknowledged create: a retry with the same key is another one. */
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
}

/** A status as it was read, in the order of the answers. */
export interface StatusRead {
  readonly id: string
  readonly status: string
  /** Who read it: of two readers at one moment the later answer may be the older one. */
  readonly reader: string
}

/** What the merchant reads when all is calm. */
export interface LastRead {
  readonly checkoutId: string
  readonly status: string
  readonly amount: string
  readonly receipt: string | null
  readonly settled: string | null
}

/** What clients asked and were answered. */
export interface History {
  readonly orders: readonly Order[]
  readonly created: readonly Created[]
  readonly pressed: readonly Pressed[]
  readonly intentReads: readonly StatusRead[]
  readonly checkoutReads: readonly StatusRead[]
  readonly lastReads: readonly LastRead[]
  /** Answers that no outage explains: neither the expected status, nor "try again". */
  readonly unexpected: readonly string[]
}

/** A prompt on a phone, by the simulator. */
export interface Prompt {
  readonly msisdn: string
  readonly openedAtMs: number
  /** Infinity while it is open. */
  readonly closedAtMs: number
}

/** A movement of money in the simulator's book. */
export interface Moved {
  readonly receipt: string
  readonly msisdn: string
  readonly amount: string
}

/** A transfer of the journal that belongs to a receipt. */
export interface Posted {
  readonly receipt: string
  readonly credit: string
  readonly minor: string
}

/** What is true, by those that no service of ours can mislead. */
export interface Truth {
  readonly moved: readonly Moved[]
  readonly posted: readonly Posted[]
  readonly prompts: readonly Prompt[]
  readonly audit: readonly string[]
  /** Lines of logs with a key or a whole number. */
  readonly leaks: readonly string[]
}
