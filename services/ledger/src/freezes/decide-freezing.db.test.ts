import { FreezingOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { meanwhile } from '../locks.harness'
import { present } from '../payments.harness'
import { brian, enrolledOperators, note } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

const ask = async (accountId: string, frozen: boolean) =>
  present((await by.amina.askFreezing({ accountId, frozen, note })).freezingId)
const decide = async (freezingId: string, agreed: boolean, who = by.brian) =>
  (await who.decideFreezing({ freezingId, agreed, note })).outcome
const isAccepting = async (accountId: string) =>
  (await at.ledger.checkWallet({ accountId })).accepting

test('a wallet is frozen by two operators, and thawed by two', async () => {
  const accountId = await at.pay.merchant()
  const freezingId = await ask(accountId, true)
  expect(await decide(freezingId, true, by.amina)).toBe(FreezingOutcome.NEEDS_ANOTHER)
  expect(await isAccepting(accountId)).toBe(true)
  expect(await decide(freezingId, true)).toBe(FreezingOutcome.FROZEN)
  expect(await isAccepting(accountId)).toBe(false)
  expect(await decide(freezingId, true)).toBe(FreezingOutcome.FREEZING_DECIDED)
  expect(await decide(await ask(accountId, false), true)).toBe(FreezingOutcome.THAWED)
  expect(await isAccepting(accountId)).toBe(true)
})

test('a freezing is withdrawn by the operator who asked for it, and an unknown one is not found', async () => {
  const accountId = await at.pay.merchant()
  expect(await decide(await ask(accountId, true), false, by.amina)).toBe(FreezingOutcome.WITHDRAWN)
  expect(await isAccepting(accountId)).toBe(true)
  expect(await decide('fr_gone', true)).toBe(FreezingOutcome.FREEZING_NOT_FOUND)
})

test('the database itself refuses a freezing by one operator', async () => {
  const freezingId = await ask(await at.pay.merchant(), true)
  const sql = "UPDATE freezings SET status = 'done', decided_by = asked_by WHERE id = $1"
  await expect(at.database.pool.query(sql, [freezingId])).rejects.toMatchObject({
    constraint: 'freezings_need_two',
  })
})

test('a freezing that another operator withdraws at the same moment freezes nothing', async () => {
  const accountId = await at.pay.merchant()
  const freezingId = await ask(accountId, true)
  const withdrawn = "UPDATE freezings SET status = 'withdrawn', decided_by = $2 WHERE id = $1"
  const second = meanwhile(at, [withdrawn, [freezingId, brian.operatorId]], () =>
    decide(freezingId, true),
  )
  expect(await second).toBe(FreezingOutcome.FREEZING_DECIDED)
  expect(await isAccepting(accountId)).toBe(true)
})
