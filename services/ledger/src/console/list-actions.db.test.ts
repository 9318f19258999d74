import { ledgerOfFile } from '../ledger.harness'
import { enrolledOperators } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

test('lists what was done by hand, newest first, page by page', async () => {
  const { subject } = await by.paid()
  await by.agreed(await by.requestedRefund(subject))
  const { actions } = await at.ledger.listActions({ limit: 50 })
  expect(actions.map(({ operator, did }) => `${operator} ${did}`)).toEqual([
    ...['brian refund_approved', 'amina refund_asked', 'brian enrolled', 'amina enrolled'],
  ])
  const first = await at.ledger.listActions({ limit: 1 })
  expect(first).toMatchObject({ hasMore: true, actions: [{ subject }] })
  const rest = await at.ledger.listActions({ limit: 50, beforeAction: first.actions[0]?.action })
  expect(rest).toMatchObject({ hasMore: false })
  expect(rest.actions).toHaveLength(3)
})
