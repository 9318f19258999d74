import { promptTimes, querySeconds } from './prompts'

test.each(Object.entries(promptTimes))(
  'the deadline of %s leaves room for the whole prompt and one query',
  (_, { promptSeconds, queryAfterSeconds, deadlineSeconds }) => {
    expect(deadlineSeconds).toBeGreaterThanOrEqual(promptSeconds + querySeconds)
    expect(deadlineSeconds).toBeGreaterThanOrEqual(queryAfterSeconds + querySeconds)
  },
)

test('waits at least 330 s for MTN and 240 s for Airtel', () => {
  expect(promptTimes.mtn_momo.deadlineSeconds).toBeGreaterThanOrEqual(330)
  expect(promptTimes.airtel_money.deadlineSeconds).toBeGreaterThanOrEqual(240)
})
