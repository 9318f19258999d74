import type { Prompt } from '../rail'
import { payBody, payHeaders, referenceIdOf } from './outbound'
import { recorded } from './recorded.harness'

const settings = { currency: 'UGX' } as const
const prompt: Prompt = {
  intentId: 'pi_0f4c8a5d2b7e4f1c9a6d3e8b',
  phone: '256772123456',
  amountMinor: 500_000n,
  attemptReference: 'A1B2C3D4E5F6',
  payeeName: 'Mama Mboga Fresh',
  callbackUrl: 'https://callbacks.example.com/callbacks/0f4c8a5d2b7e4f1c9a6d3e8b5c2f7a10',
  sendByMs: Infinity,
}

describe('the body of a request to pay', () => {
  test('is the recorded one, with the shop and the reference as notes', () => {
    expect(payBody(prompt, settings)).toEqual(JSON.parse(recorded('pay-request').body.toString()))
  })

  test.each([
    [100n, '1'],
    [500_000_000n, '5000000'],
  ])('asks for %s minor units as %s', (amountMinor, text) => {
    expect(payBody({ ...prompt, amountMinor }, settings).amount).toBe(text)
  })

  test('never has a part of a shilling', () => {
    expect(() => payBody({ ...prompt, amountMinor: 150n }, settings)).toThrow('internal')
  })

  test('asks the sandbox for euros', () => {
    expect(payBody(prompt, { ...settings, currency: 'EUR' }).currency).toBe('EUR')
  })

  test('has notes that MTN accepts, whatever the shop is called', () => {
    const payeeName = `Wanjik\u0169\u2019s "Caf\u00e9" ${'Wholesale & Retail '.repeat(20)}`
    const { payerMessage, payeeNote } = payBody({ ...prompt, payeeName }, settings)
    expect(payerMessage).toMatch(/^[A-Za-z0-9 ]{1,160}$/)
    expect(payeeNote).toMatch(/^[A-Za-z0-9 ]{1,160}$/)
  })
})

describe('the reference of an attempt', () => {
  test('is a uuid v4', () => {
    expect(referenceIdOf(prompt.intentId)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })

  test('has every digit of its intent, so that no two intents share one', () => {
    expect(referenceIdOf('pi_0123456789abcdef01234567')).toBe(
      '01234567-89ab-4cde-8f01-234567000000',
    )
  })

  test('is the same on every repeat, and in the headers', () => {
    expect(payHeaders(prompt)).toMatchObject({
      'x-reference-id': referenceIdOf(prompt.intentId),
      'x-callback-url': prompt.callbackUrl,
    })
  })

  test('is refused for an id that is not of an intent', () => {
    expect(() => referenceIdOf('cs_ug_0f4c8a5d2b7e4f1c9a6d3e8b')).toThrow('internal')
  })
})
