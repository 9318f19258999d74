import type { Invariant } from './invariant'
import { moneyInvariants } from './money-invariants'
import { stateInvariants } from './state-invariants'
import { wireInvariants } from './wire-invariants'

/** All that is asked of a ledger's database. Number 27 is about keys and is asked where they live. */
export const invariants: readonly Invariant[] = [
  ...moneyInvariants,
  ...stateInvariants,
  ...wireInvariants,
]
