import { digestOf } from './store-refund-message'

const message = {
  ...{ messageId: 'pm_1', refundId: 'rf_1', callbackSecret: 's', kind: 'callback' as const },
  ...{ body: Buffer.from('{}'), sourceAddress: '196.201.214.200', sourceKnown: true },
}

test('a message differs by refund, kind, known source or body, and not by the address of its sender', () => {
  const others = [
    { ...message, refundId: 'rf_2' },
    { ...message, kind: 'query_answer' as const },
    { ...message, sourceKnown: false },
    { ...message, body: Buffer.from('{ }') },
  ]
  const digests = [message, ...others].map((one) => digestOf(one).toString('hex'))
  expect(new Set(digests).size).toBe(5)
  const elsewhere = { ...message, messageId: 'pm_2', sourceAddress: '196.201.214.206' }
  expect(digestOf(elsewhere)).toEqual(digestOf(message))
})
