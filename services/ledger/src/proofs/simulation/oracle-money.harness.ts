import { floatOf, roundedUp } from './design.harness'
import type { SimulatedLedger } from './ledger.harness'
import type { Movement, ProviderBook } from './provider.harness'
import { type Checkout, type Intent, ofHandle, type Transfer } from './tables.harness'
import { isOfMerchant } from './worker.harness'

type Expect = (what: string, holds: boolean) => void

/** Checks each transfer of the journal, as it is posted, against the provider's book. */
export class MoneyOracle {
  /** What the merchant of each checkout got. */
  readonly credited = new Map<number, bigint>()
  /** The attempts to pay a handle that have their money. */
  private readonly settled = new Set<number>()
  private readonly ledger: SimulatedLedger
  private readonly book: ProviderBook
  private readonly request: ReadonlyMap<number, bigint>
  private readonly expect: Expect

  /** `request` has the amount that each attempt may ask its payer for. */
  constructor(
    ledger: SimulatedLedger,
    book: ProviderBook,
    given: { readonly request: ReadonlyMap<number, bigint>; readonly expect: Expect },
  ) {
    this.ledger = ledger
    this.book = book
    this.request = given.request
    this.expect = given.expect
  }

  check(transfer: Transfer): void {
    const { receipt, leg, debit, credit, minor, checkoutId } = transfer
    const movement = this.book.findMovement(receipt)
    if (movement === undefined) {
      this.expect('no money is invented', false)
      return
    }
    const legs = this.ledger.transfers.filter((other) => other.receipt === receipt)
    const posted = legs.reduce((sum, each) => sum + each.minor, 0n)
    this.expect('money is posted in full', movement.minor === posted)
    this.expect('money is given to whose it is', movement.checkoutId === checkoutId)
    this.expect('float grows where the money lies', debit === floatOf(movement))
    this.expect('no receipt is posted twice', new Set(legs.map(legOf)).size === legs.length)
    if (leg > 0) {
      const isFee = credit === 'fee:card' && minor === this.feeOf(movement)
      this.expect('the fee of a card is as agreed', isFee)
      return
    }
    this.expect('the credit side is as agreed', credit === this.creditOf(movement, legs.length))
    if (isOfMerchant(credit) && checkoutId !== undefined && checkoutId !== ofHandle) {
      this.credited.set(checkoutId, (this.credited.get(checkoutId) ?? 0n) + minor)
    }
  }

  /** Returns the account to credit. A card payment to a merchant has a second leg, its fee; suspense gets it whole. */
  private creditOf(movement: Movement, legs: number): string {
    const credit =
      movement.checkoutId === ofHandle ? this.ofHandle(movement) : this.ofCheckout(movement)
    const hasFee = isOfMerchant(credit) && movement.rail === 'card'
    return legs === (hasFee ? 2 : 1) ? credit : 'another number of legs'
  }

  /** Decides in the order of the design: paid already, another amount, no wallet that can take it, the merchant. */
  private ofCheckout({ checkoutId, intentId, minor, account }: Movement): string {
    const checkout = this.ledger.checkouts[checkoutId ?? -1]
    if (checkout === undefined) return 'suspense:unmatched'
    if (this.credited.has(checkout.id)) return 'suspense:duplicate'
    const id = this.attemptOf(account)?.id ?? intentId ?? -1
    if ((this.request.get(id) ?? this.dueNow(checkout.id)) !== minor) return 'suspense:mismatch'
    return walletOf(checkout)
  }

  /** A menu payment to the handle may have any amount; an attempt asks for one amount, and takes it once. */
  private ofHandle({ receipt, minor, account }: Movement): string {
    const [checkout] = this.ledger.checkouts
    const attempt = this.attemptOf(account)
    if (attempt !== undefined) {
      const isPaid = this.settled.has(attempt.id)
      if (attempt.settled?.receipt === receipt) this.settled.add(attempt.id)
      if (isPaid) return 'suspense:duplicate'
      if (this.request.get(attempt.id) !== minor) return 'suspense:mismatch'
    }
    return checkout === undefined ? 'suspense:unmatched' : walletOf(checkout)
  }

  private attemptOf(account: string): Intent | undefined {
    if (account === '') return undefined
    return this.ledger.intents.find(({ reference }) => reference === account)
  }

  /** What the payer of a checkout is asked for when an attempt over a phone begins now. */
  dueNow(checkoutId: number): bigint {
    return this.rounded(this.ledger.checkouts[checkoutId]?.amountMinor ?? 0n)
  }

  rounded(minor: bigint): bigint {
    return this.ledger.isWholeShillings ? roundedUp(minor) : minor
  }

  private feeOf({ checkoutId }: Movement): bigint {
    return feeOf(this.ledger.checkouts[checkoutId ?? -1]?.amountMinor ?? 0n)
  }
}

/** 3.5 percent of an amount, rounded up to the next whole shilling. */
export function feeOf(minor: bigint): bigint {
  return roundedUp((minor * 35n + 999n) / 1_000n)
}

function walletOf({ isFrozen, accountId }: Checkout): string {
  return isFrozen ? 'suspense:unmatched' : `wallet:${accountId}`
}

function legOf({ leg }: Transfer): number {
  return leg
}
