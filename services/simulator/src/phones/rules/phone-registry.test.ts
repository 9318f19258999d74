import type { NewPhone } from './phone'
import { openPhoneRegistry, phonesMax } from './phone-registry'

const phone = (msisdn: string): NewPhone => ({
  msisdn,
  name: 'A payer',
  pin: '1234',
  balanceMinor: 0n,
  network: 'safaricom',
  simState: 'on',
  policy: { answer: 'ask', afterMs: 0 },
})

test('registers a number once', () => {
  const registry = openPhoneRegistry([phone('254700000001')])
  expect(registry.add(phone('254700000001'))).toBe(false)
  expect(registry.size()).toBe(1)
})

test('returns no phone for an unregistered number', () => {
  expect(openPhoneRegistry().find('254700000009')).toBeUndefined()
})

test('tells a phone that was added from those that every simulation has', () => {
  const registry = openPhoneRegistry([phone('254700000001')])
  registry.add(phone('254700000002'))
  expect(registry.find('254700555001')).toBeDefined()
  const numbers = ['254700000001', '254700000002', '254700000003', '254700555001']
  expect(numbers.filter((msisdn) => registry.isAdded(msisdn))).toEqual(['254700000002'])
})

test('refuses phones when it is full', () => {
  const numbers = Array.from({ length: phonesMax }, (_, index) =>
    phone(String(254_700_000_000 + index)),
  )
  const registry = openPhoneRegistry(numbers)
  expect(registry.size()).toBe(phonesMax)
  expect(registry.add(phone('254799999999'))).toBe(false)
})
