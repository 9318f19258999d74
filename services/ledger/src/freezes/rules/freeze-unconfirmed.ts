import type { Minor } from '@malipo/kernel/money'
import type { Transfer } from '../../evidence/rules/state'
import { suspenseAccount } from '../../journal/rules/postings'

/** A payment that a Pay Bill confirmation reported and no statement confirms, as read under its locks. */
export interface UnconfirmedPayment {
  /** `mpesa:QK12345678` */
  readonly subject: string
  readonly intentId: string
  /** The account that has the money of the payment, or null where the money went back to the payer. */
  readonly holder: string | null
  readonly minor: Minor
  /** The balance of the holder. */
  readonly holderMinor: Minor
  /** The statement has shown the payment with this amount since it was found unconfirmed. */
  readonly isShown: boolean
}

/** Money that is taken back from a wallet, and held until operators decide or the statement shows its payment. */
export interface FrozenPayment {
  readonly subject: string
  readonly transfers: readonly Omit<Transfer, 'eventAt'>[]
  readonly suspense: {
    readonly eventKey: string
    readonly intentId: string
    readonly minor: Minor
  }
}

const unconfirmed = 'suspense:unconfirmed'

/** Freezes what wallets still have of unconfirmed payments. A wallet gives what it has, and its owner owes the rest. */
export function freezeUnconfirmed(payments: readonly UnconfirmedPayment[]): FrozenPayment[] {
  const taken = new Map<string, Minor>()
  return payments.flatMap(({ subject, intentId, holder, minor, holderMinor, isShown }) => {
    if (isShown || holder?.startsWith('wallet:') !== true) return []
    const eventKey = `frozen:${subject}`
    const left = holderMinor - (taken.get(holder) ?? 0n)
    const has = left <= 0n ? 0n : left < minor ? left : minor
    taken.set(holder, (taken.get(holder) ?? 0n) + has)
    const debits = [
      { debit: holder, minor: has },
      { debit: holder.replace(/^wallet:/, 'receivable:'), minor: minor - has },
    ]
    const transfers = debits
      .filter((one) => one.minor > 0n)
      .map((one, leg) => ({ eventKey, leg, ...one, credit: unconfirmed }))
    return { subject, transfers, suspense: { eventKey, intentId, minor } }
  })
}

export interface ShownReceipt {
  readonly receipt: string
  readonly amountMinor: Minor
}

/** What is known of a receipt that the statement shows, as read under its lock. */
export interface KnownReceipt {
  readonly receipt: string
  /** The amount that the statement showed first, which stays. */
  readonly firstMinor: Minor
  /** Undefined where the money was never frozen. */
  readonly frozen: FrozenMoney | undefined
}

interface FrozenMoney {
  /** The account that has the money now, or null where the money went back to the payer. */
  readonly holder: string | null
  readonly minor: Minor
  /** The transfers that froze the money. */
  readonly legs: readonly (Pick<Transfer, 'leg' | 'debit' | 'credit'> & { readonly minor: Minor })[]
}

export type Move = Omit<Transfer, 'eventAt'>

/**
 * Decides what rows of M-Pesa's statement do beside settling. Returns the receipts that were shown with another amount
 * before, and the transfers that unfreeze money for which a row of its amount was missing until now.
 */
export function showRows(
  rows: readonly ShownReceipt[],
  known: readonly KnownReceipt[],
): { readonly differing: readonly string[]; readonly moves: readonly Move[] } {
  const firsts = new Map(known.map(({ receipt, firstMinor }) => [receipt, firstMinor]))
  const differing = rows.filter(({ receipt, amountMinor }) => firsts.get(receipt) !== amountMinor)
  return {
    differing: [...new Set(differing.map(({ receipt }) => receipt))],
    moves: known.flatMap(giveFrozenBack),
  }
}

function giveFrozenBack({ receipt, firstMinor, frozen }: KnownReceipt): Move[] {
  if (frozen === undefined || frozen.holder !== suspenseAccount('unconfirmed')) return []
  if (frozen.minor !== firstMinor) return []
  return frozen.legs.map(({ leg, debit, credit, minor }) => ({
    ...{ eventKey: `placed:mpesa:${receipt}`, leg, minor },
    ...{ debit: credit, credit: debit },
  }))
}
