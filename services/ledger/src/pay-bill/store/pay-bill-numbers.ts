import { createHmac } from 'node:crypto'
import { isSameSecret } from '@malipo/contracts/same-secret'
import type { Minor } from '@malipo/kernel/money'
import { payBillNumber, payBillNumbers, type RoundHash, scatter } from '../rules/pay-bill'
import type { Database } from '../../database/database'

/** How many places are taken at once: enough for a second or two of a burst. A restart loses few of ten million. */
const placesAtOnce = 64

/** Gives out account numbers. A number is given again only after all ten million were given. */
export interface PayBillNumbers {
  take(): Promise<string>
}

export function openPayBillNumbers(db: Database, key: Buffer): PayBillNumbers {
  const hash = roundHash(key)
  const places: number[] = []
  let refill: Promise<void> | undefined
  const fetchPlaces = async () => {
    const rows = await db.$queryRaw<{ place: number }[]>`
      SELECT nextval('pay_bill_places')::int AS place FROM generate_series(1, ${placesAtOnce}::int)`
    places.push(...rows.map(({ place }) => place))
  }
  return {
    async take() {
      let place = places.pop()
      while (place === undefined) {
        refill ??= fetchPlaces().finally(() => {
          refill = undefined
        })
        await refill
        place = places.pop()
      }
      return payBillNumber(scatter(place, payBillNumbers, hash))
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
