import { countries } from '@malipo/kernel/countries'
import { likelyRail, namedRail } from './mobile-rail'

test.each([
  ['ke', '254712345678', 'mpesa'],
  ['ke', '256702345678', 'mpesa'],
  ['ug', '256772123456', 'mtn_momo'],
  ['ug', '256702345678', 'airtel_money'],
  ['ug', '256742000111', 'airtel_money'],
  ['ug', '256752123456', 'airtel_money'],
  ['ug', '46733123450', 'mtn_momo'],
] as const)('in %s, %s most likely pays with %s', (country, phone, rail) => {
  expect(likelyRail(phone, countries[country])).toBe(rail)
})

test.each([
  ['ug', 'airtel_money', 'airtel_money'],
  ['ug', '', undefined],
  ['ug', 'mpesa', undefined],
  ['ke', 'mtn_momo', undefined],
] as const)('in %s, a form that names "%s" means %s', (country, name, rail) => {
  expect(namedRail(name, countries[country])).toBe(rail)
})
