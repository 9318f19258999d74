import { createHmac, randomInt } from 'node:crypto'
import {
  isPayBillNumber,
  payBillNumber,
  payBillNumbers,
  readAccountNumber,
  type RoundHash,
  scatter,
} from './pay-bill-number'

const keyed =
  (key: string): RoundHash =>
  (round, half) =>
    createHmac('sha256', key)
      .update(`${String(round)} ${String(half)}`)
      .digest()
      .readUInt32BE()

const some = Array.from({ length: 500 }, () => payBillNumber(randomInt(payBillNumbers)))

test('is CS and eight digits', () => {
  expect(payBillNumber(0)).toBe('CS00000000')
  // The published example of the check digit: 572 and 4.
  expect(payBillNumber(572)).toBe('CS00005724')
  for (const number of some) expect(number).toMatch(/^CS\d{8}$/)
})

test('is recognised', () => {
  for (const number of some) expect(isPayBillNumber(number)).toBe(true)
})

test('row 55: no other number is one digit away', () => {
  for (const number of some) {
    for (let at = 2; at < number.length; at += 1) {
      for (const digit of '0123456789') {
        if (digit === number[at]) continue
        const slip = number.slice(0, at) + digit + number.slice(at + 1)
        expect([slip, isPayBillNumber(slip)]).toEqual([slip, false])
      }
    }
  }
})

test('row 55: no other number is two swapped neighbours away', () => {
  for (const number of some) {
    for (let at = 2; at < number.length - 1; at += 1) {
      const [one = '', other = ''] = number.slice(at, at + 2)
      if (one === other) continue
      const slip = number.slice(0, at) + other + one + number.slice(at + 2)
      expect([slip, isPayBillNumber(slip)]).toEqual([slip, false])
    }
  }
})

test.each(['cs12345674', 'CS 1234 5674', 'cs-1234-5674', ' Cs 1234–5674 ', 'C S12345674\t'])(
  'row 56: reads %p as CS12345674',
  (typed) => {
    expect(readAccountNumber(typed)).toBe('CS12345674')
  },
)

test.each(['', 'CS', 'CS1234567', 'CS123456789', '12345674', 'mama.mboga', 'CS1234567x'])(
  'takes %p for no number of a checkout',
  (typed) => {
    expect(isPayBillNumber(readAccountNumber(typed))).toBe(false)
  },
)

test.each([2, 10, 97, 1_000, 4_096, 10_000])('gives each of %p places once', (size) => {
  const hash = keyed('key')
  const places = Array.from({ length: size }, (_, place) => scatter(place, size, hash))
  expect(new Set(places).size).toBe(size)
  expect(Math.min(...places)).toBe(0)
  expect(Math.max(...places)).toBe(size - 1)
})

test('gives no two of many neighbours the same number, and none a guessable one', () => {
  const hash = keyed('key')
  const start = randomInt(payBillNumbers - 2_000)
  const places = Array.from({ length: 2_000 }, (_, n) => scatter(start + n, payBillNumbers, hash))
  expect(new Set(places).size).toBe(2_000)
  const near = places.filter((place, n) => Math.abs(place - (places[n - 1] ?? -10_000)) < 1_000)
  expect(near.length).toBeLessThan(20)
})

test('gives another order by another key', () => {
  const order = (key: string) =>
    Array.from({ length: 20 }, (_, n) => scatter(n, payBillNumbers, keyed(key)))
  expect(order('one')).not.toEqual(order('other'))
  expect(order('one')).toEqual(order('one'))
})
