import { paidWithinSeconds, promptTimes, querySeconds, sendWithinSeconds } from './prompts'

test.each(Object.entries(promptTimes))(
  'the deadline of %s leaves room for the whole prompt and one query',
  (_, { promptSeconds, queryAfterSeconds, deadlineSeconds }) => {
    expect(deadlineSeconds).toBeGreaterThanOrEqual(promptSeconds + querySeconds)
    expect(deadlineSeconds).toBeGreaterThanOrEqual(queryAfterSeconds + querySeconds)
  },
)

test.each(Object.entries(promptTimes))(
  'no prompt of %s is open at its deadline, however late it was sent',
  (_, { promptSeconds, deadlineSeconds }) => {
    expect(deadlineSeconds).toBeGreaterThanOrEqual(sendWithinSeconds + promptSeconds)
  },
)

test.each(Object.entries(promptTimes))(
  'a payment of %s is looked for until its prompt has closed, however late it was sent',
  (_, { promptSeconds }) => {
    expect(paidWithinSeconds).toBeGreaterThanOrEqual(sendWithinSeconds + promptSeconds)
  },
)

test('waits at least 390 s for MTN and 240 s for Airtel', () => {
  expect(promptTimes.mtn_momo.deadlineSeconds).toBeGreaterThanOrEqual(390)
  expect(promptTimes.airtel_money.deadlineSeconds).toBeGreaterThanOrEqual(240)
})
