import { countries } from '@malipo/kernel/countries'
import type { Prompt } from '../rail'
import { nationalNumber, payBody } from './outbound'
import { recorded } from './recorded.harness'
import { intentIdOf, transactionIdOf } from './transaction-id'

const { ke, ug } = countries
const prompt: Prompt = {
  intentId: 'pi_0f4c8a5d2b7e4f1c9a6d3e8b',
  phone: '256752123456',
  amountMinor: 500_000n,
  attemptReference: 'A1B2C3D4E5F6',
  payeeName: 'Mama Mboga Fresh',
  callbackUrl: 'https://callbacks.example.com/callbacks/0f4c8a5d2b7e4f1c9a6d3e8b5c2f7a10',
  sendByMs: Infinity,
}

describe('the body of a payment', () => {
  test('is the recorded one, with the amount as a number', () => {
    expect(payBody(prompt, '752123456', ug)).toEqual(
      JSON.parse(recorded('pay-request').body.toString()),
    )
  })

  test.each([
    [100n, 1],
    [500_000_000n, 5_000_000],
  ])('asks for %s minor units as %d', (amountMinor, amount) => {
    expect(payBody({ ...prompt, amountMinor }, '752123456', ug).transaction.amount).toBe(amount)
  })

  test('names Kenya in Kenya, and asks for cents as the ledger does', () => {
    const body = payBody({ ...prompt, amountMinor: 123_450n }, '733123456', ke)
    expect(body.subscriber).toEqual({ country: 'KE', currency: 'KES', msisdn: '733123456' })
    expect(body.transaction).toMatchObject({ country: 'KE', currency: 'KES', amount: 1_234.5 })
  })

  test.each([150n, 0n])('in Uganda never asks for %s minor units', (amountMinor) => {
    expect(() => payBody({ ...prompt, amountMinor }, '752123456', ug)).toThrow()
  })
})

test.each([
  ['ug', '256752123456', '752123456'],
  ['ug', '254708374149', undefined],
  ['ug', '2567521234567', undefined],
  ['ug', '0752123456', undefined],
  ['ke', '254101123456', '101123456'],
  ['ke', '256752123456', undefined],
] as const)('in %s the number %s is sent as %s', (country, phone, msisdn) => {
  expect(nationalNumber(phone, countries[country])).toBe(msisdn)
})

describe('the transaction id of an attempt', () => {
  test('leads back to its intent', () => {
    expect(intentIdOf(transactionIdOf(prompt.intentId))).toBe(prompt.intentId)
  })

  test.each(['', 'BBZMiscxy', '0F4C8A5D2B7E4F1C9A6D3E8B', '0f4c8a5d2b7e4f1c9a6d3e8b0'])(
    'is not "%s"',
    (id) => {
      expect(intentIdOf(id)).toBeUndefined()
    },
  )

  test('is refused for an id that is not of an intent', () => {
    expect(() => transactionIdOf('cs_ug_0f4c8a5d2b7e4f1c9a6d3e8b')).toThrow('internal')
  })
})
