import { capacityOf, guestCapacity } from './capacity'

const megabyte = 1_000_000

test('a small heap remembers fewer requests, and a large one at most 120,000', () => {
  expect(capacityOf(256 * megabyte).requests).toBe(19_692)
  expect(capacityOf(4_000 * megabyte).requests).toBe(120_000)
})

test('gives all guest sessions together less memory than the home session', () => {
  const home = capacityOf(256 * megabyte)
  expect(24 * guestCapacity(home).requests).toBeLessThan(home.requests)
})
