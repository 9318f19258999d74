import { hour, lastQuery, watch, withoutStatement } from './design.harness'
import type { SimulatedLedger } from './ledger.harness'
import type { ProviderBook } from './provider.harness'
import { type Intent, type Moment, never } from './tables.harness'

/** Times that pass once nothing fails any more, in seconds: over 72 hours in all, after which no attempt is watched. */
export const watching = Array.from({ length: 40 }, (_, round) => (round < 20 ? 30 : 13_100))

type Expect = (what: string, holds: boolean) => void

/** Checks which attempts the ledger asks the provider about after their end, and for how long. */
export class WatchOracle {
  private readonly ledger: SimulatedLedger
  private readonly book: ProviderBook
  private readonly reportedAt: ReadonlyMap<number, Moment>
  private readonly expect: Expect

  /** `reportedAt` has when each attempt was first reported as paid. */
  constructor(
    ledger: SimulatedLedger,
    book: ProviderBook,
    given: { readonly reportedAt: ReadonlyMap<number, Moment>; readonly expect: Expect },
  ) {
    this.ledger = ledger
    this.book = book
    this.reportedAt = given.reportedAt
    this.expect = given.expect
  }

  /**
   * Checks, more than 72 hours after the last prompt, that status queries found all late money that they could find,
   * went on for 72 hours, and have stopped. An intent that was denied, or that other money has completed, is no longer
   * queried: its late money is left to the statement.
   */
  checkWatch(): void {
    this.checkLateMoney()
    for (const { rail, submittedAt, queryAt } of this.ledger.intents) {
      const isLast = withoutStatement.has(rail) && queryAt === submittedAt + lastQuery
      this.expect('a watch ends after 72 hours', queryAt === never || isLast)
    }
    for (const { submittedAt, askedAt } of this.undecided()) {
      const isAsked = askedAt >= submittedAt + watch - hour
      this.expect('what may still be paid is asked about for 72 hours', isAsked)
    }
  }

  private checkLateMoney(): void {
    for (const { intentId, receipt } of this.book.movements) {
      const intent = this.ledger.intents[intentId ?? -1]
      const isSeen = this.ledger.transfers.some((transfer) => transfer.receipt === receipt)
      const isWatched =
        intent !== undefined &&
        intent.settled === undefined &&
        (this.reportedAt.has(intent.id) || !this.isDenied(intent))
      if (isWatched) this.expect('late money is found by asking', isSeen)
    }
  }

  /**
   * Checks, over 30 days after the last prompt, that each prompt of a rail without a statement was queried once more.
   */
  checkLastQuery(): void {
    for (const { rail, submittedAt, askedAt } of this.undecided()) {
      const isAsked = !withoutStatement.has(rail) || askedAt >= submittedAt + lastQuery
      this.expect('what no statement lists is asked about after 30 days', isAsked)
    }
    for (const { queryAt } of this.ledger.intents) {
      this.expect('nothing is asked about for ever', queryAt === never)
    }
  }

  /** Attempts that were sent and expired, and of which neither a payment nor a refusal was reported. */
  private undecided(): readonly Intent[] {
    return this.ledger.intents.filter(
      (intent) =>
        intent.status === 'expired' && intent.submittedAt !== never && !this.isDenied(intent),
    )
  }

  private isDenied(intent: Intent): boolean {
    return (
      intent.status === 'failed' ||
      this.ledger.messages.some(
        ({ intentId, reported }) => intentId === intent.id && reported.kind === 'declined',
      )
    )
  }
}
