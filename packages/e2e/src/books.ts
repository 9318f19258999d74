import type { Fixture } from './fixture'
import type { Checkout } from './merchant'

export interface Ended {
  readonly checkout: Checkout
  readonly intentStatus: string
  readonly msisdn: string
}

/**
 * What must hold at the end of a payment whatever happened on the way: the payer was asked at most once, and the
 * provider's book, the journal and the merchant tell the same story. Returns what is wrong, in sentences.
 */
export async function wrongAbout(
  fixture: Fixture,
  { checkout, intentStatus, msisdn }: Ended,
): Promise<string[]> {
  // A number that no session has claimed, as those of MTN's sandbox, is at home.
  const places = [fixture.simulator, fixture.provider]
  const [asked, books, transfers] = await Promise.all([
    Promise.all(places.map((place) => place.promptsOf(msisdn))),
    Promise.all(places.map((place) => place.book())),
    fixture.journal.transfers(),
  ])
  const prompts = asked.reduce((sum, count) => sum + count, 0)
  const book = books.flat()
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
