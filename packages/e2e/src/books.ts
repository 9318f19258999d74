import type { BookRow } from '@malipo/testing/simulator-shapes'
import type { Fixture } from './fixture'
import type { Transfer } from './journal'
import type { Checkout } from './merchant'

export interface Ended {
  readonly checkout: Checkout
  readonly intentStatus: string
  readonly msisdn: string
}

/** What the provider and the ledger know of all payments. */
export interface Books {
  /** How many prompts the payer was sent. */
  readonly prompts: number
  readonly book: readonly BookRow[]
  readonly transfers: readonly Transfer[]
}

/**
 * Checks what must hold at the end of a payment after any fault: the payer was prompted at most once, and the
 * provider's book, the journal and the merchant agree. Returns what is wrong, in sentences.
 */
export async function wrongAbout(fixture: Fixture, ended: Ended): Promise<string[]> {
  // The numbers of MTN's sandbox belong to no session, so their payments are in the simulator's home session.
  const places = [fixture.simulator, fixture.provider]
  const [promptCounts, books, transfers] = await Promise.all([
    Promise.all(places.map((place) => place.promptsOf(ended.msisdn))),
    Promise.all(places.map((place) => place.book())),
    fixture.journal.transfers(),
  ])
  const prompts = promptCounts.reduce((sum, count) => sum + count, 0)
  return wrongBetween(ended, { prompts, book: books.flat(), transfers })
}

/** Checks the same as `wrongAbout`, with books that the caller has read. */
export function wrongBetween(
  { checkout, intentStatus, msisdn }: Ended,
  { prompts, book, transfers }: Books,
): string[] {
  const moved = book.filter((row) => row.msisdn === msisdn)
  const receipts = new Set(moved.map(({ receipt }) => receipt))
  const posted = transfers.filter(({ event_key }) => receipts.has(receiptOf(event_key)))
  const paid = moved.length === 1
  const { payment } = checkout
  const complaints: readonly [boolean, string][] = [
    [prompts > 1, `the payer was asked ${String(prompts)} times`],
    [moved.length > 1, `the payer paid ${String(moved.length)} times`],
    [
      posted.length !== moved.length,
      `${String(posted.length)} transfers for ${String(moved.length)} payments`,
    ],
    [posted.some(({ minor }) => minor !== checkout.amount), `posted ${JSON.stringify(posted)}`],
    [
      posted.some(({ credit }) => !credit.startsWith('wallet:')),
      `credited ${JSON.stringify(posted)}`,
    ],
    [
      (intentStatus === 'completed') !== paid,
      `the payer reads ${intentStatus} and paid ${String(paid)}`,
    ],
    [(checkout.status === 'completed') !== paid, `the merchant reads ${checkout.status}`],
    [
      paid && payment?.provider_receipt !== moved[0]?.receipt,
      `the receipt is ${String(payment?.provider_receipt)}`,
    ],
    [
      paid && payment?.amount_settled !== checkout.amount,
      `settled ${String(payment?.amount_settled)}`,
    ],
  ]
  return complaints.filter(([isWrong]) => isWrong).map(([, sentence]) => sentence)
}

/** `receipt:mpesa:TKL1…` -> `TKL1…`. */
export function receiptOf(eventKey: string): string {
  return eventKey.split(':').at(-1) ?? ''
}
