import type { Checkout } from './tables.harness'
import type { ProviderTrait } from './worker.harness'

/** The prices of the checkouts. */
export const amounts = { whole: [50_000n, 30_000n], cents: [50_056n, 30_001n] } as const

/** The most that operators credit on a callback alone: nothing, small amounts, everything. */
export const unconfirmedMaxima = [0n, 40_000n, 15_000_000n] as const

/** The times that may pass at once, in seconds. */
export const leaps = [1, 5, 14, 15, 20, 60, 75, 150, 200, 390, 600, 1_800]

/** What a world is made of, beside its rules. */
export interface Setting {
  readonly country: 'ke' | 'ug'
  readonly checkouts: 1 | 2
  readonly phones: 1 | 2
  /** Whether the prices of the checkouts have cents. */
  readonly amounts: keyof typeof amounts
  /** Whether M-Pesa is asked for whole shillings at first, by the operator's setting. */
  readonly isWholeShillings: boolean
  /** The most that a callback alone is credited for. */
  readonly unconfirmedMaxMinor: bigint
  readonly provider: ProviderTrait
  /** Whether the accounts of the checkouts take cards. */
  readonly takesCards: boolean
}

export function checkoutsOf({
  checkouts,
  amounts: prices,
  takesCards,
}: Setting): readonly Checkout[] {
  return Array.from({ length: checkouts }, (_, id) => ({
    ...{ id, accountId: `m${String(id)}`, payBillNumber: `CS${String(id)}` },
    amountMinor: amounts[prices][id] ?? 100n,
    ...{ expiresAt: 1_800, takesCards, isFrozen: false },
  }))
}

export const actionNames = [
  'pay',
  'payByCard',
  'payHandle',
  'submit',
  'record',
  'approve',
  'refuse',
  'leave',
  'deliver',
  'lose',
  'read',
  'sweep',
  'pass',
  'expire',
  'forge',
  'payBill',
  'freeze',
  'reset',
] as const
export type ActionName = (typeof actionNames)[number]

/** An event of a run: `which` picks the object, `dice` the course of the event. Any two numbers are valid. */
export interface Action {
  readonly name: ActionName
  readonly which: number
  readonly dice: number
}
