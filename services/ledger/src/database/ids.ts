import { randomBytes } from 'node:crypto'
import { type Cell, cellDigits } from '@malipo/kernel/cells'
import type { CountryRules } from '@malipo/kernel/countries'
import type { Clock } from '@malipo/runtime/clock'

/**
 * Ids cannot be guessed, and ids of one minute lie together in an index. The first 12 of their 96 bits are the minute,
 * in a cycle of some three days, so that rows made together lie together on disk however large the table grows. The
 * other 84 bits are random. In a cell the first 8 bits are the cell, and 76 are random.
 */
const minutesInCycle = 0x1000
const hexDigits = 24

export const randomBytesPerId = 11

/** `random`: at least `randomBytesPerId` bytes from a cryptographic source. */
export function newId(prefix: string, atMs: number, random: Buffer, cell?: Cell): string {
  const minute = Math.floor(atMs / 60_000) % minutesInCycle
  const cycle = minute.toString(16).padStart(3, '0')
  const first = cell === undefined ? '' : cellDigits(cell)
  return prefix + (first + cycle + random.toString('hex')).slice(0, hexDigits)
}

/** Crockford's 32: without I, L, O and U, because payers read it aloud to their provider's help line. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * What the payer's prompt shows and the provider's statement repeats: `M` and 11 letters or digits. It never looks
 * like a Pay Bill number (`CS` and 8 digits), because M-Pesa may report the same payment as a Pay Bill payment too.
 */
export function attemptReference(random: Buffer): string {
  return `M${Array.from(random.subarray(0, 11), (byte) => letters[byte % 32]).join('')}`
}

/**
 * The token in the callback address of an attempt: the id of the attempt and 128 secret bits that only the provider
 * gets.
 */
export function callbackToken(intentId: string, secret: string): string {
  return intentId.slice('pi_'.length) + secret
}

const callbackTokenShape = /^([0-9a-f]{24})([0-9a-f]{32})$/

export function readCallbackToken(
  token: string,
): { readonly intentId: string; readonly secret: string } | undefined {
  const match = callbackTokenShape.exec(token)
  if (match?.[1] === undefined || match[2] === undefined) return undefined
  return { intentId: `pi_${match[1]}`, secret: match[2] }
}

/** A refund has an address for the provider's verdict, and one for its answer to a status query. */
const refundTokenKinds = { callback: '01', query_answer: '02' } as const
export type RefundTokenKind = keyof typeof refundTokenKinds

export function refundToken(refundId: string, secret: string, kind: RefundTokenKind): string {
  return refundId.slice('rf_'.length) + secret + refundTokenKinds[kind]
}

const refundTokenShape = /^([0-9a-f]{24})([0-9a-f]{32})(0[12])$/

/** Undefined for the token of an attempt, which is shorter. */
export function readRefundToken(
  token: string,
):
  | { readonly refundId: string; readonly secret: string; readonly kind: RefundTokenKind }
  | undefined {
  const match = refundTokenShape.exec(token)
  if (match?.[1] === undefined || match[2] === undefined) return undefined
  const kind = match[3] === refundTokenKinds.callback ? 'callback' : 'query_answer'
  return { refundId: `rf_${match[1]}`, secret: match[2], kind }
}

const idsAtOnce = 256

/** Gives out ids and secrets. The clock only decides where a row lies on disk, and randomness is the system's. */
export type NewIds = ReturnType<typeof openNewIds>

export function openNewIds(country: CountryRules, clock: Clock, cell?: Cell) {
  const random = openRandom(randomBytesPerId)
  const id = (prefix: string) => newId(prefix, clock.now(), random(), cell)
  return {
    checkout: () => id(country.checkoutIdPrefix),
    intent: () => id('pi_'),
    providerMessage: () => id('pm_'),
    refund: () => id('rf_'),
    placement: () => id('pl_'),
    freezing: () => id('fr_'),
    reportClosing: () => id('rc_'),
    reportPosting: () => id('rp_'),
    attemptReference: () => attemptReference(random()),
    /** 128 bits: the callback address cannot be guessed. */
    callbackSecret: () => randomBytes(16).toString('hex'),
  }
}

/**
 * Takes random bytes for many ids in one system call, which takes longer than all other work on a row of the
 * statement.
 */
function openRandom(length: number): () => Buffer {
  let pool = Buffer.alloc(0)
  let used = 0
  return () => {
    if (used === pool.length) {
      pool = randomBytes(length * idsAtOnce)
      used = 0
    }
    used += length
    return pool.subarray(used - length, used)
  }
}
