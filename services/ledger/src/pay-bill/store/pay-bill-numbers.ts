import { createHmac } from 'node:crypto'
import { isSameSecret } from '@malipo/contracts/same-secret'
import type { Minor } from '@malipo/kernel/money'
import { payBillNumber, payBillNumbers, type RoundHash, scatter } from '../rules/pay-bill'
import type { Database } from '../../database/database'

/** How many places are taken at once: enough for a second or two of a burst. A restart loses few of ten million. */
const placesAtOnce = 64

/** After this many fetches of numbers that are all held, a checkout gets none. */
const heldMax = 4

/** Gives out account numbers. A number is given again only after all ten million were given. */
export interface PayBillNumbers {
  /** Undefined where all numbers that were tried are held by checkouts of the last year. */
  take(): Promise<string | undefined>
  /** Takes back a number that no checkout got. */
  giveBack(number: string): void
}

export function openPayBillNumbers(db: Database, key: Buffer): PayBillNumbers {
  const hash = roundHash(key)
  const free: string[] = []
  let refill: Promise<number> | undefined
  const fetchFree = async () => {
    const rows = await db.$queryRaw<{ place: number }[]>`
      SELECT nextval('pay_bill_places')::int AS place FROM generate_series(1, ${placesAtOnce}::int)`
    const numbers = rows.map(({ place }) => payBillNumber(scatter(place, payBillNumbers, hash)))
    const found = await db.$queryRaw<{ number: string }[]>`
      SELECT number FROM pay_bill_numbers
      WHERE number = ANY (${numbers}) AND given_at >= (SELECT clock_timestamp()) - interval '1 year'`
    const held = new Set(found.map(({ number }) => number))
    const added = numbers.filter((number) => !held.has(number))
    free.push(...added)
    return added.length
  }
  return {
    async take() {
      let held = 0
      while (free.length === 0 && held < heldMax) {
        refill ??= fetchFree().finally(() => {
          refill = undefined
        })
        if ((await refill) === 0) held += 1
      }
      return free.pop()
    },
    giveBack(number) {
      free.push(number)
    },
  }
}

/** How many account numbers no checkout was given in the last year. */
export async function countPayBillNumbersLeft(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<[{ held: number }]>`
    SELECT count(*)::float8 AS held FROM pay_bill_numbers
    WHERE given_at >= (SELECT clock_timestamp()) - interval '1 year'`
  return payBillNumbers - row.held
}

function roundHash(key: Buffer): RoundHash {
  return (round, half) => {
    const input = Buffer.alloc(5)
    input.writeUInt8(round)
    input.writeUInt32BE(half, 1)
    return createHmac('sha256', key).update(input).digest().readUInt32BE()
  }
}

/** The fields of a payment that are the same in its validation and in its confirmation. */
export interface SignedPayment {
  readonly receipt: string
  readonly amountMinor: Minor
  readonly account: string
}

export type PayBillSignature = ReturnType<typeof openPayBillSignature>

/**
 * Signs the answer to a validation. A confirmation that brings the signature back comes from the caller that got it.
 */
export function openPayBillSignature(key: Buffer) {
  const sign = ({ receipt, amountMinor, account }: SignedPayment): string =>
    createHmac('sha256', key)
      .update(JSON.stringify(['pay bill', receipt, String(amountMinor), account]))
      .digest('hex')
      .slice(0, 16)
  return {
    sign,
    matches(payment: SignedPayment, given: string): boolean {
      return isSameSecret(given, sign(payment))
    },
  }
}
