import type { NewPhone } from './phone'
import { openShelf, phonesMax } from './shelf'

const phone = (msisdn: string): NewPhone => ({
  msisdn,
  name: 'A payer',
  pin: '1234',
  balanceMinor: 0n,
  network: 'safaricom',
  simState: 'on',
  policy: { answer: 'ask', afterMs: 0 },
})

test('a number belongs to one phone', () => {
  const shelf = openShelf([phone('254700000001')])
  expect(shelf.add(phone('254700000001'))).toBe(false)
  expect(shelf.size()).toBe(1)
})

test('an unregistered number has no phone', () => {
  expect(openShelf().find('254700000009')).toBeUndefined()
})

test('a full shelf takes no more', () => {
  const numbers = Array.from({ length: phonesMax }, (_, index) =>
    phone(String(254_700_000_000 + index)),
  )
  const shelf = openShelf(numbers)
  expect(shelf.size()).toBe(phonesMax)
  expect(shelf.add(phone('254799999999'))).toBe(false)
})
