import { claimDeliveries } from './claim-deliveries'

const due = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9']

test.each([
  ['works', { isFailing: false, inHand: 0 }, due.slice(0, 8)],
  ['works, and has six in hand', { isFailing: false, inHand: 6 }, ['d1', 'd2']],
  ['works, and has all in hand', { isFailing: false, inHand: 8 }, []],
  ['fails', { isFailing: true, inHand: 0 }, ['d1']],
  ['fails, and is being tried', { isFailing: true, inHand: 1 }, []],
  ['fails since a worker got many', { isFailing: true, inHand: 8 }, []],
])('hands out as many deliveries as are free of an endpoint that %s', (_, endpoint, claimed) => {
  expect(claimDeliveries([{ ...endpoint, due }], 100)).toEqual(claimed)
})

test('hands out deliveries of one endpoint after another until the limit is reached', () => {
  const working = { isFailing: false, inHand: 0 }
  const endpoints = [
    { ...working, isFailing: true, due: ['a1', 'a2'] },
    { ...working, due: ['b1', 'b2'] },
  ]
  expect(claimDeliveries(endpoints, 100)).toEqual(['a1', 'b1', 'b2'])
  expect(claimDeliveries(endpoints, 2)).toEqual(['a1', 'b1'])
})
