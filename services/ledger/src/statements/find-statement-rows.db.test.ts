import { ledgerOfFile } from '../ledger.harness'
import { payBillNumberKey } from '../pay-bill/pay-bill.harness'
import { statementRows } from './statement-rows.harness'

const at = ledgerOfFile({ payBillNumberKey })
const statement = statementRows(at)

test('a statement row is found once it was applied, and not while it is only stored', async () => {
  const [{ payment: settled }, { payment: kept }, { payment: unseen }] = [
    await statement.payment(),
    await statement.payment(),
    await statement.payment(),
  ]
  await statement.shown([settled])
  await statement.shownUnread([kept])
  expect(await statement.areApplied([unseen, settled, kept, settled])).toEqual([
    ...[false, true, false, true],
  ])
  await statement.shown([kept])
  expect(await statement.areApplied([kept])).toEqual([true])
})

test('refuses too many digests, and a malformed one', async () => {
  const refused = { reason: 'invalid_request' }
  const digests = Array.from({ length: 1_001 }, () => Buffer.alloc(32))
  await expect(at.ledger.findStatementRows({ digests })).rejects.toMatchObject(refused)
  const short = [Buffer.alloc(31)]
  await expect(at.ledger.findStatementRows({ digests: short })).rejects.toMatchObject(refused)
})
