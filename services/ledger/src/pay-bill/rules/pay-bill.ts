import type { Minor } from '@malipo/kernel/money'

/**
 * The account number of a checkout for the Pay Bill menu: `CS` and eight digits, the last of them a check digit. A
 * payer types it on a small phone, so a slip has to be noticed and must never name the checkout of another.
 */
export type PayBillNumber = string

/** How many numbers there are: seven digits, as the eighth is the check digit. */
export const payBillNumbers = 10_000_000
const digits = 7

/**
 * A quasigroup that is totally anti-symmetric (H. M. Damm, 2004): with it every wrong digit, and every two adjacent digits
 * in the wrong order, are noticed.
 */
export const damm = [
  [0, 3, 1, 7, 5, 9, 8, 6, 4, 2],
  [7, 0, 9, 2, 1, 5, 4, 8, 6, 3],
  [4, 2, 0, 6, 8, 7, 1, 3, 5, 9],
  [1, 7, 5, 0, 9, 8, 3, 4, 2, 6],
  [6, 1, 2, 3, 0, 4, 5, 9, 7, 8],
  [3, 6, 7, 4, 2, 0, 9, 5, 8, 1],
  [5, 8, 6, 9, 7, 2, 0, 1, 3, 4],
  [8, 9, 4, 5, 3, 6, 2, 0, 1, 7],
  [9, 4, 3, 8, 6, 1, 7, 2, 0, 5],
  [2, 5, 8, 1, 4, 3, 6, 7, 9, 0],
] as const

function checkDigit(text: string): number {
  return Array.from(text, Number).reduce((interim, digit) => damm[interim]?.[digit] ?? 0, 0)
}

/** The number at a place in the order of all numbers, 0 to `payBillNumbers` - 1. */
export function payBillNumber(place: number): PayBillNumber {
  const text = String(place).padStart(digits, '0')
  return `CS${text}${String(checkDigit(text))}`
}

/** What a payer typed as the account, without what thumbs add to it: case, spaces and dashes. */
export function readAccountNumber(typed: string): string {
  return typed.replace(/[\s\p{Pd}]/gu, '').toUpperCase()
}

/** Whether an account number, as `readAccountNumber` leaves it, can be a checkout's. */
export function isPayBillNumber(account: string): account is PayBillNumber {
  return /^CS\d{8}$/.test(account) && checkDigit(account.slice(2)) === 0
}

/** Whether an account number has the form of a checkout's but a wrong check digit. No handle has that form. */
export function isSlip(account: string): boolean {
  return /^CS\d{8}$/.test(account) && !isPayBillNumber(account)
}

/** A keyed hash of a round and half of a place, as an unsigned 32-bit number. */
export type RoundHash = (round: number, half: number) => number

/** Four rounds make a permutation indistinguishable from a random one (Luby and Rackoff). Two more are margin. */
const rounds = 6

/**
 * Where the n-th number lies among `size`: a permutation of them that only the holder of the key can follow, so that
 * one number does not reveal the next. A Feistel network permutes the next larger power of four; a step that lands
 * outside is taken again, which ends, because the walk is a cycle that began inside.
 */
export function scatter(place: number, size: number, hash: RoundHash): number {
  const halfBits = Math.ceil(Math.log2(size) / 2)
  let scattered = place
  do scattered = permute(scattered, halfBits, hash)
  while (scattered >= size)
  return scattered
}

function permute(place: number, halfBits: number, hash: RoundHash): number {
  const mask = 2 ** halfBits - 1
  let left = place >>> halfBits
  let right = place & mask
  for (let round = 0; round < rounds; round += 1) {
    const next = left ^ (hash(round, right) & mask)
    left = right
    right = next
  }
  return left * (mask + 1) + right
}

/** What an account number stands for. */
export interface PayBillTarget {
  /** The amount that is asked for; undefined for a handle, whose payer chooses the amount. */
  readonly askedMinor: Minor | undefined
  readonly isWalletOpen: boolean
  readonly isPaid: boolean
}

export type PayBillVerdict = 'accepted' | 'unknown_account' | 'wrong_amount'

/**
 * Whether a payment should be taken. A payment that would only lie in suspense is refused while the payer still has the
 * money: for an account that is unknown or already paid, or of another amount than was asked. An expired checkout is no
 * reason to refuse, because the exact amount completes it.
 */
export function payBillVerdict(
  target: PayBillTarget | undefined,
  paid: { readonly amountMinor: Minor; readonly isWithinLimits: boolean },
): PayBillVerdict {
  if (!target?.isWalletOpen || target.isPaid) return 'unknown_account'
  const isRight =
    target.askedMinor === undefined ? paid.isWithinLimits : target.askedMinor === paid.amountMinor
  return isRight ? 'accepted' : 'wrong_amount'
}
