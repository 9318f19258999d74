import { later } from '../../evidence/rules/state'
import { type AddressState, storeRefundMessage } from './decide-storing'
import { now } from './refunds.harness'

const message = {
  ...{ messageId: 'pm_1', refundId: 'rf_1', callbackSecret: 's', kind: 'callback' as const },
  ...{ body: Buffer.from('{}'), sourceAddress: '196.201.214.200', sourceKnown: true },
}
const address: AddressState = { now, provider: 'mpesa', isSecretRight: true, keptId: null }

test('a message is stored byte for byte, and is due to be read a second later', () => {
  expect(storeRefundMessage(address, message)).toEqual({
    applied: 'pm_1',
    writes: { kept: { ...message, rail: 'mpesa', nextActionAt: later(now, 1), isCounted: true } },
  })
})

test('counts a message that was stored before, and returns its id', () => {
  expect(storeRefundMessage({ ...address, keptId: 'pm_0' }, message)).toEqual({
    applied: 'pm_0',
    writes: { repeatedId: 'pm_0' },
  })
})

test('stores an answer that a worker fetched also when an equal one was stored before', () => {
  const answer = { ...message, kind: 'query_answer' as const }
  const kept = { ...address, keptId: 'pm_0' }
  expect(storeRefundMessage({ ...kept, provider: 'card' }, answer)).toMatchObject({
    applied: 'pm_1',
    writes: { kept: { messageId: 'pm_1', isCounted: false } },
  })
  expect(storeRefundMessage(kept, answer).applied).toBe('pm_0')
})

test('nothing is stored for an address that no refund has', () => {
  expect(storeRefundMessage(undefined, message)).toEqual({ applied: undefined })
  expect(storeRefundMessage({ ...address, isSecretRight: false }, message)).toEqual({
    applied: undefined,
  })
})
