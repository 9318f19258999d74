import { IntentStatus, Rail } from './generated/ledger/v1/ledger_service'
import { wireOf, wordOf } from './wire-words'

test.each([
  [Rail.MTN_MOMO, 'mtn_momo'],
  [Rail.CARD, 'card'],
  [Rail.UNSPECIFIED, undefined],
] as const)('converts %s to %s, and back', (wire, word) => {
  expect(wordOf('RAIL', wire)).toBe(word)
  expect(wireOf('RAIL', word)).toBe(wire)
})

test('rejects at compile time a name that is not in the contract', () => {
  const known: IntentStatus = wireOf('INTENT_STATUS', 'completed')
  expect(known).toBe(IntentStatus.COMPLETED)
  // @ts-expect-error INTENT_STATUS_PAID is no value of the contract.
  const unknown: IntentStatus = wireOf('INTENT_STATUS', 'paid')
  expect(Object.values(IntentStatus)).not.toContain(unknown)
})

test('rejects at compile time an enum value that has no name in our code', () => {
  const words: 'mpesa' | 'card' | undefined = wordOf(
    'RAIL',
    Rail.CARD as 'RAIL_MPESA' | 'RAIL_CARD',
  )
  expect(words).toBe('card')
  // @ts-expect-error RAIL_PAYBILL would be "paybill".
  const narrow: 'mpesa' | 'card' | undefined = wordOf('RAIL', Rail.PAYBILL as Rail)
  expect(narrow).toBe('paybill')
})
