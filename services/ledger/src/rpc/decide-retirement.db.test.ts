import {
  AskRefundClosingOutcome,
  AskRefundOutcome,
  EnrollmentOutcome,
  FreezingOutcome,
  PlacementOutcome,
  RefundEnd,
  RefundSender,
  RetirementOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { generateKeyPairSync } from 'node:crypto'
import { openLedger, type TestLedger } from '../ledger.harness'
import { note, operators } from './operators.harness'
import { reports } from './report-closings.harness'

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

test('what a retired operator had asked for is withdrawn, so that two who are enrolled decide', async () => {
  const { operatorId, calls: asker } = await by.another('esther')
  const other = await by.another('faith')
  const accountId = await at.pay.merchant()
  const [subject, refunded] = [await by.unmatched(), await by.unmatched()]
  const { refundId } = await by.undecided(await by.unmatched())
  const { subject: reported } = await reports(at).reported()
  const { publicKey } = openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)
  const ask = async (who: typeof asker) => {
    const owner = { $case: 'accountId', value: accountId } as const
    return [
      await who.askPlacement({ subject, owner, note }),
      await who.askRefund({ subject: refunded, sentBy: RefundSender.US, note }),
      await who.askRefundClosing({ refundId, end: RefundEnd.PAID, note }),
      await who.askFreezing({ accountId, frozen: true, note }),
      await who.enrollOperator({ name: 'grace', publicKey }),
      await who.askRetirement({ operatorId: other.operatorId }),
    ].map(({ outcome }) => outcome)
  }
  const asked = [
    PlacementOutcome.ASKED,
    AskRefundOutcome.ASKED,
    AskRefundClosingOutcome.ASKED,
    FreezingOutcome.ASKED,
    EnrollmentOutcome.ASKED,
    RetirementOutcome.ASKED,
  ]
  expect(await ask(asker)).toEqual(asked)
  await asker.askReportClosing({ subject: reported, note })

  await by.amina.askRetirement({ operatorId })
  const { outcome } = await by.brian.decideRetirement({ operatorId, agreed: true })
  expect(outcome).toBe(RetirementOutcome.RETIRED)

  const { actions } = await by.story(subject)
  expect(actions.at(-1)).toMatchObject({ did: 'placement_withdrawn', operator: 'brian' })
  const { actions: ofRefund } = await by.story(refunded)
  expect(ofRefund.at(-1)).toMatchObject({ did: 'refund_withdrawn', operator: 'brian' })
  const { operators: listed } = await at.ledger.listOperators({})
  expect(listed.map(({ name }) => name)).not.toContain('grace')
  expect(await ask(by.amina)).toEqual(asked)
  await reports(at).close(reported)
})
