import { ledgerOfFile } from '../ledger.harness'
import { brian, operators } from './operators.harness'

const at = ledgerOfFile()

test('lists operators, oldest first, with those who requested and approved their enrollment', async () => {
  const by = operators(at)
  expect(await at.ledger.listOperators({})).toEqual({ operators: [] })
  await by.enroll()
  const carol = await by.another('carol')
  await carol.calls.askRetirement({ operatorId: brian.operatorId })
  const { operators: all } = await at.ledger.listOperators({})
  expect(all.map(({ name, status }) => [name, status])).toEqual([
    ['amina', 'enrolled'],
    ['brian', 'retiring'],
    ['carol', 'enrolled'],
  ])
  expect(all[1]).toMatchObject({ operatorId: brian.operatorId, retirementAskedBy: 'carol' })
  expect(all[2]).toMatchObject({ askedBy: 'amina', enrolledBy: 'brian' })
})
