import {
  EnrollmentOutcome,
  RetirementOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openLedger, type TestLedger } from '../ledger.harness'
import { note, operators } from './operators.harness'

let at: TestLedger
let by: ReturnType<typeof operators>

beforeAll(async () => {
  at = await openLedger()
  by = operators(at)
  await by.enroll()
})

afterAll(() => at.close())

test('two retire a third: its key acts no more, and its name may be given to a new key', async () => {
  const { operatorId, publicKey, calls } = await by.another('carol')
  const decision = { operatorId, agreed: true }
  expect((await by.brian.decideRetirement(decision)).outcome).toBe(RetirementOutcome.NOT_ASKED)
  expect((await by.amina.askRetirement({ operatorId })).outcome).toBe(RetirementOutcome.ASKED)
  const subject = await by.unmatched()
  const refundId = await by.asked(subject)
  expect((await by.amina.decideRetirement(decision)).outcome).toBe(RetirementOutcome.NEEDS_ANOTHER)
  expect((await by.brian.decideRetirement(decision)).outcome).toBe(RetirementOutcome.RETIRED)
  await expect(calls.decideRefund({ refundId, agreed: true, note })).rejects.toMatchObject({
    facts: { grpcStatus: 16 },
  })
  const again = await by.amina.enrollOperator({ name: 'carol2', publicKey })
  expect(again.outcome).toBe(EnrollmentOutcome.RETIRED)
  const second = await by.another('carol')
  const { operators: all } = await at.ledger.listOperators({})
  expect(all.slice(2)).toMatchObject([
    {
      operatorId,
      name: 'carol',
      status: 'retired',
      retirementAskedBy: 'amina',
      retiredBy: 'brian',
    },
    { operatorId: second.operatorId, name: 'carol', status: 'enrolled' },
  ])
})

test('a retirement that is withdrawn leaves the operator as before', async () => {
  const { operatorId, calls } = await by.another('dalia')
  await by.amina.askRetirement({ operatorId })
  const { outcome } = await calls.decideRetirement({ operatorId, agreed: false })
  expect(outcome).toBe(RetirementOutcome.WITHDRAWN)
  expect((await at.ledger.listOperators({})).operators.at(-1)?.status).toBe('enrolled')
})
