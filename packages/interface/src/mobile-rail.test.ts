import { countries } from '@malipo/kernel/countries'
import { likelyRail, namedRail } from './mobile-rail'

test.each([
  ['ke', '254712345678', 'mpesa'],
  ['ke', '256702345678', 'mpesa'],
  ['ke', '254733123456', 'airtel_money'],
  ['ke', '254751123456', 'airtel_money'],
  ['ke', '254101123456', 'airtel_money'],
  ['ke', '254757123456', 'mpesa'],
  ['ke', '254772123456', 'mpesa'],
  ['ug', '256772123456', 'mtn_momo'],
  ['ug', '256702345678', 'airtel_money'],
  ['ug', '256742000111', 'airtel_money'],
  ['ug', '256752123456', 'airtel_money'],
  ['ug', '46733123450', 'mtn_momo'],
] as const)('in %s, %s most likely pays with %s', (country, phone, rail) => {
  expect(likelyRail(phone, countries[country])).toBe(rail)
})

test('a number of a network whose rail is off most likely pays with the default', () => {
  const withoutAirtel = { ...countries.ke, mobileRails: ['mpesa'] } as const
  expect(likelyRail('254733123456', withoutAirtel)).toBe('mpesa')
})

test.each([
  ['ke', 'airtel_money', 'airtel_money'],
  ['ug', 'airtel_money', 'airtel_money'],
  ['ug', '', undefined],
  ['ug', 'mpesa', undefined],
  ['ke', 'mtn_momo', undefined],
] as const)('in %s, a form that names "%s" means %s', (country, name, rail) => {
  expect(namedRail(name, countries[country])).toBe(rail)
})
