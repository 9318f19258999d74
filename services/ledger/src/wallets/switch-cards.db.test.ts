import { CardsOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { enrolledOperators, note } from '../operators/operators.harness'
import { present } from '../payments.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

const switched = async (accountId: string, on: boolean) =>
  (await by.amina.switchCards({ accountId, on, note })).outcome
const actionsOf = async (accountId: string) =>
  (await at.ledger.listActions({ limit: 50 })).actions
    .filter(({ subject }) => subject === accountId)
    .map(({ did, operator, note: why }) => [did, operator, why])

test('an operator switches cards on and off, each is written down once, and checkouts that are open follow', async () => {
  const accountId = await at.pay.merchant()
  await at.ledger.openWallet({ accountId, cardEnabled: false })
  const { checkoutId } = await at.pay.checkout({ accountId })
  const card = async () => present((await at.ledger.readCheckout({ checkoutId })).checkout).card
  expect(await card()).toBeUndefined()
  expect(await switched(accountId, true)).toBe(CardsOutcome.SWITCHED_ON)
  expect(await card()).toBeDefined()
  expect(await switched(accountId, true)).toBe(CardsOutcome.NOTHING_TO_DO)
  // What auth repeats for a new account leaves it as it is.
  await at.ledger.openWallet({ accountId })
  expect(await card()).toBeDefined()
  expect(await switched(accountId, false)).toBe(CardsOutcome.SWITCHED_OFF)
  expect(await card()).toBeUndefined()
  expect(await actionsOf(accountId)).toEqual([
    ['cards_switched_off', 'amina', note],
    ['cards_switched_on', 'amina', note],
  ])
})

test('of several at the same moment one switches, and one is written down', async () => {
  const accountId = await at.pay.merchant()
  await at.ledger.openWallet({ accountId, cardEnabled: false })
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => switched(accountId, true)))
  expect(outcomes.filter((outcome) => outcome === CardsOutcome.SWITCHED_ON)).toHaveLength(1)
  expect(await actionsOf(accountId)).toHaveLength(1)
})

test('refuses a wallet that is not there, an act without a note, and one without a signature', async () => {
  const accountId = await at.pay.merchant()
  expect(await switched('acc_gone', true)).toBe(CardsOutcome.WALLET_NOT_FOUND)
  await expect(by.amina.switchCards({ accountId, on: true, note: ' ' })).rejects.toMatchObject({
    facts: { field: 'note' },
  })
  await expect(at.ledger.switchCards({ accountId, on: true, note })).rejects.toMatchObject({
    facts: { grpcStatus: 16 },
  })
})
