import type { SimEvent } from './event-log'
import { shopOf } from './shop'

const event = (body: string, direction: 'in' | 'out' = 'in'): SimEvent => ({
  id: 1,
  at: '',
  kind: 'call_answered',
  facts: {},
  exchange: { direction, method: 'POST', target: '/', headers: {}, body, answer: undefined },
})

test.each([
  ['{"TransactionDesc":"Kiosk","Amount":1}', 'Kiosk'],
  ['{"payerMessage": "Kiosk MN56"}', 'Kiosk MN56'],
  ['{"interaction":{"merchant":{"name":"Kiosk"}}}', 'Kiosk'],
])('finds the name of the shop in %s', (body, name) => {
  expect(shopOf([event('{}'), event(body)])).toBe(name)
})

test('finds no shop in a callback, or in a call that does not name one', () => {
  expect(
    shopOf([event('{"TransactionDesc":"x"}', 'out'), event('{"TransactionDesc":""}')]),
  ).toBeUndefined()
})
