import { type RunningConsole, startConsole } from '../console.harness'
import { openTestOperator, type TestOperator } from '../test-operator.harness'

let running: RunningConsole
let asha: TestOperator
let brian: TestOperator

beforeAll(async () => {
  running = await startConsole()
  asha = openTestOperator(running.url)
  brian = openTestOperator(running.url)
  for (const [operator, name] of [
    [asha, 'asha'],
    [brian, 'brian'],
  ] as const) {
    expect(await operator.enrol(name)).toEqual(['enrolled', 'enrolled'])
    await operator.signIn()
  }
})
afterAll(() => running.stop())

const note = 'seen in the portal'

/** A refund that was sent three days ago, and whose outcome is unknown. */
async function undecided() {
  const subject = await running.ke.held()
  const ask = { subject, sentBy: 'REFUND_SENDER_US', note }
  const refundId: string = (await asha.act('AskRefund', ask)).body.data.id
  await brian.act('DecideRefund', { refundId, agreed: true, note })
  await running.ke.calls.beginRefund({ refundId })
  const outcome = { $case: 'accepted', value: { providerRequestId: 'AG_1' } } as const
  await running.ke.calls.recordRefund({ refundId, outcome })
  await running.ke.database.pool.query(
    `UPDATE refunds SET submitted_at = submitted_at - interval '73 hours', next_action_at = now() WHERE id = $1`,
    [refundId],
  )
  await running.ke.calls.beginRefundQuery({ refundId })
  return { subject, refundId }
}

test('an approval of a refund closing is refused when another end was asked for since its page was loaded', async () => {
  const { subject, refundId } = await undecided()
  const act = async (
    operator: TestOperator,
    name: 'AskRefundClosing' | 'DecideRefundClosing',
    given: object,
  ) => (await operator.act(name, { refundId, note, ...given })).body.data
  const paid = { end: 'REFUND_END_PAID' }
  await act(asha, 'AskRefundClosing', paid)
  const page = await brian.get(`/receipts/ke/${encodeURIComponent(subject)}`)
  expect(page.text).toContain('Close the refund as paid, asked by asha')
  expect(page.text).toContain('<input type="hidden" name="end" value="1"')

  await act(asha, 'DecideRefundClosing', { agreed: false })
  await act(asha, 'AskRefundClosing', { end: 'REFUND_END_FAILED' })
  expect(await act(brian, 'DecideRefundClosing', { agreed: true, ...paid })).toMatchObject({
    ...{ outcome: 'closing_changed', is_done: false },
    text: 'It is asked for as another end now: load the page again.',
  })
})
