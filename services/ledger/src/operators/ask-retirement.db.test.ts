import { RetirementOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { amina, brian, enrolledOperators } from './operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

test('refuses to retire an operator that does not exist', async () => {
  const { outcome } = await by.brian.askRetirement({ operatorId: 'op_gone' })
  expect(outcome).toBe(RetirementOutcome.OPERATOR_NOT_FOUND)
})

test('two operators are left at any time, also when several are retired at once', async () => {
  const { operatorId } = amina
  const alone = await by.brian.askRetirement({ operatorId })
  expect(alone.outcome).toBe(RetirementOutcome.TOO_FEW_LEFT)
  const [carol, dalia] = [await by.another('carol'), await by.another('dalia')]
  const agree = async (one: string) =>
    (await dalia.calls.decideRetirement({ operatorId: one, agreed: true })).outcome
  const two = [operatorId, brian.operatorId]
  for (const one of [...two, dalia.operatorId]) await carol.calls.askRetirement({ operatorId: one })
  const { RETIRED, TOO_FEW_LEFT } = RetirementOutcome
  expect(await Promise.all(two.map(agree))).toEqual([RETIRED, RETIRED])
  expect(await agree(dalia.operatorId)).toBe(TOO_FEW_LEFT)
})
