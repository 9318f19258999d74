import { denyAfterSeconds } from './schedule'

test.each([
  // A production ledger asks at 75 s, and a prompt lives for 60 s.
  [75, 60],
  [60, 60],
  // A test stack asks sooner, and its prompts are shorter.
  [2, 2],
])('asking after %d s, a "no" counts from %d s on', (queryAfterSeconds, expected) => {
  expect(denyAfterSeconds(queryAfterSeconds)).toBe(expected)
})
