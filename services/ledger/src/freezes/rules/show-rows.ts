import type { Minor } from '@malipo/kernel/money'
import { suspenseAccount } from '../../journal/rules/postings'
import type { Transfer } from '../../evidence/rules/state'

/** What a row of the statement shows. */
export interface ShownReceipt {
  readonly receipt: string
  readonly amountMinor: Minor
}

/** What is known of a receipt that the statement shows, as it was behind its lock. */
export interface KnownReceipt {
  readonly receipt: string
  /** The amount that the statement showed first, which stays. */
  readonly firstMinor: Minor
  /** Undefined of money that was never frozen. */
  readonly frozen: FrozenMoney | undefined
}

interface FrozenMoney {
  /** The account that has it now, or null where it went back. */
  readonly holder: string | null
  readonly minor: Minor
  /** How it was frozen. */
  readonly legs: readonly (Pick<Transfer, 'leg' | 'debit' | 'credit'> & { readonly minor: Minor })[]
}

export type Move = Omit<Transfer, 'eventAt'>

/**
 * Decides what rows of M-Pesa's statement do beside settling: which show another amount than before, and which money goes
 * back to where it was, because it was frozen for want of a row of its amount.
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
