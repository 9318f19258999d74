import type { Minor } from '@malipo/kernel/money'
import type { Transfer } from '../../evidence/rules/state'

/** A payment that a Pay Bill confirmation reported and no statement confirms, as it was behind its locks. */
export interface UnconfirmedPayment {
  /** `mpesa:QK12345678` */
  readonly subject: string
  readonly intentId: string
  /** The account that has its money, or null where it went back. */
  readonly holder: string | null
  readonly minor: Minor
  /** What the holder has of all its money. */
  readonly holderMinor: Minor
  /** The statement shows it with this amount since it was found. */
  readonly isShown: boolean
}

/** Money that is taken back from a wallet, and held until people decide. */
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

/** Freezes what wallets still have of such payments. A wallet gives what it has, and its owner owes the rest. */
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
