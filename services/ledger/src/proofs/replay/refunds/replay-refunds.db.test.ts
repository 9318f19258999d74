import { present } from '../../../payments.harness'
import { describeDifference } from '../replay-worlds.harness'
import { refundStatementMutants } from './refund-mutants.harness'
import { compareRefunds, findRefundMutant } from './replay-refunds.harness'

// The short form of `npm run worlds -- refunds`, which takes as many as it is asked for.
test('30 worlds of refunds come to the same answers and rows in PostgreSQL as in the simulation', async () => {
  const { calls, differences } = await compareRefunds(1, 30)
  expect(differences.map(describeDifference)).toEqual([])
  expect(calls).toBeGreaterThan(30 * 30)
})

test.each([
  ['a closing is not written down', /decide_closing/],
  ['what a late yes withdraws has ended before', /^refunds: /],
  ['a shilling more goes back than came', /^transfers: /],
] as const)('finds the bug in a statement that saves refunds: %s', async (name, where) => {
  expect(await findRefundMutant(present(refundStatementMutants[name]))).toMatch(where)
})
