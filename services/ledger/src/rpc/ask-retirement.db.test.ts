import { RetirementOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openLedger, type TestLedger } from '../ledger.harness'
import { amina, brian, operators } from './operators.harness'

let at: TestLedger
let by: ReturnType<typeof operators>

beforeAll(async () => {
  at = await openLedger()
  by = operators(at)
  await by.enroll()
})

afterAll(() => at.close())

test('two operators are left at any time, also when several are retired at once', async () => {
  const { operatorId } = amina
  const alone = await by.brian.askRetirement({ operatorId })
  expect(alone.outcome).toBe(RetirementOutcome.TOO_FEW_LEFT)
  const carol = await by.another('carol')
  await by.brian.askRetirement({ operatorId })
  await by.amina.askRetirement({ operatorId: brian.operatorId })
  const outcomes = await Promise.all([
    carol.calls.decideRetirement({ operatorId, agreed: true }),
    carol.calls.decideRetirement({ operatorId: brian.operatorId, agreed: true }),
  ])
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([
    RetirementOutcome.RETIRED,
    RetirementOutcome.TOO_FEW_LEFT,
  ])
})

test('refuses to retire an operator that there is not', async () => {
  const carol = (await at.ledger.listOperators({})).operators[2]
  expect(carol?.name).toBe('carol')
  const { outcome } = await by.amina
    .askRetirement({ operatorId: 'op_gone' })
    .catch(() => by.brian.askRetirement({ operatorId: 'op_gone' }))
  expect(outcome).toBe(RetirementOutcome.OPERATOR_NOT_FOUND)
})
